"""Tests of a server, with a client in the same process: no socket, no child, no waiting."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import database
import pytest
from mcpbolt import Client

Work = Callable[[Client], Awaitable[None]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Work], None]:
    """Does something with a client of the server, which has a database of its own."""
    monkeypatch.setattr(database, "database", tmp_path / "shop.db")
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.execute("CREATE TABLE products (name TEXT, price REAL)")
        connection.executemany("INSERT INTO products VALUES (?, ?)", [("tea", 4.5), ("cup", 12.0)])
    connection.close()

    async def with_client(work: Work) -> None:
        async with Client(database.mcp) as client:
            await work(client)

    return lambda work: asyncio.run(asyncio.wait_for(with_client(work), 60))


def test_a_query_returns_rows(ask: Callable[[Work], None]) -> None:
    async def work(client: Client) -> None:
        arguments: dict[str, Any] = {"sql": "SELECT name FROM products WHERE price < ?", "parameters": [10]}
        result = await client.call_tool("query", arguments)
        assert result.structuredContent == {"columns": ["name"], "rows": [["tea"]], "more": False}

    ask(work)


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("DELETE FROM products", "attempt to write a readonly database"),
        ("SELECT nam FROM products", "no such column: nam"),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n", "interrupted"),
    ],
)
def test_what_cannot_be_done_is_told_to_the_model(ask: Callable[[Work], None], sql: str, words: str) -> None:
    async def work(client: Client) -> None:
        result = await client.call_tool("query", {"sql": sql})
        assert result.isError and words in result.content[0].text

    ask(work)


def test_the_tables_can_be_read(ask: Callable[[Work], None]) -> None:
    async def work(client: Client) -> None:
        read = await client.read_resource("schema://tables")
        assert read.contents[0].text.startswith("CREATE TABLE products")

    ask(work)
