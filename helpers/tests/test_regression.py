"""The fast proof that the tests bite, on three faults; on all of them: make mutants."""

import pytest

from helpers.tests.mutants import MUTANTS, ROOT, caught_by


def test_there_are_enough_mutants_and_each_can_be_made():
    assert len(MUTANTS) >= 60 and len({mutant.fault for mutant in MUTANTS}) == len(MUTANTS)
    for mutant in MUTANTS:
        text = (ROOT / mutant.file).read_text(encoding="utf-8")
        assert mutant.right in text and mutant.right != mutant.wrong, mutant.fault


@pytest.mark.parametrize(
    "fault", ["scale after the softmax", "triu for tril", "labels not shifted"]
)
def test_a_mutant_is_caught(fault, tmp_path):
    (mutant,) = (mutant for mutant in MUTANTS if mutant.fault == fault)
    assert caught_by(mutant, tmp_path / "copy", notebooks=False).startswith("helpers/tests/test_")
