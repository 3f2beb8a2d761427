"""A picture of the benchmark, drawn of the figures that `cargo xtask bench pictures` reads in docs/bench.md.

    draw.py FIGURES.json PICTURE.svg [PICTURE.png]

The SVG has its figures in `<metadata>`, which is how lint finds a picture that no longer shows what
the page says.
"""

import json
import sys
import textwrap
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, StrMethodFormatter
from scheme import GROUND, INK, SOFT, save

WIDTH = 760
MARGIN = 16
NAMES = 296  # where the names of contestants end
LEFT = 304  # where bars begin
VALUES = 74  # room for the figure behind a bar
STEP = 17  # from bar to bar
BAR = 12
GAP = 9  # between rows
HEAD = 28  # of a panel
SCALE = 26  # under it
ROW_LETTERS = 24
SEEN = 3  # shorter lines are not drawn

Figures = dict[str, Any]


class Page:
    """A figure that is measured in pixels from its upper left corner."""

    def __init__(self, height: float, contestants: Figures) -> None:
        self.height = height
        self.contestants = contestants
        self.figure = Figure(figsize=(WIDTH / 72, height / 72), dpi=72, facecolor=GROUND[0])

    def text(self, x: float, y: float, text: str, size: float = 12, colour: str = INK[0], **how: Any) -> None:
        """Letters whose middle is at this height."""
        how = {"va": "center_baseline", "fontsize": size, "color": colour, **how}
        self.figure.text(x / WIDTH, 1 - y / self.height, text, **how)

    def axes(self, top: float, height: float, most: float, room: float = VALUES) -> tuple[Axes, float]:
        """Axes whose y are pixels from the top, and how many pixels one unit has."""
        width = WIDTH - LEFT - room
        box = (LEFT / WIDTH, 1 - (top + height) / self.height, width / WIDTH, height / self.height)
        axes = self.figure.add_axes(box, facecolor="none", xlim=(0, most), ylim=(height, 0), yticks=[])
        axes.spines[["top", "right", "bottom"]].set_visible(False)
        axes.spines["left"].set_color(SOFT[0])
        axes.tick_params(axis="x", length=3, color=SOFT[0], labelsize=10, labelcolor=SOFT[0], pad=2)
        axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        return axes, width / most

    def look(self, by: str) -> dict[str, Any]:
        """How a contestant's bars look, in every picture."""
        contestant = self.contestants[by]
        if hatch := contestant.get("hatch"):
            return {"facecolor": GROUND[0], "edgecolor": contestant["light"], "hatch": hatch, "linewidth": 1}
        return {"facecolor": contestant["light"]}

    def key(self, x: float, y: float, by: str, text: str) -> None:
        """What a look means."""
        box = (x / WIDTH, 1 - (y + 5) / self.height)
        self.figure.add_artist(Rectangle(box, 22 / WIDTH, 10 / self.height, **self.look(by)))
        self.text(x + 30, y, text, 11, SOFT[0])


def rates(figures: Figures) -> Figure:
    """A suite: a panel for each way in, with its own scale; in it a group of bars for each row."""
    contestants: Figures = figures["contestants"]
    explained = [(by, each["says"]) for by, each in contestants.items() if "says" in each]
    heights = [sum(map(row_height, panel["rows"])) for panel in figures["panels"]]
    heads = [HEAD if panel["name"] else 6 for panel in figures["panels"]]
    page = Page(84 + sum(heights) + sum(heads) + SCALE * len(heights) + 20 * len(explained), contestants)
    page.text(MARGIN, 24, figures["title"], 15, weight="bold")
    page.text(MARGIN, 46, figures["about"], 12, SOFT[0])
    several = "Each panel has a scale of its own. " if len(heights) > 1 else ""
    spread = "A line at a bar's end goes from the least of the rounds to the greatest."
    page.text(MARGIN, 65, several + spread, 11, SOFT[0])
    top = 78.0
    for panel, head, height in zip(figures["panels"], heads, heights, strict=True):
        page.text(MARGIN, top + 16, panel["name"], 13, weight="bold")
        draw_panel(page, top + head, height, panel["rows"])
        top += head + height + SCALE
    for at, (by, says) in enumerate(explained):
        page.key(MARGIN, top + 8 + 20 * at, by, f"{by}: {says}")
    return page.figure


def row_lines(row: Figures) -> list[str]:
    return textwrap.wrap(row["name"], ROW_LETTERS)


def row_height(row: Figures) -> int:
    return STEP * max(len(row["bars"]), len(row_lines(row))) + GAP


def draw_panel(page: Page, top: float, height: float, rows: list[Figures]) -> None:
    most = max(bar["greatest"] for row in rows for bar in row["bars"])
    axes, unit = page.axes(top, height, most)
    y = GAP / 2
    for row in rows:
        for at, line in enumerate(row_lines(row)):
            page.text(MARGIN, top + y + STEP * (at + 0.5), line)
        for at, bar in enumerate(row["bars"]):
            middle = y + STEP * (at + 0.5)
            axes.barh(middle, bar["median"], BAR, **page.look(bar["by"]))
            page.text(NAMES, top + middle, bar["by"], ha="right")
            end = bar["median"]
            if (bar["greatest"] - bar["least"]) * unit >= SEEN:
                end = bar["greatest"]
                for colour, width in ((GROUND[0], 3.2), (INK[0], 1.2)):  # to be seen on every bar
                    ends = [bar["least"], end], [middle, middle]
                    axes.plot(*ends, color=colour, linewidth=width, solid_capstyle="butt", clip_on=False)
            page.text(LEFT + end * unit + 6, top + middle, bar["label"], 11.5)
        y += row_height(row)


def ratios(figures: Figures) -> Figure:
    """Ours as a multiple of the official packages, one bar each, by language."""
    groups = [(name, list(bars)) for name, bars in groupby(figures["bars"], lambda bar: bar["group"])]
    step, space = 24, 10
    height = sum(step * len(bars) + space for _, bars in groups)
    page = Page(height + 92, figures["contestants"])
    page.text(MARGIN, 24, figures["title"], 15, weight="bold")
    page.text(MARGIN, 46, figures["about"], 12, SOFT[0])
    most = max(bar["ratio"] for bar in figures["bars"])
    axes, unit = page.axes(62, height, most, 190)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}×"))
    y = space / 2
    for name, bars in groups:
        page.text(MARGIN, 62 + y + step / 2, name, 13, weight="bold")
        for bar in bars:
            middle = y + step / 2
            axes.barh(middle, bar["ratio"], 15, **page.look("mcpbolt"))
            page.text(NAMES, 62 + middle, bar["name"], ha="right")
            page.text(LEFT + bar["ratio"] * unit + 7, 62 + middle, bar["label"], 13, weight="bold")
            page.text(LEFT + bar["ratio"] * unit + 52, 62 + middle, bar["says"], 11, SOFT[0])
            y += step
        y += space
    axes.axvline(1, color=INK[0], linewidth=1.2, linestyle=(0, (4, 3)))
    return page.figure


def said(figures: Figures, source: str) -> str:
    """Names, and the figures that lint looks for."""
    about = f"<title>{escape(figures['title'])}</title>\n<desc>{escape(figures['about'])}</desc>"
    return f"{about}\n<metadata>{source}</metadata>"


def main(source: str, picture: str, *others: str) -> None:
    text = Path(source).read_text(encoding="utf-8").strip()
    figures: Figures = json.loads(text)
    figure = {"rates": rates, "ratios": ratios}[figures["kind"]](figures)
    looks = ((each["light"], each["dark"]) for each in figures["contestants"].values())
    save(figure, Path(picture), figures["title"], said(figures, text), (INK, SOFT, GROUND, *looks))
    for other in others:
        figure.savefig(other, dpi=144)


main(*sys.argv[1:])
