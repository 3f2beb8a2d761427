"""The plot of the benchmark's suite `scale`: how calls a second grow with connections.

    scale.py BENCH.md PICTURE.svg [PICTURE.png]

It is drawn of the figures that BENCH.md has: median, least and greatest of the rounds.
"""

import json
import re
import sys
from collections import defaultdict
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator, StrMethodFormatter
from scheme import GROUND, INK, SOFT, save

TITLE = "Calls a second on so many connections at once"
# What is measured, by the revision that a row's name has.
PANELS = {"2025-11-25": "2025-11-25: each connection has a session", "2026-07-28": "2026-07-28: no sessions"}

# In light, and in dark.
GRID = ("#d8dee4", "#30363d")
MARKS = {"mcpbolt": "o", "rmcp": "s"}
CONTESTANTS = json.loads(Path(__file__).with_name("contestants.json").read_text(encoding="utf-8"))
COLOURS = {by: (CONTESTANTS[by]["light"], CONTESTANTS[by]["dark"]) for by in MARKS}

ROW = re.compile(
    r"^\| HTTP, (?P<revision>\S+), (?P<connections>[\d,]+) \w+ \| (?P<by>\w+) "
    r"\| (?P<median>[\d,.]+)(?: \((?P<least>[\d,.]+)–(?P<greatest>[\d,.]+)\))? \|"
)

# Connections, then median, least and greatest calls a second.
Point = tuple[float, float, float, float]


def number(text: str) -> float:
    return float(text.replace(",", ""))


def read(page: str) -> dict[str, dict[str, list[Point]]]:
    """The points of each contestant in each panel."""
    section = page.split("<!-- suite scale -->", 1)[-1].split("<!-- end scale -->", 1)[0]
    found: dict[str, dict[str, list[Point]]] = defaultdict(lambda: defaultdict(list))
    for row in filter(None, map(ROW.match, section.splitlines())):
        median = row["median"]
        figures = (row["connections"], median, row["least"] or median, row["greatest"] or median)
        connections, *calls = map(number, figures)
        found[row["revision"]][row["by"]].append((connections, calls[0], calls[1], calls[2]))
    if set(found) != set(PANELS):
        raise SystemExit(f"the page has no figures of the suite scale for {', '.join(PANELS)}")
    return found


def panel(axes: Axes, name: str, contestants: dict[str, list[Point]]) -> None:
    axes.set_title(name, loc="left", fontsize=11.5, color=INK[0], pad=10)
    axes.set_facecolor("none")
    axes.set_xscale("log", base=2)
    counts = sorted({point[0] for points in contestants.values() for point in points})
    axes.xaxis.set_major_locator(FixedLocator(counts))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda count, _: f"{count:,.0f}"))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.set_xlabel("connections (each step is 16 times as many)", fontsize=10, color=SOFT[0])
    axes.grid(axis="y", color=GRID[0], linewidth=0.8)
    axes.tick_params(length=0, labelsize=10, labelcolor=SOFT[0], pad=5)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(SOFT[0])
    for by, points in contestants.items():
        x, median, least, greatest = zip(*sorted(points), strict=True)
        colour = COLOURS[by][0]
        axes.plot(x, median, color=colour, marker=MARKS[by], markersize=6, linewidth=2)
        axes.vlines(x, least, greatest, color=colour, linewidth=1.4)
        ours = by == "mcpbolt"
        for at, calls, end in zip(x, median, greatest if ours else least, strict=True):
            axes.annotate(
                f"{calls:,.0f}",
                (at, end),
                (5 if at == x[0] else 0, 7 if ours else -7),
                textcoords="offset points",
                ha="right" if at == x[0] else "center",
                va="bottom" if ours else "top",
                fontsize=9.5,
                color=colour,
            )
        axes.annotate(
            by,
            (x[-1], median[-1]),
            (11, 0),
            textcoords="offset points",
            va="center",
            fontsize=11,
            weight="bold",
            color=colour,
        )


def draw(found: dict[str, dict[str, list[Point]]]) -> Figure:
    figure = Figure(figsize=(760 / 72, 360 / 72), dpi=72, facecolor=GROUND[0])
    figure.text(0.02, 0.945, TITLE, fontsize=15, weight="bold", color=INK[0])
    says = "One call under way on each. A line through a mark goes from the least of the rounds to the greatest."
    figure.text(0.02, 0.89, says, fontsize=10.5, color=SOFT[0])
    axes = figure.subplots(1, len(PANELS), sharey=True)
    figure.subplots_adjust(left=0.085, right=0.925, top=0.77, bottom=0.135, wspace=0.25)
    for one, (revision, name) in zip(axes, PANELS.items(), strict=True):
        panel(one, name, found[revision])
    axes[0].set_ylim(bottom=0, top=axes[0].get_ylim()[1] * 1.08)
    axes[0].margins(x=0.14)
    axes[1].margins(x=0.14)
    return figure


def main(page: str, picture: str, *others: str) -> None:
    figure = draw(read(Path(page).read_text(encoding="utf-8")))
    pairs = (INK, SOFT, GRID, GROUND, *COLOURS.values())
    save(figure, Path(picture), TITLE, f"<title>{TITLE}</title>", pairs)
    for other in others:
        figure.savefig(other, dpi=144)


main(*sys.argv[1:])
