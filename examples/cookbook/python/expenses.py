"""Everybody's own expenses, behind tokens that people make for their programs, as at GitHub.

    python expenses.py token ann expenses:read expenses:write  # prints a token, once
    python expenses.py                                         # serves
"""

import hashlib
import json
import os
import re
import secrets
import sys
import time
from datetime import date
from pathlib import Path

from mcpbolt.server.auth.middleware.auth_context import get_access_token
from mcpbolt.server.auth.provider import AccessToken
from mcpbolt.server.auth.settings import AuthSettings
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.fastmcp.exceptions import ToolError
from pydantic import AnyHttpUrl, BaseModel, PositiveInt

URL = os.environ.get("EXPENSES_URL", "http://127.0.0.1:8000/mcp")
folder = Path(os.environ.get("EXPENSES_FOLDER", "expenses"))
DAYS = 90  # A token that is lost and forgotten ends by itself.


class Expense(BaseModel):
    day: date
    cents: PositiveInt
    what: str


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def issue(person: str, scopes: list[str], days: int = DAYS) -> str:
    """Makes a token. Only its digest is kept: who reads the folder cannot sign in."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", person):
        raise ValueError(f"{person!r} cannot be the name of a file")
    token = f"exp_{secrets.token_urlsafe(32)}"
    tokens = folder / "tokens"
    tokens.mkdir(parents=True, exist_ok=True)
    known = {"person": person, "scopes": scopes, "ends": int(time.time()) + days * 24 * 3600}
    (tokens / digest(token)).write_text(json.dumps(known), "utf-8")
    return token


class Tokens:
    async def verify_token(self, token: str) -> AccessToken | None:
        """Looks the token up for each request, so that one whose file is deleted ends at once."""
        try:
            known = json.loads((folder / "tokens" / digest(token)).read_text("utf-8"))
        except FileNotFoundError:
            return None
        # When it ends, and for which server it is, the engine checks.
        person, scopes, ends = known["person"], known["scopes"], known["ends"]
        return AccessToken(token=token, client_id=person, scopes=scopes, expires_at=ends, resource=URL)


mcp = FastMCP(
    "expenses",
    token_verifier=Tokens(),
    auth=AuthSettings(
        issuer_url=AnyHttpUrl("https://intranet.example.com/tokens"),
        resource_server_url=AnyHttpUrl(URL),
        required_scopes=["expenses:read"],  # of every request
        validate_token_resource=True,
    ),
)


def own() -> Path:
    """The file of whoever asks. The name comes from the token, never from the model."""
    token = get_access_token()
    if token is None:
        raise ToolError("Sign in first.")
    return folder / f"{token.client_id}.jsonl"


def read(file: Path) -> list[Expense]:
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [Expense.model_validate_json(line) for line in lines]


@mcp.tool()
def my_expenses(since: date) -> list[Expense]:
    """The expenses of the person who asks."""
    return [expense for expense in read(own()) if expense.day >= since]


@mcp.tool(scopes=["expenses:write"])
def spend(expense: Expense) -> str:
    """Notes an expense of the person who asks."""
    with own().open("a", encoding="utf-8") as file:
        file.write(expense.model_dump_json() + "\n")
    return "Noted."


@mcp.tool(scopes=["expenses:all"])
def totals(since: date) -> dict[str, int]:
    """What everybody has spent, in cents. For the accountants."""
    files = sorted(folder.glob("*.jsonl"))
    return {file.stem: sum(each.cents for each in read(file) if each.day >= since) for file in files}


if __name__ == "__main__":
    if sys.argv[1:2] == ["token"]:
        print(issue(sys.argv[2], sys.argv[3:]))
    else:
        mcp.run(transport="streamable-http")
