"""Find a piece of a syntax tree by a pattern, and put another there: how a chosen fault is written.

A pattern is Python with metavariables, as in Semgrep, so that it names no local variable:

- ``$KEYS`` stands for any expression, or for any name; where it comes again, for the same one.
- ``*$REST`` stands for any number of arguments, elements or statements, ``**$MORE`` for the keyword
  arguments that the pattern does not name (the others may come in any order).
- ``"$START的"`` in a string stands for any text.
- ``$ARG1``, ``$ARG2`` ... are the function's own parameters, counted without `self`.

A pattern of one expression is found anywhere in a function, one of statements where they follow
each other.
"""

import ast
import copy
import re
from collections.abc import Iterator
from typing import NamedTuple

Bindings = dict[str, object]  # what each metavariable stands for: a tree, a list of them, or a text

_METAVARIABLE = re.compile(r"\$([A-Z][A-Z0-9_]*)")
_HIDDEN = re.compile(r"__([A-Z][A-Z0-9_]*?)__")  # how a metavariable looks to Python's parser
_UNIMPORTANT = ("ctx", "kind", "type_comment")


class Fault(NamedTuple):
    """A mistake: in a function (``helpers/masks.py:causal_keep``), `left` becomes `right`.

    right: if it is empty, the statements go. occurrence: which match is meant, 0 for the only one.
    """

    name: str
    where: str
    left: str
    right: str
    occurrence: int = 0


class _Window(NamedTuple):
    """A place in a tree where something else can be put: a field of a node, or a part of a list."""

    holder: ast.AST
    field: str
    start: int | None = None
    stop: int | None = None

    def content(self) -> list:
        value = getattr(self.holder, self.field)
        return [value] if self.start is None else value[self.start : self.stop]

    def put(self, new: list) -> None:
        if self.start is None:
            setattr(self.holder, self.field, *new)
            return
        values = getattr(self.holder, self.field)
        values[self.start : self.stop] = new
        if not values and self.field in ("body", "finalbody"):
            values.append(ast.Pass())


def rewrite(source: str, fault: Fault) -> str:
    """Make a fault in the text of its file, whose comments are lost.

    Raises: ValueError if there is no such place, not exactly one match (or not so many), or nothing
    would change.
    """
    tree = ast.parse(source)
    place = locate(tree, fault)
    left, right = _read(fault.left), _read(fault.right)
    windows = _statement_windows(place)
    if _bare(left) and _bare(right):
        left, right, windows = _bare(left), _bare(right), _expression_windows(place)
    matches = _matches(windows, left, _parameters(place))
    if len(matches) < fault.occurrence or not fault.occurrence and len(matches) != 1:
        wanted = f"at least {fault.occurrence}" if fault.occurrence else "1"
        found = f"{fault.where} holds {fault.left!r} {len(matches)} times, not {wanted}"
        raise ValueError(f"{fault.name}: {found}; adapt the fault")
    before = ast.unparse(tree)
    window, bindings = matches[max(0, fault.occurrence - 1)]
    try:
        window.put(_fill(right, bindings))
    except KeyError as error:
        unbound = f"${error.args[0]} is in {fault.right!r} and not in {fault.left!r}"
        raise ValueError(f"{fault.name}: {unbound}; adapt the fault") from None
    if (after := ast.unparse(tree)) == before:
        raise ValueError(f"{fault.name}: {fault.right!r} changes nothing; adapt the fault")
    return after + "\n"


def locate(tree: ast.Module, fault: Fault) -> ast.AST:
    """Find the function, the class or the constant that a fault names.

    Raises: ValueError if it is not there.
    """
    place: ast.AST = tree
    for name in fault.where.partition(":")[2].split("."):
        inner = (node for node in ast.walk(place) if node is not place and name in _names(node))
        if (place := next(inner, None)) is None:
            missing = f"there is no {name!r} at {fault.where}"
            raise ValueError(f"{fault.name}: {missing}; adapt the fault")
    return place


def _names(node: ast.AST) -> list[str]:
    """Give the names that a statement defines: a function, a class or a constant."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = getattr(node, "targets", [getattr(node, "target", None)])
    assigns = isinstance(node, ast.Assign | ast.AnnAssign)
    return [target.id for target in targets if assigns and isinstance(target, ast.Name)]


def _parameters(place: ast.AST) -> Bindings:
    """Name the parameters of a function by their places."""
    if not isinstance(place, ast.FunctionDef | ast.AsyncFunctionDef):
        return {}
    arguments = place.args.posonlyargs + place.args.args + place.args.kwonlyargs
    names = [argument.arg for argument in arguments if argument.arg not in ("self", "cls")]
    return {f"ARG{number}": name for number, name in enumerate(names, 1)}


# ---------------------------------------------------------------- windows


def _matches(
    windows: Iterator[_Window], pattern: list, given: Bindings
) -> list[tuple[_Window, Bindings]]:
    """List the windows that a pattern matches, from top to bottom, the shortest at each place."""
    found = {}
    for window in windows:
        beginning = id(window.holder), window.field, window.start
        bindings = _match_list(pattern, window.content(), given)
        if bindings is not None and beginning not in found:
            found[beginning] = window, bindings
    return [*found.values()]


def _bare(statements: list[ast.stmt]) -> list[ast.expr]:
    """Give the expression of a pattern that is a single one, in a list."""
    single = len(statements) == 1 and isinstance(statements[0], ast.Expr)
    return [statements[0].value] if single else []


def _expression_windows(node: ast.AST) -> Iterator[_Window]:
    for field, value in ast.iter_fields(node):
        values = value if isinstance(value, list) else [value]
        for index, child in enumerate(values):
            if isinstance(child, ast.expr):
                places = (index, index + 1) if isinstance(value, list) else ()
                yield _Window(node, field, *places)
            if isinstance(child, ast.AST):
                yield from _expression_windows(child)


def _statement_windows(node: ast.AST) -> Iterator[_Window]:
    for field, value in ast.iter_fields(node):
        for start, child in enumerate(value if isinstance(value, list) else ()):
            if isinstance(child, ast.stmt):
                stops = range(start + 1, len(value) + 1)
                yield from (_Window(node, field, start, stop) for stop in stops)
            if isinstance(child, ast.AST):
                yield from _statement_windows(child)


# ---------------------------------------------------------------- matching


def _read(pattern: str) -> list[ast.stmt]:
    return ast.parse(_METAVARIABLE.sub(r"__\1__", pattern)).body


def _single(pattern: object) -> str:
    """Give the name of a metavariable that stands for one expression, or nothing."""
    found = _HIDDEN.fullmatch(pattern.id) if isinstance(pattern, ast.Name) else None
    return found[1] if found else ""


def _several(pattern: object) -> str:
    """Give the name of a metavariable that stands for a list (*$REST, **$MORE), or nothing."""
    if isinstance(pattern, ast.Expr):
        pattern = pattern.value
    starred = isinstance(pattern, ast.Starred)
    starred = starred or isinstance(pattern, ast.keyword) and pattern.arg is None
    return _single(pattern.value) if starred else ""


def _bind(name: str, value: object, bindings: Bindings) -> Bindings | None:
    if name in bindings and _text(bindings[name]) != _text(value):
        return None
    return {name: value} | bindings


def _text(value: object) -> object:
    if isinstance(value, list):
        return [_text(item) for item in value]
    return value if isinstance(value, str) else ast.unparse(value)


def _match(pattern: object, node: object, bindings: Bindings) -> Bindings | None:
    """Extend what the metavariables stand for, or give None where the two do not match."""
    if (name := _single(pattern)) and isinstance(node, ast.expr):
        return _bind(name, node, bindings)
    if type(pattern) is not type(node):
        return None
    if isinstance(pattern, list):
        return _match_list(pattern, node, bindings)
    if isinstance(pattern, str):
        return _match_text(pattern, node, bindings)
    if not isinstance(pattern, ast.AST):
        return bindings if pattern == node else None
    for field in pattern._fields:
        match = _match_keywords if field == "keywords" else _match
        if field not in _UNIMPORTANT:
            bindings = match(getattr(pattern, field), getattr(node, field), bindings)
        if bindings is None:
            return None
    return bindings


def _match_text(pattern: str, text: str, bindings: Bindings) -> Bindings | None:
    literals = _HIDDEN.split(pattern)[::2]
    found = re.fullmatch("(.*?)".join(map(re.escape, literals)), text, re.DOTALL)
    if found is None:
        return None
    for name, part in zip(_HIDDEN.findall(pattern), found.groups(), strict=True):
        if (bindings := _bind(name, part, bindings)) is None:
            return None
    return bindings


def _match_list(patterns: list, nodes: list, bindings: Bindings) -> Bindings | None:
    if not patterns:
        return None if nodes else bindings
    if name := _several(patterns[0]):
        for count in range(len(nodes) + 1):
            taken = nodes[:count]
            if count == 1 and isinstance(taken[0], ast.Starred):
                taken = taken[0].value  # the code has a star there itself
            found = _bind(name, taken, bindings)
            if found is not None:
                found = _match_list(patterns[1:], nodes[count:], found)
            if found is not None:
                return found
        return None
    found = _match(patterns[0], nodes[0], bindings) if nodes else None
    return None if found is None else _match_list(patterns[1:], nodes[1:], found)


def _match_keywords(patterns: list, keywords: list, bindings: Bindings) -> Bindings | None:
    """Match keyword arguments by their names, in any order."""
    patterns = sorted(patterns, key=lambda pattern: bool(_several(pattern)))  # **$MORE comes last
    left = list(keywords)
    for pattern in patterns:
        if name := _several(pattern):
            return _bind(name, left, bindings)
        same = [keyword for keyword in left if keyword.arg == pattern.arg]
        found = _match(pattern.value, same[0].value, bindings) if same else None
        if found is None:
            return None
        bindings = found
        left.remove(same[0])
    return None if left else bindings


# ---------------------------------------------------------------- the other side


def _fill(pattern: object, bindings: Bindings) -> object:
    """Put what the metavariables stand for in the place of each."""
    if name := _single(pattern):
        value = copy.deepcopy(bindings[name])
        return ast.Name(value) if isinstance(value, str) else value
    if isinstance(pattern, list):
        return [new for item in pattern for new in _fill_item(item, bindings)]
    if isinstance(pattern, str):
        return _HIDDEN.sub(lambda found: _text(bindings[found[1]]), pattern)
    if not isinstance(pattern, ast.AST):
        return pattern
    fields = {name: _fill(value, bindings) for name, value in ast.iter_fields(pattern)}
    return ast.copy_location(type(pattern)(**fields), pattern)


def _fill_item(item: object, bindings: Bindings) -> list:
    value = copy.deepcopy(bindings[_several(item)]) if _several(item) else None
    return value if isinstance(value, list) else [_fill(item, bindings)]
