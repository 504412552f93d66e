"""Draw faults at random from all that could be changed in the code of helpers and data.

The kinds: a comparison turned, an operator exchanged, a constant moved, a condition negated, a
branch dropped, an argument left out. No targets are docstrings, annotations, decorators, the texts
of errors and other prose, and the tables of the module level. Half of what is drawn lies in helpers
and half in data, whose code has more than half of the places and whose faults are noticed more
easily: a wrong sentence is in a file that the tests read.
"""

import ast
import copy
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import NamedTuple

# folders that get as many faults each
SHARES = (("helpers", "helpers/workshop"), ("data", "data/grammar"))
TABLES = ("faults.py", "equivalents.py")  # of this tool
PROSE = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")
CONTEXT = 40  # letters of a statement on each side of a change
BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
NO_CODE = ("annotation", "returns", "decorator_list", "type_comment")
OTHERS = {
    ast.Lt: (ast.Gt, ast.LtE),
    ast.LtE: (ast.GtE, ast.Lt),
    ast.Gt: (ast.Lt, ast.GtE),
    ast.GtE: (ast.LtE, ast.Gt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitAnd,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.USub: (ast.UAdd,),
}

Change = tuple[str, str, object]  # the kind, the field of the node, and what it becomes


class Site(NamedTuple):
    """What could be changed, named by its function, its kind and the change: no line number.

    change: the head of the statement around what differs: ``if draw [< → >] 0.3:``.
    """

    where: str
    kind: str
    change: str


class Target(NamedTuple):
    """The change of a site, to be made in the tree where it was found."""

    site: Site
    tree: ast.Module
    node: ast.AST
    field: str
    value: object

    def source(self) -> str:
        """Give the text of the file with the change made."""
        return _unparsed_with(self.tree, self.node, self.field, self.value) + "\n"


def code_files(root: Path, folders: Sequence[str] = sum(SHARES, ())) -> list[Path]:
    """List the files of helpers and data whose code is to be tested."""
    paths = [path for folder in folders for path in sorted((root / folder).glob("*.py"))]
    return [path for path in paths if path.name not in TABLES]


def is_in(file: str, places: Sequence[str]) -> bool:
    """Tell whether a file is in one of these places, say helpers/*.py; without places all are."""
    return not places or any(Path(file).match(place) for place in places)


def draw(root: Path, seed: int, count: int, places: Sequence[str] = ()) -> list[tuple[Site, str]]:
    """Draw sites, the same for the same seed; give with each the text of its file with the change.

    Each site gets a random number from the seed and its own name, and the smallest are drawn, by
    turns from each share: so a change of one function leaves what is drawn in the others.
    places: files to draw from, see is_in.
    """
    ranked = []
    for folders in SHARES:
        paths = code_files(root, folders)
        paths = [path for path in paths if is_in(path.relative_to(root).as_posix(), places)]
        targets = [target for path in paths for target in targets_of(root, path)]
        targets.sort(key=lambda target: Random(f"{seed} {tuple(target.site)}").random())
        ranked.append(targets[:count])
    drawn = [target for target in chain(*zip_longest(*ranked)) if target][:count]
    return [(target.site, target.source()) for target in drawn]


def targets_of(root: Path, path: Path) -> list[Target]:
    """List what could be changed in a file, each under a name of its own."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    numbers: Counter[Site] = Counter()
    targets = []
    for target in _targets(tree, path.relative_to(root).as_posix()):
        numbers[target.site] += 1
        if (number := numbers[target.site]) > 1:  # a statement that comes twice in a function
            site = target.site._replace(change=f"{target.site.change} ({number})")
            target = target._replace(site=site)
        targets.append(target)
    return targets


# ---------------------------------------------------------------- where


def _targets(tree: ast.Module, file: str) -> Iterator[Target]:
    for names, statement in _statements(tree, ()):
        where = f"{file}:{'.'.join(names) or '<module>'}"
        original = _head(statement)
        for node in _nodes(statement):
            if not names and _is_text(node):
                continue  # a table
            for kind, field, value in CHANGES.get(type(node), _none)(node):
                if field in BODIES and node is statement:
                    change = f"{original} [{field} →]"
                else:
                    mutated = _unparsed_with(statement, node, field, value, _head)
                    change = _difference(original, mutated)
                yield Target(Site(where, kind, change), tree, node, field, value)


def _statements(
    holder: ast.AST, names: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], ast.stmt]]:
    """List the statements that hold code, each with the names of the functions around it."""
    for field in BODIES:
        for child in getattr(holder, field, ()):
            inner = names
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = (*names, child.name)
            if isinstance(child, ast.stmt):
                if _is_no_code(child):
                    continue
                yield inner, child
            yield from _statements(child, inner)


def _is_no_code(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test):
        return True
    docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return docstring or isinstance(statement, ast.Raise | ast.Import | ast.ImportFrom)


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """List the nodes of a statement, from left to right, without the statements inside."""
    yield node
    for field, value in ast.iter_fields(node):
        message = isinstance(node, ast.Assert) and field == "msg"
        if field in NO_CODE or message:
            continue
        for child in value if isinstance(value, list) else [value]:
            statement = isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
            if isinstance(child, ast.AST) and not statement:
                yield from _nodes(child)


def _head(statement: ast.stmt) -> str:
    """Write a statement without the statements inside."""
    head = copy.copy(statement)
    for field in (*BODIES, "decorator_list"):
        if isinstance(getattr(head, field, None), list):
            setattr(head, field, [])
    return ast.unparse(head).strip()


def _difference(original: str, mutated: str) -> str:
    """Write two texts as one, with what differs in brackets and some of what is around it."""
    start = len(os.path.commonprefix([original, mutated]))
    left, right = original[start:], mutated[start:]
    end = len(os.path.commonprefix([left[::-1], right[::-1]]))
    behind = left[len(left) - end :]
    differs = f"[{left[: len(left) - end]} → {right[: len(right) - end]}]"
    before = original[:start] if start <= CONTEXT else "…" + original[start - CONTEXT : start]
    return before + differs + (behind if end <= CONTEXT else behind[:CONTEXT] + "…")


def _unparsed_with(
    tree: ast.AST, node: ast.AST, field: str, value: object, unparse=ast.unparse
) -> str:
    """Write a tree with another value in one field of a node; the tree stays as it is."""
    original = getattr(node, field)
    setattr(node, field, value)
    try:
        return unparse(tree)
    finally:
        setattr(node, field, original)


# ---------------------------------------------------------------- what


def _none(node: ast.AST) -> Iterator[Change]:
    return iter(())


def _comparisons(node: ast.Compare) -> Iterator[Change]:
    for place, operator in enumerate(node.ops):
        for other in OTHERS[type(operator)]:
            new = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield "comparison turned", "ops", new


def _operators(node: ast.BinOp | ast.AugAssign | ast.BoolOp | ast.UnaryOp) -> Iterator[Change]:
    for other in OTHERS.get(type(node.op), ()):
        yield "operator exchanged", "op", other()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _constants(node: ast.Constant) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield "constant moved", "value", not value
    elif isinstance(value, str):
        if not PROSE.search(value):
            yield "constant moved", "value", value + "x"
    elif isinstance(value, float) and value:
        yield "constant moved", "value", 2 * value
    elif isinstance(value, int | float):
        yield "constant moved", "value", value + 1


def _negated(condition: ast.expr) -> ast.expr:
    if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        return condition.operand
    return ast.UnaryOp(ast.Not(), condition)


def _conditions(node: ast.If | ast.IfExp | ast.While) -> Iterator[Change]:
    yield "condition negated", "test", _negated(node.test)
    if isinstance(node, ast.If):
        yield "branch dropped", "body", [ast.Pass()]
        if node.orelse:
            yield "branch dropped", "orelse", []
    if isinstance(node, ast.IfExp):
        yield "branch dropped", "test", ast.Constant(False)
        yield "branch dropped", "test", ast.Constant(True)


def _filters(node: ast.comprehension) -> Iterator[Change]:
    for place, condition in enumerate(node.ifs):
        new = [*node.ifs[:place], _negated(condition), *node.ifs[place + 1 :]]
        yield "condition negated", "ifs", new


def _arguments(node: ast.Call) -> Iterator[Change]:
    for place in range(len(node.keywords)):
        new = node.keywords[:place] + node.keywords[place + 1 :]
        yield "argument left out", "keywords", new
    if len(node.args) > 1 and not isinstance(node.args[-1], ast.Starred):
        yield "argument left out", "args", node.args[:-1]


CHANGES = {
    ast.Compare: _comparisons,
    ast.BinOp: _operators,
    ast.AugAssign: _operators,
    ast.BoolOp: _operators,
    ast.UnaryOp: _operators,
    ast.Constant: _constants,
    ast.If: _conditions,
    ast.IfExp: _conditions,
    ast.While: _conditions,
    ast.comprehension: _filters,
    ast.Call: _arguments,
}
