"""The check of lab 06a's diagnosis: right beds pass, each wrong one is named with its hint."""

import pytest

from helpers.workshop.exercises import breaking as check

RIGHT = dict(A=4, B=3, C=1, D=5, E=2)


def said_of(capsys, **beds):
    check.diagnosis(beds)
    return capsys.readouterr().out


def test_the_right_diagnosis_passes(capsys):
    assert said_of(capsys, **RIGHT) == "right: five of five\n"


def test_no_diagnosis_gets_no_hint(capsys):
    for stub in (dict.fromkeys(RIGHT), {}):
        assert said_of(capsys, **stub) == "not tried yet: every bed says None\n"


@pytest.mark.parametrize("bed", RIGHT)
def test_a_wrong_bed_is_named_with_a_hint(bed, capsys):
    for wrong in {1, 2, 3, 4, 5} - {RIGHT[bed]}:
        said = said_of(capsys, **(RIGHT | {bed: wrong}))
        assert said.startswith(f"not yet: {bed} is something else\nhint: ")
        assert not any(str(number) in said for number in range(1, 6))


def test_half_a_diagnosis_is_half_an_answer(capsys):
    assert said_of(capsys, A=4, C=1) == "so far right; still open: B, D, E\n"


@pytest.mark.parametrize("odd", ["four", 6, 0, [1], 2.5])
def test_what_is_no_number_of_the_list_is_said(odd, capsys):
    assert said_of(capsys, A=odd) == f"not yet: A says {odd!r}, and the list goes from 1 to 5\n"


def test_the_beds_show_what_the_file_keeps_and_one_is_right():
    header, right, *beds = check.patients()
    assert header == ["", "→", "→", "←"] and right[0] == "right"
    assert [bed[0] for bed in beds] == list(RIGHT)
    healthy = [bed[0] for bed in beds if bed[1:] == right[1:]]
    assert healthy == ["C"]
