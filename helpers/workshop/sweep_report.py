"""The report of a sweep: its table, intervals over the seeds, the best point, all as a notebook."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from pprint import pformat
from urllib.parse import quote

import matplotlib.pyplot as plt
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.workshop.execute import execute
from helpers.workshop.markup import INK, ORANGE, Picture, table_html
from helpers.workshop.notebooks import KERNELSPEC
from helpers.workshop.points import shown_value
from helpers.workshop.run import save_trusted
from helpers.workshop.sizes_kept import half_width

OVER = "seed"  # what is averaged over; all other parameters tell the groups apart
SMALLER_IS_BETTER = ("loss", "seconds", "step")
COST = ("best_step", "seconds")  # they come last in a table


@dataclass
class Group:
    """Points that differ in nothing but the seed."""

    parameters: dict[str, object]
    figures: list[dict[str, float]]
    seeds: list[object]

    def column(self, name: str) -> list[float]:
        """One figure of all its points, in the order of the seeds."""
        return [each[name] for each in self.figures if name in each]

    def __str__(self) -> str:
        """Write its parameters."""
        return " ".join(f"{name}={shown_value(value)}" for name, value in self.parameters.items())


class Sweep:
    """The points of a sweep with what came of them: tables, a picture and a verdict."""

    def __init__(self, points: Sequence[Mapping], best_by: str = "valid_loss"):
        """Take points: dicts with parameters, and with figures, or the reason why it failed."""
        self.points, self.best_by = points, best_by
        self.finished = [point for point in points if "figures" in point]
        names = {name for each in self.finished for name in each["figures"]}
        self.names = sorted(names, key=lambda name: (name != best_by, name in COST, name))
        self.varied = [*points[0]["parameters"]]
        self.groups: list[Group] = []
        for point in self.finished:
            shared = {name: v for name, v in point["parameters"].items() if name != OVER}
            if shared not in [group.parameters for group in self.groups]:
                self.groups.append(Group(shared, [], []))
            group = next(group for group in self.groups if group.parameters == shared)
            group.figures.append(point["figures"])
            group.seeds.append(point["parameters"].get(OVER))

    def table(self) -> Picture:
        """Draw a row for each point; one that failed says so."""
        rows = []
        for point in self.points:
            figures = point.get("figures", {})
            cells = [written(figures[name]) if name in figures else "" for name in self.names]
            told = [shown_value(value) for value in point["parameters"].values()]
            rows.append([*told, *cells, "failed" if "failed" in point else ""])
        return table_html(rows, [*self.varied, *self.names, ""])

    def means(self) -> Picture | str:
        """Draw a row for each group: the mean of each figure and half its 95 % interval."""
        if not self.groups:
            return "no point came to its end"
        varied = [name for name in self.varied if name != OVER]
        rows = []
        for group in self.ranked():
            told = [shown_value(value) for value in group.parameters.values()]
            figures = [mean_of(group.column(name)) for name in self.names]
            rows.append([*told, len(group.figures), *figures])
        return table_html(rows, [*varied, "points", *self.names])

    def ranked(self) -> list[Group]:
        """Sort the groups, the best first; those with a point less than others come last."""
        sign = 1 if any(word in self.best_by for word in SMALLER_IS_BETTER) else -1

        def key(group: Group) -> tuple[int, float]:
            values = group.column(self.best_by)
            return -len(values), sign * sum(values) / len(values) if values else math.inf

        return sorted(self.groups, key=key)

    def draw(self) -> plt.Figure:
        """Draw every point as a dot, and the mean of each group with its interval."""
        ranked = [group for group in self.ranked() if group.column(self.best_by)]
        figure, axis = plt.subplots(figsize=(7, 0.4 * len(ranked) + 1))
        for place, group in enumerate(ranked):
            values = group.column(self.best_by)
            axis.plot(values, [place] * len(values), "o", color=ORANGE, markersize=4)
            mean, width = sum(values) / len(values), half_width(values)
            axis.errorbar(mean, place, xerr=width or 0.0, fmt="|", color=INK, capsize=4)
        axis.set_yticks(range(len(ranked)), map(str, ranked))
        axis.invert_yaxis()
        axis.set(xlabel=self.best_by)
        return figure

    def verdict(self) -> str:
        """Say which group is best, how sure that is, and whether the second is told apart."""
        ranked = [group for group in self.ranked() if group.column(self.best_by)]
        if not ranked:
            return f"No finished point has a figure {self.best_by!r}, so none is the best."
        best, values = ranked[0], ranked[0].column(self.best_by)
        said = [f"Best by {self.best_by}: {best or 'the only one'}: {mean_of(values)}"]
        if len(values) == 1:
            said.append("One point each: nothing tells how much of this is chance. Try seed=0,1,2.")
        else:
            said[0] += f" (mean of {len(values)} seeds, 95 % interval of Student's t)."
        if len(ranked) > 1 and len(values) > 1:
            said.append(against(best, ranked[1], self.best_by))
        if len(ranked) > 1:
            chosen = f"It was chosen among {len(ranked)} by this very figure, which flatters it"
            test = "valid" not in self.best_by
            more = "a figure of the tests, so test it on others" if test else "no test had a say"
            said.append(f"{chosen} a little; {more}.")
        return "\n".join(said)


def against(best: Group, second: Group, name: str) -> str:
    """Compare two groups seed by seed."""
    values = [dict(zip(each.seeds, each.column(name), strict=True)) for each in (best, second)]
    common = [seed for seed in values[0] if seed in values[1]]
    gaps = [values[0][seed] - values[1][seed] for seed in common]
    if len(gaps) < 2:
        return f"The second, {second}, has no two seeds in common with it."
    mean, width = sum(gaps) / len(gaps), half_width(gaps)
    apart = "they are told apart" if abs(mean) > width else "these seeds don't tell them apart"
    return f"Against the second, {second}, seed by seed: {mean_of(gaps)}: {apart}."


def written(value: float, size: float | None = None) -> str:
    """Write a figure: three decimals below ten, else one; size: of another that says how many."""
    if isinstance(value, int):
        return str(value)
    return f"{value:.{3 if abs(value if size is None else size) < 10 else 1}f}"


def mean_of(values: Sequence[float]) -> str:
    """Write the mean, and half the interval where there is more than one value."""
    if not values:
        return ""
    mean, width = sum(values) / len(values), half_width(values)
    return written(mean) if width is None else f"{written(mean)} ± {written(width, mean)}"


HEAD = """# Sweep of {name}

{points} points, {failed} of them failed: `{grid}`{fixed}.
Each has a notebook of its own, [below](#The-notebooks). `make sweep` with the same words
executes only what is missing."""
MEANS = """## Over the seeds

The mean of each figure and half its 95 % interval (Student's t), the best first."""
BEST = "## The best"


def cells_of(plan, points: Sequence[Mapping], folder: Path) -> list[nbformat.NotebookNode]:
    """Write the report of these points, not yet executed."""
    grid = " ".join(f"{name}={','.join(values)}" for name, values in plan.grid.items())
    shared = {n: v for n, v in plan.points[0].parameters.items() if n not in plan.grid}
    fixed = "".join(f", `{name}={shown_value(value)}`" for name, value in shared.items())
    counts = dict(points=len(points), failed=sum("failed" in point for point in points))
    head = HEAD.format(name=plan.notebook.stem, grid=grid, fixed=fixed, **counts)
    ranked = [group for group in Sweep(points, plan.best_by).ranked() if group.column(plan.best_by)]
    best = ranked[0].parameters if ranked else None
    listed = ["## The notebooks", ""]
    for point, each in zip(points, plan.points, strict=True):
        told = " ".join(f"{name}={shown_value(v)}" for name, v in point["parameters"].items())
        part = each.output.with_suffix(".part.ipynb")
        path = each.output if "figures" in point else part
        link = f"[{told}]({quote(path.name)})" if path.exists() else told
        shared = {name: v for name, v in point["parameters"].items() if name != OVER}
        link += ": **the best**" if shared == best and "figures" in point else ""
        listed.append(f"- {link}" + (f": failed: `{point['failed']}`" if "failed" in point else ""))
    made = f"sweep = Sweep({pformat(points, width=96, sort_dicts=False)}, {plan.best_by!r})"
    start = "from helpers.plots import show\nfrom helpers.workshop.sweep_report import Sweep\n\n"
    hidden = {"jupyter": {"source_hidden": True}}
    cells = [new_markdown_cell(head), new_code_cell(start + made, metadata=hidden)]
    cells += [new_code_cell("sweep.table()"), new_markdown_cell(MEANS)]
    cells += [new_code_cell("sweep.means()"), new_markdown_cell(BEST)]
    cells += [new_code_cell("print(sweep.verdict())")]
    if any(plan.best_by in point.get("figures", {}) for point in points):
        cells.append(new_code_cell("show(sweep.draw(), decimals=4)"))
    return [*cells, new_markdown_cell("\n".join(listed))]


def write_report(plan, found: Sequence[Mapping], path: Path) -> Path:
    """Write and execute the report; an earlier one that says something else is kept beside it.

    Raises: NotebookFailed if it cannot be executed.
    """
    points = []
    for point, each in zip(plan.points, found, strict=True):
        parameters = {name: point.parameters[name] for name in plan.grid}
        result = each if "failed" in each else {"figures": each}
        points.append({"parameters": parameters} | result)
        if "figures" in points[-1]:
            save_trusted(nbformat.read(point.output, as_version=4), point.output)
    cells = cells_of(plan, points, path.parent)
    set_aside(path, [cell.source for cell in cells])
    source = path.with_name(".report.ipynb")
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC}), source)
    try:
        save_trusted(execute(source, path, {}), path)
        path.with_suffix(".part.ipynb").unlink()
    finally:
        source.unlink()
    return path


def set_aside(path: Path, sources: Sequence[str]) -> None:
    """Move a report to report-1.ipynb and so on, unless it has these cells."""
    if not path.exists():
        return
    try:
        same = [cell.source for cell in nbformat.read(path, as_version=4).cells] == [*sources]
    except Exception:  # of whatever cannot be read nothing is lost, either
        same = False
    if not same:
        paths = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(1))
        kept = path.rename(next(other for other in paths if not other.exists()))
        print(f"The report that was here says something else: it is kept in {kept.name}")
