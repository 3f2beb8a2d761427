"""A host: several servers from an `mcpServers` file, their tools in one list, a scripted
model that uses them, and a person who is asked before anything changes.

Shows: the merged registry of tools, review of tool calls, answering a server's questions
on the terminal.

    python examples/python/host.py examples/python/host.json
"""

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from common import fill_in, text_of
from mcpbolt import Client, Host
from mcpbolt.types import (
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    ErrorData,
    Implementation,
    TextContent,
)

# What the client answers for a person who said no.
REJECTED = -1


class Terminal:
    """The person at the terminal: one question at a time."""

    def __init__(self, yes: bool) -> None:
        self._yes = yes
        self._turn = asyncio.Lock()

    async def agrees(self, question: str) -> bool:
        """Whether the person agrees. The end of the input is a no."""
        # What a server says must not steer the terminal.
        shown = "".join(c if c.isprintable() else " " for c in question)[:400] + " [y/N] "
        async with self._turn:
            if self._yes:
                print(f"{shown}y")
                return True
            print(shown, end="", flush=True)
            line = await asyncio.to_thread(sys.stdin.readline)
            return line.strip() in ("y", "Y", "yes")


class ScriptedModel:
    """A model without a model: a fixed plan that uses whichever of its tools are there."""

    def __init__(self, place: tuple[float, float]) -> None:
        self._place = place
        self._step = 0
        self._heard: list[str] = []

    def turn(self, tools: set[str], heard: str | None) -> tuple[str, dict[str, Any]] | str:
        """The next call, after hearing what the last one brought; or the last words."""
        if heard is not None:
            self._heard.append(heard)
        while (step := self._plan()) is not None:
            self._step += 1
            if step[0] in tools:
                return step
        if not self._heard:
            return "None of my tools is there."
        return f"After {len(self._heard)} calls I know: {self._heard[-1]}"

    def _plan(self) -> tuple[str, dict[str, Any]] | None:
        latitude, longitude = self._place
        weather = self._heard[0].splitlines()[0] if self._heard else "unknown"
        plan: list[tuple[str, dict[str, Any]]] = [
            ("get_forecast", {"latitude": latitude, "longitude": longitude}),
            ("write_note", {"name": "weather.txt", "text": weather}),
            ("summarize_note", {"name": "weather.txt"}),
        ]
        return plan[self._step] if self._step < len(plan) else None


def answer(client: Client, terminal: Terminal) -> None:
    """What is answered when a server asks: what the person says."""

    async def elicit(context: Any, params: ElicitRequestParams) -> ElicitResult:
        if not await terminal.agrees(params.message):
            return ElicitResult(action="decline")
        form = isinstance(params, ElicitRequestFormParams)
        return ElicitResult(action="accept", content=fill_in(params.requestedSchema) if form else None)

    async def sample(context: Any, params: CreateMessageRequestParams) -> CreateMessageResult | ErrorData:
        text = text_of(params.messages[-1].content_as_list)
        if not await terminal.agrees(f"Let a server ask the model about {text!r}?"):
            return ErrorData(code=REJECTED, message="the person said no")
        said = TextContent(type="text", text=f"In short: {text}")
        return CreateMessageResult(role="assistant", model="scripted", content=said)

    client.elicitation_callback, client.sampling_callback = elicit, sample


async def call(host: Host, terminal: Terminal, name: str, arguments: dict[str, Any]) -> str:
    """Call a tool, if the person allows it. The servers of the file are the person's own:
    their read-only hints count.
    """
    found = host.find(name)
    hints = found.tool.annotations if found else None
    if not (hints and hints.readOnlyHint) and not await terminal.agrees(f"Allow {name} {json.dumps(arguments)}?"):
        # The model learns that the person said no.
        return "the person said no"
    return text_of((await host.call_tool(name, arguments)).content)


async def main(config: Path, place: tuple[float, float], yes: bool) -> None:
    terminal = Terminal(yes)
    host = Host.from_file(
        config,
        client_info=Implementation(name="mcpbolt-host", version="1.0.0"),
        prepare=lambda client, server: answer(client, terminal),
    )
    async with host:
        for server, error in host.failures.items():
            print(f"{server} is left out: {error}", file=sys.stderr)
        for tool in host.tools:
            print(f"{tool.server:<10} {tool.name:<18} {(tool.tool.description or '').partition(chr(10))[0]}")
        model = ScriptedModel(place)
        heard: str | None = None
        # The loop of every host: the model says what it wants, the host does it and reports.
        while isinstance(turn := model.turn({tool.name for tool in host.tools}, heard), tuple):
            name, arguments = turn
            print(f"\nmodel: call {name} {json.dumps(arguments)}")
            heard = await call(host, terminal, name, arguments)
            print(f"{name}: {heard}")
        print(f"\nmodel: {turn}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path, help="a file with an mcpServers object")
    parser.add_argument("--place", nargs=2, type=float, default=(38.58, -121.49), metavar=("LATITUDE", "LONGITUDE"))
    parser.add_argument("--yes", action="store_true", help="answer yes to every question")
    given = parser.parse_args()
    asyncio.run(main(given.config, tuple(given.place), given.yes))
