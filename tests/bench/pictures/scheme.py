"""What all pictures of the benchmark share: colours in light and in dark, and what makes of matplotlib's SVG
one that stands on a page. It has a ground of its own; letters and colours follow the reader's scheme, and a
viewer without style sheets shows the light one. The same figures give the same file.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import quoteattr

import matplotlib
from matplotlib.figure import Figure

# In light, and in dark. No contestant's may be among them.
INK = ("#1f2328", "#e6edf3")
SOFT = ("#59636e", "#9aa4af")
GROUND = ("#ffffff", "#0d1117")

matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "mcpbolt", "hatch.linewidth": 1.2})


def save(figure: Figure, path: Path, title: str, said: str, pairs: Iterable[tuple[str, str]]) -> None:
    """Writes an SVG of that name. `said` stands at its beginning, `pairs` are its colours in light and in dark."""
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(path, format="svg", metadata=nothing)
    svg = path.read_text(encoding="utf-8")
    dark = "".join(
        f'[style*="{how}: {light}"]{also} {{ {how}: {other} !important }}\n'
        for light, other in pairs
        for how, also in (("fill", f', [fill="{light}"]'), ("stroke", ""))
    )
    style = f"<style>text {{ white-space: pre }}\n@media (prefers-color-scheme: dark) {{\n{dark}}}</style>"
    svg = svg[svg.index("<svg") :].replace(" \n", "\n")
    svg = re.sub(r'(width|height)="([\d.]+)pt"', r'\1="\2"', svg)
    svg = re.sub(r"font-family: [^;\"]*|(?<=px )'[^\"]*(?=;)", "font-family: system-ui, sans-serif", svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    head, body = svg.split(">", 1)
    head = f"{head} role=\"img\" aria-label={quoteattr(title)}>"
    path.write_text("\n".join((head, said, style + body)), encoding="utf-8")
