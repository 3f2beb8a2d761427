"""What clients print of what they saw, and what they are told on the command line."""

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

SECONDS = 140


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if hasattr(value, "model_dump"):
        return plain(value.model_dump(mode="json", by_alias=True, exclude_none=True))
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else repr(value)


async def outcome(work: Awaitable[Any]) -> Any:
    """What came of something, errors included."""
    try:
        return plain(await work)
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}


def show(client: Callable[[argparse.Namespace], Awaitable[dict[str, Any]]]) -> None:
    """Run `client` with `--era ERA (URL | -- COMMAND…)`, and print what it returns."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--era", default="legacy")
    parser.add_argument("target", nargs="+")
    options = parser.parse_args()
    options.url = options.target[0] if options.target[0].startswith("http") else None
    print(json.dumps(asyncio.run(asyncio.wait_for(client(options), SECONDS))))
