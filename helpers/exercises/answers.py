"""Answers given one by one, each of which may stay open: what a check of them says."""

from collections.abc import Callable, Collection, Mapping


def check_answers(
    mine: Mapping, names: Collection[str], fault_of: Callable, each: str, all_right: str
) -> None:
    """Print whether the answers given so far are right; an answer of None is still open.

    fault_of: takes a name and its answer; returns what to say if that is wrong, else "".
    each: what a name stands for; all_right: how many right answers there are, in words.
    """
    open_ones = [name for name in names if mine.get(name) is None]
    if len(open_ones) == len(names):
        print(f"not tried yet: every {each} says None")
        return
    for name in names:
        if name not in open_ones and (fault := fault_of(name, mine[name])):
            print(f"not yet: {fault}")
            return
    still = f"so far right; still open: {', '.join(open_ones)}"
    print(still if open_ones else f"right: {all_right}")
