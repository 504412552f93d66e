"""The faults of `make mutants`: each fits the code, whatever its local variables are called."""

import ast
import builtins

import pytest

from helpers.workshop.equivalents import EQUIVALENT
from helpers.workshop.faults import FAULTS
from helpers.workshop.mutants import ROOT, chosen_mutants, copy_project, judge
from helpers.workshop.patterns import Fault, locate, rewrite
from helpers.workshop.random_faults import code_files, draw, targets_of

SOURCES = {path.relative_to(ROOT).as_posix(): path.read_text() for path in code_files(ROOT)}


class Renamed(ast.NodeTransformer):
    """Renames the parameters and variables of a function, and lets all other names be."""

    def __init__(self, function):
        nodes = [*ast.walk(function)]
        self.names = {node.arg for node in nodes if isinstance(node, ast.arg)}
        stored = [node for node in nodes if isinstance(node, ast.Name)]
        self.names |= {node.id for node in stored if isinstance(node.ctx, ast.Store)}
        self.names -= {"self", "cls", *vars(builtins)}

    def visit_Name(self, node):
        node.id += "_renamed" * (node.id in self.names)
        return node

    def visit_arg(self, node):
        node.arg += "_renamed" * (node.arg in self.names)
        return node


def test_the_faults_have_names_of_their_own_and_each_can_be_made():
    assert len(FAULTS) >= 134 and len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert len(chosen_mutants()) == len(FAULTS)


def test_every_chosen_fault_is_code_that_runs():
    for mutant in chosen_mutants():
        compile(mutant.source, mutant.where, "exec")


def renamed_source(fault):
    tree = ast.parse(SOURCES[fault.where.partition(":")[0]])
    place = locate(tree, fault)
    renamed = Renamed(place)
    if isinstance(place, ast.FunctionDef):
        renamed.visit(place)
    text = ast.unparse(tree)
    assert ("_renamed" in text) == (isinstance(place, ast.FunctionDef) and bool(renamed.names))
    return text


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_renamed_variables_break_no_fault(fault):
    source = renamed_source(fault)
    mutated = rewrite(source, fault)
    assert mutated.replace("_renamed", "") == rewrite(source.replace("_renamed", ""), fault)


def test_renamed_variables_break_a_fault_that_names_one():
    fault = Fault("naive", "helpers/masks.py:padding_keep", "ids != pad", "ids == pad")
    assert rewrite(SOURCES["helpers/masks.py"], fault)
    with pytest.raises(ValueError, match="naive: .* 0 times"):
        rewrite(renamed_source(fault), fault)


def test_code_survives_being_written_from_its_tree():
    for file, source in SOURCES.items():
        tree = ast.parse(source)
        assert ast.dump(ast.parse(ast.unparse(tree))) == ast.dump(tree), file


def test_there_is_much_to_draw_and_every_draw_can_be_compiled():
    drawn = draw(ROOT, 1, 100)
    assert len(drawn) == 100 and len({site.kind for site, _ in drawn}) == 6
    for site, source in drawn:
        compile(source, site.where, "exec")


def test_equivalents_have_reasons_and_are_still_in_the_code():
    sites = [target.site for path in code_files(ROOT) for target in targets_of(ROOT, path)]
    assert len(set(sites)) == len(sites)
    assert EQUIVALENT.keys() <= {tuple(site) for site in sites}
    assert all(len(reason) > 10 for reason in EQUIVALENT.values())


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("triu for tril", "test_attention"),
        ("padding inverted", "test_attention"),
        ("line ends of Windows", "test_corpus"),
    ],
)
def test_a_mutant_is_caught(name, file, tmp_path):
    (mutant,) = (mutant for mutant in chosen_mutants() if mutant.name == name)
    pristine = copy_project(tmp_path / "pristine")
    red = judge(mutant._replace(notebooks=False), pristine, tmp_path / "mutant")
    assert red.startswith(f"helpers/tests/{file}.py::")
