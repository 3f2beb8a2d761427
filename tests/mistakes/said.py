"""What a program printed, without what differs from one machine or build to another.

Owns: which parts of a text stay. Frames of the user's own program do; frames of libraries
become one line however many they are, and so do all frames in Node.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
FRAMES = "    (frames of libraries)"

WORDS: list[tuple[str, str]] = [
    (r"\x1b\[[0-9;?]*[A-Za-z]", ""),
    (r"file://", ""),
    (re.escape(sys.executable), "python"),
    (re.escape(str(HERE / "programs")) + r"/(python|node)/", ""),
    (re.escape(str(TOP / "bindings-python/python")) + "/", "<package>/"),
    (re.escape(str(TOP / "bindings-node/dist")) + "/", "<package>/"),
    (re.escape(str(TOP)) + "/", "<checkout>/"),
    (r"(127\.0\.0\.1|localhost|\[::1\])(:|', |\", )\d{2,5}\b", r"\1\2PORT"),
    (r"\bport \d{4,5}\b", "port PORT"),
    (r"at 0x[0-9a-f]+", "at ADDRESS"),
    (r"(<(?:package|checkout)>/\S+\.(?:py|js|mjs|rs)):\d+(:\d+)?", r"\1:LINE"),
    (r"(pydantic\.dev)/[\d.]+", r"\1/VERSION"),
    (r"\(id [0-9a-f]{16}\)", "(id ID)"),
    (r"\b(pid|process) \d+", r"\1 PID"),
    (r"(\.rs):\d+:\d+", r"\1:LINE"),
    (r"thread '([^']*)' \(\d+\)", r"thread '\1'"),
    (r"\b\d\d\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?", "TIME"),
    (r"\bNode\.js v[\d.]+", "Node.js VERSION"),
]
PYTHON_FRAME = re.compile(r'^(?P<bar>[ |]*)File "(?P<file>[^"]+)", line \d+')
# All of them: which ones there are depends on what an await had to wait for.
NODE_FRAME = re.compile(r"^\s+(at .*(:\d+|:LINE|<anonymous>|native)\)?( \{)?|\.\.\. \d+ lines matching cause.*)$")
# Where Node threw: a place, the line there, and a mark below it.
NODE_PLACE = re.compile(r"^(node:|<package>)\S*:(\d+|LINE)$")


def normal(text: str) -> list[str]:
    """Its lines."""
    for pattern, instead in WORDS:
        text = re.sub(pattern, instead, text)
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    lines = node_frames(python_frames([line for line in lines if line]))
    return [line for line in lines if not re.fullmatch(r"[ |]*[~^]+", line)]


def python_frames(lines: list[str]) -> list[str]:
    """Frames with what stands below them: the line of the program, and marks."""
    kept: list[str] = []
    at = 0
    while at < len(lines):
        frame = PYTHON_FRAME.match(lines[at])
        if not frame:
            kept.append(lines[at])
            at += 1
            continue
        below = at + 1
        while below < len(lines) and lines[below].startswith(frame["bar"] + "  "):
            below += 1
        if "/" in frame["file"] or frame["file"].startswith("<"):
            add(kept, frame["bar"].replace("  ", "", 1) + FRAMES.lstrip() if "|" in frame["bar"] else FRAMES)
        else:
            kept.extend(lines[at:below])
        at = below
    return kept


def node_frames(lines: list[str]) -> list[str]:
    """One line for all frames, and for the place where a library threw."""
    kept: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if NODE_PLACE.match(line):
            # The source line and the mark, which may be missing.
            marks = [below for below in range(at + 1, min(at + 4, len(lines))) if re.fullmatch(r"\s*\^+", lines[below])]
            at = marks[0] + 1 if marks else at + 1
            add(kept, FRAMES)
            continue
        frame = NODE_FRAME.match(line)
        tail = " {" if line.endswith("{") else ""
        if frame:
            add(kept, FRAMES)
            if tail:
                kept.append(tail)
        else:
            kept.append(line)
        at += 1
    return kept


def add(kept: list[str], line: str) -> None:
    if not kept or kept[-1] != line:
        kept.append(line)
