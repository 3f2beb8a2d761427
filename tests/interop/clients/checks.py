"""What both Python clients check of an everything-server.

The two lines of the SDK differ in how a client is made and in how fields are
spelled; `field` reads either spelling.
"""

import argparse
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

Check = Callable[[], Awaitable[None]]

asked = {"elicitation": 0, "sampling": 0}
FORM = {"username": "ada", "email": "ada@example.com"}


def arguments() -> argparse.Namespace:
    """`[--era legacy|auto] URL` or `… -- PROGRAM ARGS`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--era", default="legacy")
    parser.add_argument("target", nargs="+")
    found = parser.parse_args()
    found.url = found.target[0] if re.match("https?:", found.target[0]) else None
    return found


def field(item: Any, name: str) -> Any:
    """`name` in camelCase, or in snake_case where the line spells it so."""
    snake = re.sub("([A-Z])", lambda m: "_" + m[1].lower(), name)
    return getattr(item, name) if hasattr(item, name) else getattr(item, snake)


def text_of(result: Any) -> str:
    return "\n".join(getattr(part, "text", "") for part in result.content)


def expect(condition: bool, said: object) -> None:
    if not condition:
        raise AssertionError(said)


def listed(items: list[Any], name: str, wanted: str) -> None:
    expect(any(str(field(item, name)) == wanted for item in items), f"{wanted} is not listed")


def table(client: Any, read: Callable[[str], Awaitable[Any]], prompt_ref: Any, ping: Check | None) -> dict[str, Check]:
    """The checks by name; `read` hides how the two lines take a URI."""

    async def tools() -> None:
        listed((await client.list_tools()).tools, "name", "test_simple_text")

    async def resources() -> None:
        listed((await client.list_resources()).resources, "uri", "test://static-text")

    async def templates() -> None:
        found = field(await client.list_resource_templates(), "resourceTemplates")
        listed(found, "uriTemplate", "test://template/{id}/data")

    async def prompts() -> None:
        listed((await client.list_prompts()).prompts, "name", "test_simple_prompt")

    async def call() -> None:
        expect("simple text" in text_of(await client.call_tool("test_simple_text")), "other text")

    async def progress() -> None:
        seen: list[float] = []

        async def on_progress(done: float, total: float | None, message: str | None) -> None:
            seen.append(done)

        await client.call_tool("test_tool_with_progress", progress_callback=on_progress)
        expect(len(seen) >= 3 and seen == sorted(seen), f"progress was {seen}")

    async def tool_error() -> None:
        expect(field(await client.call_tool("test_error_handling"), "isError") is True, "isError is not set")

    async def elicitation() -> None:
        result = await client.call_tool("test_elicitation", {"message": "Who are you?"})
        said = f"asked {asked['elicitation']} times: {text_of(result)}"
        expect(asked["elicitation"] == 1 and not field(result, "isError"), said)

    async def sampling() -> None:
        result = await client.call_tool("test_sampling", {"prompt": "Say something"})
        expect(asked["sampling"] == 1 and "scripted answer" in text_of(result), text_of(result))

    async def resource() -> None:
        expect(len((await read("test://static-text")).contents[0].text) > 0, "no text")

    async def template() -> None:
        expect("123" in (await read("test://template/123/data")).contents[0].text, "the parameter is not in the text")

    async def prompt() -> None:
        got = await client.get_prompt("test_prompt_with_arguments", {"arg1": "one", "arg2": "two"})
        said = " ".join(message.content.text for message in got.messages)
        expect("one" in said and "two" in said, said)

    async def complete() -> None:
        got = await client.complete(prompt_ref, {"name": "arg1", "value": "test"})
        expect(isinstance(got.completion.values, list), "no values")

    async def unknown() -> None:
        try:
            await read("test://not-there")
        except Exception:  # noqa: BLE001 - which class it is differs between the two lines
            return
        raise AssertionError("it was answered")

    checks: dict[str, Check] = {
        "list tools": tools,
        "list resources": resources,
        "list templates": templates,
        "list prompts": prompts,
        "call a tool": call,
        "progress": progress,
        "tool error": tool_error,
        "elicitation": elicitation,
        "sampling": sampling,
        "read a resource": resource,
        "read a template": template,
        "get a prompt": prompt,
        "complete": complete,
        "unknown resource": unknown,
    }
    return checks if ping is None else {**checks, "ping": ping}


async def run(name: str, transport: str, revision: object, checks: dict[str, Check]) -> int:
    """Runs them one by one and prints one JSON line; the exit code."""
    passed: list[str] = []
    failed: dict[str, str] = {}
    for check, work in checks.items():
        try:
            await work()
            passed.append(check)
        except Exception as error:  # noqa: BLE001 - every failure is reported, none ends the run
            failed[check] = f"{type(error).__name__}: {error}"[:300]
    line = {"client": name, "transport": transport, "revision": revision, "passed": passed, "failed": failed}
    print(json.dumps(line), flush=True)
    return 1 if failed else 0
