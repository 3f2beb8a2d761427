"""The same program with the official client and with ours, against one server."""

from __future__ import annotations

import importlib
from datetime import timedelta
from typing import Any

import anyio
import pytest
from bounds import START
from peer import legacy_command, official, soon

official()


def dump(model: Any) -> Any:
    return model.model_dump(by_alias=True, mode="json")


async def program(package: str) -> list[Any]:
    """What a program sees that is written for either, its import line changed."""
    session = importlib.import_module(f"{package}.client.session")
    stdio = importlib.import_module(f"{package}.client.stdio")
    types = importlib.import_module(f"{package}.types")
    errors = importlib.import_module(f"{package}.shared.exceptions")
    seen: list[Any] = []

    async def log(params: Any) -> None:
        seen.append(("log", dump(params)))

    async def handler(message: Any) -> None:
        # Theirs carries the envelope's member along.
        shown = {name: value for name, value in dump(message).items() if name != "jsonrpc"}
        seen.append(("message", type(message).__name__, shown))

    async def elicit(context: Any, params: Any) -> Any:
        seen.append(("elicit", context.request_id is not None, dump(params)))
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async def progress(*report: Any) -> None:
        seen.append(("progress", report))

    parameters = stdio.StdioServerParameters(**legacy_command().model_dump())
    async with stdio.stdio_client(parameters) as (read, write):
        async with session.ClientSession(
            read, write, logging_callback=log, message_handler=handler, elicitation_callback=elicit
        ) as opened:
            seen.append(dump(await soon(opened.initialize(), START)))
            seen.append(dump(opened.get_server_capabilities()))
            for verb in ("list_tools", "list_resources", "list_resource_templates", "list_prompts"):
                seen.append(dump(await soon(getattr(opened, verb)())))
            for name, arguments in (
                ("echo", {"text": "x"}),
                ("add", {"a": 1, "b": 2}),
                ("add", {"a": "one"}),
                ("fail", None),
                ("nowhere", {}),
                ("log", {"text": "careful"}),
                ("ask", None),
                ("changed", {}),
            ):
                seen.append(dump(await soon(opened.call_tool(name, arguments, meta={"x/y": 1}))))
            seen.append(dump(await soon(opened.call_tool("cancellations"))))
            await soon(opened.call_tool("add", {"a": 1, "b": 1}, progress_callback=progress))
            for uri in ("note://today", "note://a/text", "note://nowhere"):
                try:
                    seen.append(dump(await soon(opened.read_resource(types.AnyUrl(uri)))))
                except errors.McpError as error:
                    seen.append((str(error), dump(error.error)))
            try:
                await soon(opened.call_tool("hang", {"name": "x"}, timedelta(seconds=0.05)))
            except errors.McpError as error:
                seen.append((str(error), dump(error.error)))
    return seen


# The official client leaves ends of its streams to the collector.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_program_sees_the_same_with_either_client() -> None:
    theirs, ours = anyio.run(program, "mcp"), anyio.run(program, "mcpbolt")
    assert len(theirs) > 20
    # The log message of the call that hangs may come after it was given up.
    theirs, ours = ([item for item in seen if "hanging" not in str(item)] for seen in (theirs, ours))
    assert ours == theirs
