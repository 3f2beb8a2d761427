"""A SQLite database that a model may read and cannot change."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.fastmcp.exceptions import ToolError
from mcpbolt.types import ToolAnnotations
from pydantic import BaseModel

MAX_ROWS = 200
# A query that is still running after so many steps of SQLite's machine is stopped.
MAX_STEPS = 5_000_000

mcp = FastMCP("shop", instructions="Read schema://tables before you write a query.")
database = Path("shop.db")


class Rows(BaseModel):
    columns: list[str]
    rows: list[list[Any]]
    more: bool
    """Whether there were more rows than were returned."""


def connect() -> sqlite3.Connection:
    """A connection that cannot write: SQLite itself refuses it."""
    connection = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    steps = iter(range(MAX_STEPS // 1000))
    connection.set_progress_handler(lambda: next(steps, None) is None, 1000)
    return connection


@mcp.resource("schema://tables", mime_type="application/sql")
def schema() -> str:
    """The statements that made the tables."""
    with closing(connect()) as connection:
        made = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
        return ";\n".join(sql for (sql,) in made)


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True, openWorldHint=False))
def query(sql: str, parameters: list[str | float | None] | None = None) -> Rows:
    """Runs one SELECT and returns at most 200 rows.

    Put values into `parameters` and a `?` into the statement for each:
    `SELECT name FROM products WHERE price < ?` with `[10]`.
    """
    try:
        with closing(connect()) as connection:
            found = connection.execute(sql, parameters or [])
            rows = found.fetchmany(MAX_ROWS + 1)
            columns = [name for name, *_ in found.description or ()]
    except sqlite3.Error as error:
        # The model reads this, mends its statement and tries again.
        raise ToolError(f"SQLite says: {error}") from error
    return Rows(columns=columns, rows=[list(row) for row in rows[:MAX_ROWS]], more=len(rows) > MAX_ROWS)


if __name__ == "__main__":
    database = Path(sys.argv[1])
    mcp.run()
