"""How a translator climbs past two rules: the share of readings that are right, step by step."""

from collections.abc import Mapping

import matplotlib.pyplot as plt

from helpers.display.html_maps import INK, MUTED
from helpers.display.tables import AMBER

PANELS = {"far": "a word far away decides", "order": "the order of the words decides"}


def draw_rise(
    readings: Mapping[int, Mapping[str, float]], flat: Mapping[str, Mapping[str, float]]
) -> plt.Figure:
    """Draw the translator's share of right readings over its steps, with each rule as a flat line.

    readings: for each step the shares of the groups "far" and "order" (see Twins.shares); flat:
    the same of each rule. Returns: the figure, for `show`.
    """
    if not any(readings.values()):
        figure, axis = plt.subplots(figsize=(5, 0.6))
        axis.text(0, 0.5, "no readings in this corpus: skipped")
        axis.axis("off")
        return figure
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.1), sharey=True)
    looks = [("--", MUTED), ((0, (1, 2)), INK)]
    for axis, (group, title) in zip(axes, PANELS.items(), strict=True):
        shares = [100 * found.get(group, 0) for found in readings.values()]
        axis.plot(list(readings), shares, marker="o", color=AMBER, label="the translator")
        for (name, found), (style, colour) in zip(flat.items(), looks, strict=True):
            height = 100 * found.get(group, 0)
            axis.axhline(height, color=colour, linestyle=style, label=f"{name}: {height:.0f} %")
        axis.set(title=title, xlabel="step", xscale="log", ylim=(-4, 106))
        axis.set_xticks(list(readings), list(map(str, readings)))
        axis.minorticks_off()
        axis.legend(loc="lower right", fontsize=8)
    axes[0].set_ylabel("readings right (%)")
    return figure
