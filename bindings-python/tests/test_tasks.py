"""Tasks of 2025-11-25: stores and queues as in the official package, and a client of ours
on an official server.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
from typing import Any

import pytest
from bounds import START, WHOLE
from peer import FOLDER, official, soon

from mcpbolt import ClientSession, McpError, StdioServerParameters, stdio_client, types
from mcpbolt.shared.experimental.tasks.in_memory_task_store import InMemoryTaskStore

official()


async def storing(package: str) -> list[Any]:
    """What a program sees of the store, its import lines changed."""
    tasks = f"{package}.shared.experimental.tasks"
    store = importlib.import_module(f"{tasks}.in_memory_task_store").InMemoryTaskStore(page_size=2)
    helpers = importlib.import_module(f"{tasks}.helpers")
    kinds = importlib.import_module(f"{package}.types")
    errors = importlib.import_module(f"{package}.shared.exceptions")
    seen: list[Any] = []

    def shown(task: Any) -> Any:
        hidden = ("createdAt", "lastUpdatedAt")
        return None if task is None else {k: v for k, v in task.model_dump(mode="json").items() if k not in hidden}

    for name in ("a", "b", "c"):
        seen.append(shown(await store.create_task(kinds.TaskMetadata(ttl=60_000), name)))
    gone = await store.create_task(kinds.TaskMetadata(ttl=0), "gone")
    seen += [gone.taskId, shown(await store.get_task("gone"))]
    page, cursor = await store.list_tasks()
    seen += [[task.taskId for task in page], cursor]
    page, cursor = await store.list_tasks(cursor)
    seen += [[task.taskId for task in page], cursor]
    page[0].status = "failed"  # a copy
    seen.append(shown(await store.get_task("c")))
    waiting = asyncio.ensure_future(store.wait_for_update("a"))
    await asyncio.sleep(0)
    async with helpers.task_execution("a", store) as context:
        await context.update_status("at it")
        seen.append(waiting.done())
        await context.complete(kinds.CallToolResult(content=[]))
    await soon(waiting)
    seen += [shown(await store.get_task("a")), (await store.get_result("a")).model_dump(mode="json")]
    async with helpers.task_execution("b", store):
        raise OSError("the disk is full")
    seen.append(shown(await store.get_task("b")))
    seen.append(shown(await helpers.cancel_task(store, "c")))
    for work in (
        store.update_task("a", status="working"),
        store.update_task("none"),
        store.create_task(kinds.TaskMetadata(), "a"),
        store.list_tasks("none"),
        helpers.cancel_task(store, "c"),
        helpers.cancel_task(store, "none"),
    ):
        try:
            await work
        except (ValueError, errors.McpError) as error:
            seen.append(str(error))
    seen += [await store.delete_task("a"), await store.delete_task("a")]
    return seen


def test_a_store_is_the_same_in_either_package() -> None:
    theirs, ours = asyncio.run(storing("mcp")), asyncio.run(storing("mcpbolt"))
    assert len(theirs) > 20
    assert ours == theirs


async def queueing(package: str) -> list[Any]:
    tasks = f"{package}.shared.experimental.tasks"
    module = importlib.import_module(f"{tasks}.message_queue")
    resolver: Any = importlib.import_module(f"{tasks}.resolver").Resolver()
    kinds = importlib.import_module(f"{package}.types")
    queue = module.InMemoryTaskMessageQueue()
    seen: list[Any] = [await queue.is_empty("t"), await queue.peek("t"), await queue.dequeue("t")]
    waiting = asyncio.ensure_future(queue.wait_for_message("t"))
    await asyncio.sleep(0)
    for number in (1, 2):
        request = kinds.JSONRPCRequest(jsonrpc="2.0", id=number, method="ping")
        await queue.enqueue("t", module.QueuedMessage(type="request", message=request, resolver=resolver))
    await soon(waiting)
    seen += [(await queue.peek("t")).message.id, (await queue.dequeue("t")).message.id]
    seen.append([message.message.id for message in await queue.clear("t")])
    resolver.set_result({"a": 1})
    seen += [resolver.done(), await resolver.wait()]
    try:
        resolver.set_exception(OSError())
    except RuntimeError as error:
        seen.append(str(error))
    return seen


def test_a_queue_is_the_same_in_either_package() -> None:
    assert asyncio.run(queueing("mcpbolt")) == asyncio.run(queueing("mcp"))


def test_whoever_waits_for_a_task_that_is_deleted_wakes_up() -> None:
    async def test() -> None:
        store = InMemoryTaskStore()
        await store.create_task(types.TaskMetadata(), "t")
        waiting = [asyncio.ensure_future(store.wait_for_update("t")) for _ in range(2)]
        await asyncio.sleep(0)
        await store.delete_task("t")
        await soon(asyncio.gather(*waiting))

    asyncio.run(test())


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore:The experimental tasks API is deprecated")
def test_a_client_starts_watches_and_fetches_a_task_of_an_official_server() -> None:
    parameters = StdioServerParameters(command=sys.executable, args=[str(FOLDER / "official_tasks.py")])

    async def test() -> None:
        async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
            await soon(session.initialize(), START)
            tasks = session.experimental
            created = await soon(tasks.call_tool_as_task("work", {"what": "it"}))
            name = created.task.taskId
            seen = [task async for task in tasks.poll_task(name)]
            assert (seen[-1].status, seen[-1].taskId) == ("completed", name)
            result = await soon(tasks.get_task_result(name, types.CallToolResult))
            assert result.content[0].text == "did it"  # pyright: ignore
            assert [task.taskId for task in (await soon(tasks.list_tasks())).tasks] == [name]
            other = (await soon(tasks.call_tool_as_task("work", {"long": True}))).task.taskId
            assert (await soon(tasks.cancel_task(other))).status == "cancelled"
            with pytest.raises(McpError) as missing:
                await soon(tasks.get_task("nobody"))
            assert missing.value.error.code == -32602

    asyncio.run(asyncio.wait_for(test(), WHOLE))
