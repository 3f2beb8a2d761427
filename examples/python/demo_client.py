"""Takes the steps of `cargo xtask demo` with a notes server, and prints how each went: a
line per step, its parts separated by tabs; then how many milliseconds a call takes.

Shows: what a client can do with a server, in either era, with the same code.

    python examples/python/demo_client.py --folder ./notes -- python examples/python/notes_server.py ./notes
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from common import client_arguments, fill_in, target, text_of
from mcpbolt import Client, McpError
from mcpbolt.types import (
    CallToolResult,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    Implementation,
    ListRootsResult,
    PromptReference,
    ResourceUpdatedNotification,
    Root,
    ServerNotification,
    TextContent,
    TextResourceContents,
)
from pydantic import AnyUrl, FileUrl

# The note the steps work on, and its text.
NOTE = "demo.txt"
URI = "note:///demo.txt"
TEXT = "Buy green tea."
# Seconds: longest wait for a notification.
SOON = 10
# How many calls are timed.
CALLS = 20
# What a server answers for a resource it does not have, and for params that make no sense.
NOT_THERE = (-32002, -32602)


class Unexpected(Exception):
    """A step does not hold; says what was seen."""


def holds(condition: bool, seen: str) -> str:
    """What was seen, if the condition holds."""
    if not condition:
        raise Unexpected(f"unexpected: {seen}")
    return seen


class Visit:
    """One connection, and what the client answers on it."""

    def __init__(self, server: Any, mode: str, revision: str | None, folder: Path) -> None:
        self.folder = folder.resolve()
        self.revision = revision
        self.updates: asyncio.Queue[AnyUrl] = asyncio.Queue()
        self.client = Client(
            server,
            mode=mode,
            client_info=Implementation(name="mcpbolt-demo-python", version="1.0.0"),
            elicitation_callback=self.elicit,
            sampling_callback=self.sample,
            list_roots_callback=self.list_roots,
            message_handler=self.hear,
        )

    async def elicit(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
        form = isinstance(params, ElicitRequestFormParams)
        return ElicitResult(action="accept", content=fill_in(params.requestedSchema) if form else None)

    async def sample(self, context: Any, params: CreateMessageRequestParams) -> CreateMessageResult:
        said = TextContent(type="text", text=f"In short: {text_of(params.messages[0].content_as_list)}")
        return CreateMessageResult(role="assistant", model="scripted", content=said)

    async def list_roots(self, context: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl(self.folder.as_uri()), name="notes")])

    async def hear(self, message: Any) -> None:
        if isinstance(message, ServerNotification) and isinstance(message.root, ResourceUpdatedNotification):
            self.updates.put_nowait(message.root.params.uri)

    async def words(self, tool: str, **arguments: Any) -> str:
        """The words of an answer that must not be a failure."""
        result: CallToolResult = await self.client.call_tool(tool, arguments)
        return holds(not result.isError, text_of(result.content))

    # The steps

    async def greet(self) -> str:
        client = self.client
        name = client.server_info.name if client.server_info else ""
        expected = self.revision in (None, client.protocol_version)
        return holds(name == "mcpbolt-notes" and expected, f"{name}, revision {client.protocol_version}")

    async def tools(self) -> str:
        names = [tool.name for tool in (await self.client.list_tools()).tools]
        return holds("write_note" in names and len(names) == 7, ", ".join(names))

    async def write(self) -> str:
        words = await self.words("write_note", name=NOTE, text=TEXT)
        return holds(words == "Wrote a new note.", words)

    async def structured(self) -> str:
        result = await self.client.call_tool("list_notes")
        return holds(result.structuredContent == {"notes": [NOTE]}, str(result.structuredContent))

    async def read(self) -> str:
        listed = (await self.client.list_resources()).resources
        holds(URI in [str(resource.uri) for resource in listed], f"{URI} is not listed")
        contents = (await self.client.read_resource(URI)).contents[0]
        text = contents.text if isinstance(contents, TextResourceContents) else ""
        return holds(text == TEXT, f"{URI}: {text}")

    async def subscribe(self) -> str:
        await self.client.subscribe_resource(URI)
        await self.words("write_note", name=NOTE, text=TEXT)
        uri = await asyncio.wait_for(self.updates.get(), SOON)
        await self.client.unsubscribe_resource(URI)
        return holds(str(uri) == URI, f"{uri} changed")

    async def progress(self) -> str:
        seen: list[float] = []

        async def report(progress: float, total: float | None, message: str | None) -> None:
            seen.append(progress)

        result = await self.client.call_tool("search_notes", {"query": "TEA"}, progress_callback=report)
        words = text_of(result.content)
        return holds(seen == [1] and NOTE in words, f"{len(seen)} report, then {words}")

    async def prompt(self) -> str:
        messages = (await self.client.get_prompt("improve_note", {"name": NOTE, "tone": "formal"})).messages
        first = text_of([messages[0].content])
        return holds(len(messages) == 2 and "formal" in first, first)

    async def complete(self) -> str:
        reference = PromptReference(type="ref/prompt", name="improve_note")
        values = (await self.client.complete(reference, {"name": "name", "value": "de"})).completion.values
        return holds(values == [NOTE], f"de → {', '.join(values)}")

    async def summarize(self) -> str:
        words = await self.words("summarize_note", name=NOTE)
        return holds(words == f"In short: {TEXT}", words)

    async def roots(self) -> str:
        words = await self.words("check_roots")
        return holds(str(self.folder) in words, words)

    async def refuse(self) -> str:
        result = await self.client.call_tool("read_note", {"name": "../secret"})
        words = text_of(result.content)
        holds(result.isError, f"it was read: {words}")
        try:
            await self.client.read_resource("note:///..%2Fsecret")
        except McpError as error:
            return holds(error.code in NOT_THERE, words)
        raise Unexpected("a resource outside the folder was read")

    async def unknown(self) -> str:
        try:
            await self.client.call_tool("no_such_tool")
        except McpError as error:
            return holds(error.code == -32602, str(error))
        raise Unexpected("it was called")

    async def delete(self) -> str:
        words = await self.words("delete_note", name=NOTE)
        return holds(words == f"Deleted {NOTE}.", words)


STEPS: dict[str, Callable[[Visit], Awaitable[str]]] = {
    "who is there": Visit.greet,
    "list the tools": Visit.tools,
    "write a note": Visit.write,
    "structured answer": Visit.structured,
    "list and read resources": Visit.read,
    "subscribe and be told": Visit.subscribe,
    "progress": Visit.progress,
    "prompt": Visit.prompt,
    "completion": Visit.complete,
    "sampling": Visit.summarize,
    "roots": Visit.roots,
    "refuse other folders": Visit.refuse,
    "refuse unknown tools": Visit.unknown,
    "elicitation": Visit.delete,
}


async def timed(visit: Visit) -> float:
    """Milliseconds that a call takes."""
    begun = perf_counter()
    await visit.words("list_notes")
    return (perf_counter() - begun) * 1000


async def main(visit: Visit) -> bool:
    all_hold = True
    async with visit.client:
        for name, step in STEPS.items():
            try:
                verdict, said = "ok", await step(visit)
            except (Unexpected, McpError, TimeoutError) as error:
                verdict, said, all_hold = "FAILED", str(error) or type(error).__name__, False
            print(verdict, name, " ".join(said.split()), sep="\t", flush=True)
        print("call", f"{median([await timed(visit) for _ in range(CALLS)]):.3f}", sep="\t", flush=True)
    return all_hold


if __name__ == "__main__":
    parser = client_arguments(__doc__)
    parser.add_argument("--mode", default="auto", help="auto, legacy or a revision")
    parser.add_argument("--revision", help="what the server is expected to speak")
    parser.add_argument("--folder", type=Path, default=Path("notes"), help="where the server's notes are")
    given = parser.parse_args()
    sys.exit(0 if asyncio.run(main(Visit(target(given.server), given.mode, given.revision, given.folder))) else 1)
