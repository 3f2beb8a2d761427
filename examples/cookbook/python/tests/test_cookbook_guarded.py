"""The programs of the cookbook that serve people over HTTP: with tokens, with guard rails, with tasks."""

import asyncio
import gc
import json
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import expenses
import guard_rails
import httpx
import late_report
import pytest
from mcpbolt import Client, types
from mcpbolt.client.streamable_http import streamable_http_client
from mcpbolt.client.tasks import Tasks, task
from mcpbolt.server.fastmcp import FastMCP

# Longest wait for what a test expects, in seconds.
BOUND = 60
URL = "http://127.0.0.1:8000/mcp"
Reach = Callable[..., Any]


def text(result: types.CallToolResult) -> str:
    return result.content[0].text


def over_http(mcp: FastMCP, work: Callable[[Reach], Awaitable[None]]) -> None:
    """Serves, without a socket. `work` gets a function: what a client with a token is made of."""

    async def main() -> None:
        app = mcp.streamable_http_app()

        def reach(token: str = "") -> Any:
            headers = {"authorization": f"Bearer {token}"} if token else {}
            http = httpx.AsyncClient(transport=httpx.ASGITransport(app), headers=headers)
            return streamable_http_client(URL, http_client=http)

        async with mcp.session_manager.run():
            await work(reach)

    asyncio.run(asyncio.wait_for(main(), BOUND))


async def answer(mcp: FastMCP, token: str, tool: str) -> httpx.Response:
    """What HTTP says to a call of a tool without arguments."""
    headers = {
        "accept": "application/json, text/event-stream",
        "authorization": f"Bearer {token}",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": tool,
    }
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": tool, "arguments": {"since": "2026-01-01"}, "_meta": meta}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(mcp.streamable_http_app())) as http:
        return await http.post(URL, json=message, headers=headers)


def test_expenses_are_those_of_the_token_and_a_tool_asks_for_its_scopes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expenses, "folder", tmp_path)
    ann = expenses.issue("ann", ["expenses:read", "expenses:write"])
    bob = expenses.issue("bob", ["expenses:read", "expenses:all"])
    lunch = {"expense": {"day": "2026-05-04", "cents": 1250, "what": "Lunch"}}
    since = {"since": "2026-05-01"}

    async def work(reach: Reach) -> None:
        async with Client(reach(ann)) as client:
            assert text(await client.call_tool("spend", lunch)) == "Noted."
            wrong = await client.call_tool("spend", {"expense": {**lunch["expense"], "cents": 0}})
            assert wrong.isError and "cents" in text(wrong)
            assert (await client.call_tool("my_expenses", since)).structuredContent == {"result": [lunch["expense"]]}
            assert (await client.call_tool("my_expenses", {"since": "2026-06-01"})).structuredContent == {"result": []}
        async with Client(reach(bob)) as client:
            assert (await client.call_tool("my_expenses", since)).structuredContent == {"result": []}
            assert (await client.call_tool("totals", since)).structuredContent == {"ann": 1250}
        refused = await answer(expenses.mcp, ann, "totals")
        assert refused.status_code == 403
        challenge = refused.headers["www-authenticate"]
        assert 'error="insufficient_scope"' in challenge and 'scope="expenses:read expenses:all"' in challenge

    over_http(expenses.mcp, work)
    # Neither token can be read in the folder.
    kept = "".join(path.read_text("utf-8") + path.name for path in tmp_path.rglob("*") if path.is_file())
    assert ann not in kept and bob not in kept


def test_a_token_that_is_over_or_deleted_or_unknown_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expenses, "folder", tmp_path)
    ended = expenses.issue("ann", ["expenses:read"], days=-1)
    narrow = expenses.issue("ann", ["expenses:write"])
    good = expenses.issue("ann", ["expenses:read"])

    async def work(_: Reach) -> None:
        for token, status in ((ended, 401), ("a-guess", 401), (narrow, 403), (good, 200)):
            assert (await answer(expenses.mcp, token, "my_expenses")).status_code == status, status
        (tmp_path / "tokens" / expenses.digest(good)).unlink()
        assert (await answer(expenses.mcp, good, "my_expenses")).status_code == 401

    over_http(expenses.mcp, work)
    for name in ("../ann", "", "Ann Smith"):
        with pytest.raises(ValueError, match="name of a file"):
            expenses.issue(name, [])


CUSTOMER = {"customer": "Ada"}


def test_a_help_desk_shows_and_allows_what_somebody_may_do() -> None:
    async def work(reach: Reach) -> None:
        async with Client(reach("token-of-ann")) as ann:
            assert len((await ann.list_tools()).tools) == 3
            assert text(await ann.call_tool("refund", {"order": "A-17", "cents": 500})) == "500 cents of A-17 go back."
            assert "Garden Road" in text(await ann.call_tool("customer_file", CUSTOMER))
            found = await ann.call_tool("find_orders", CUSTOMER)
            note = {"id": "A-17", "note": "Ada paid with [card]"}
            assert found.structuredContent == {"result": [note]} and "4111" not in text(found)
        async with Client(reach("token-of-bob")) as bob:
            assert [tool.name for tool in (await bob.list_tools()).tools] == ["find_orders", "customer_file"]
            hidden = await bob.call_tool("refund", {"order": "A-17", "cents": 500})
            assert hidden.isError and text(hidden) == "Unknown tool: refund"
            denied = await bob.call_tool("customer_file", CUSTOMER)
            assert denied.isError and "Take the course on privacy first" in text(denied)
        assert (await answer(mcp, "a-guess", "find_orders")).status_code == 401

    mcp = guard_rails.desk(lambda _: None)
    over_http(mcp, work)


def test_the_record_of_a_help_desk_has_every_call_and_no_argument() -> None:
    records: list[dict[str, Any]] = []

    async def work(reach: Reach) -> None:
        async with Client(reach("token-of-bob")) as bob:
            await bob.call_tool("find_orders", {"customer": "Ada Lovelace"})
            await bob.call_tool("customer_file", {"customer": "Ada Lovelace"})
            # Records are written beside the calls: wait until those of both are there.
            while len(calls := [each for each in records if each["method"] == "tools/call"]) < 2:
                await asyncio.sleep(0)
        assert {(call["name"], call["outcome"]) for call in calls} == {
            ("find_orders", "result"),
            ("customer_file", "tool_error"),
        }
        assert all("bob" in call["principal"] for call in calls)
        assert "Lovelace" not in json.dumps(records)

    over_http(guard_rails.desk(records.append), work)


def test_a_help_desk_is_not_overrun(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(reach: Reach) -> None:
        begun: asyncio.Queue[str] = asyncio.Queue()
        go = asyncio.Event()

        async def search(customer: str) -> list[guard_rails.Order]:
            begun.put_nowait(customer)
            await go.wait()
            return []

        monkeypatch.setattr(guard_rails, "search", search)
        async with Client(reach("token-of-ann")) as ann, Client(reach("token-of-bob")) as bob:
            two = [asyncio.create_task(ann.call_tool("find_orders", CUSTOMER)) for _ in range(2)]
            for _ in two:
                await begun.get()
            busy = await bob.call_tool("find_orders", CUSTOMER)
            assert busy.isError and "Too many searches" in text(busy)
            go.set()
            assert not any([(await call).isError for call in two])
            assert not (await ann.call_tool("find_orders", CUSTOMER)).isError
            # That was the third call of ann; bob has calls left.
            fast = await ann.call_tool("find_orders", CUSTOMER)
            assert fast.isError and text(fast).startswith("Rate limit exceeded: try again in ")
            assert not (await bob.call_tool("find_orders", CUSTOMER)).isError

    rule = {"methods": ["tools/call"], "per": "principal", "rate": 0.001, "burst": 3}
    over_http(guard_rails.desk(lambda _: None, rate_limit=[rule]), work)


def test_a_search_that_never_ends_is_given_up_and_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_: str) -> list[guard_rails.Order]:
        return await asyncio.get_running_loop().create_future()

    async def work(reach: Reach) -> None:
        async with Client(reach("token-of-ann")) as ann:
            for _ in range(3):
                late = await ann.call_tool("find_orders", CUSTOMER)
                assert late.isError and text(late) == "Tool find_orders timed out after 0.05 s"

    monkeypatch.setattr(guard_rails, "search", never)
    over_http(guard_rails.desk(lambda _: None, timeout=0.05), work)


def sells(folder: Path) -> None:
    for month, rows in (("2025-01", [("tea", 450), ("cup", 1200)]), ("2025-02", [("tea", 50)])):
        lines = [json.dumps({"customer": customer, "cents": cents}) for customer, cents in rows]
        (folder / f"{month}.jsonl").write_text("\n".join(lines), "utf-8")


def test_a_report_is_written_while_nobody_is_connected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sells(tmp_path)
    begun, go = threading.Event(), threading.Event()
    whole = late_report.read

    def read(month: Path) -> list[tuple[str, int]]:
        begun.set()
        assert go.wait(BOUND)
        return whole(month)

    monkeypatch.setattr(late_report, "read", read)
    receipts: list[str] = []

    async def first(reach: Reach) -> None:
        receipts.append(await late_report.order(reach(), 2025))
        assert await asyncio.to_thread(begun.wait, BOUND)
        assert (await late_report.collect(reach(), receipts[0])).startswith("It is being written since ")
        go.set()
        async with Client(reach(), extensions=[Tasks()]) as client:
            await task(client, receipts[0]).wait()
        report = {"year": 2025, "orders": 3, "cents": {"tea": 500, "cup": 1200}}
        assert json.loads(await late_report.collect(reach(), receipts[0])) == report
        assert (await late_report.collect(reach(), "a-guess")).startswith("Please order it again: ")

    async def after_a_restart(reach: Reach) -> None:
        assert json.loads(await late_report.collect(reach(), receipts[0]))["orders"] == 3

    store = str(tmp_path / "reports.redb")
    over_http(late_report.reports(tmp_path, store), first)
    # The first server is gone, and with it its hold of the file.
    gc.collect()
    over_http(late_report.reports(tmp_path, store), after_a_restart)


def test_clients_without_tasks_wait_for_the_report(tmp_path: Path) -> None:
    sells(tmp_path)

    async def work(reach: Reach) -> None:
        async with Client(reach(), mode="legacy") as client:
            report = await client.call_tool("yearly_report", {"year": 2025})
            assert report.structuredContent is not None and report.structuredContent["orders"] == 3
            none = await client.call_tool("yearly_report", {"year": 1999})
            assert none.isError and "There are no orders of 1999." in text(none)

    over_http(late_report.reports(tmp_path, str(tmp_path / "reports.redb")), work)
