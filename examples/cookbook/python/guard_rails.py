"""A help desk with guard rails: who may do what, how often, how long, how many at once, and a record."""

import asyncio
import hashlib
import os
import re
from typing import Any

from mcpbolt.server.auth.middleware.auth_context import get_access_token
from mcpbolt.server.auth.provider import AccessToken
from mcpbolt.server.auth.settings import AuthSettings
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.fastmcp.exceptions import ToolError
from mcpbolt.server.guarding import Action, Asker, Audit, Verdict
from pydantic import AnyHttpUrl, BaseModel

URL = os.environ.get("DESK_URL", "http://127.0.0.1:8000/mcp")
CARD = re.compile(r"\b\d(?:[ -]?\d){12,18}\b")

# Digests of tokens, and what people may do. Yours are in a database.
PEOPLE = {hashlib.sha256(f"token-of-{name}".encode()).hexdigest(): name for name in ("ann", "bob")}
GROUPS = {"ann": {"lead", "privacy"}, "bob": {"desk"}}

RAILS: dict[str, Any] = {
    # Of each person two calls in a second, ten at once; of each tool twenty, whoever calls it.
    "rate_limit": [
        {"methods": ["tools/call"], "per": "principal", "rate": 2, "burst": 10},
        {"methods": ["tools/call"], "per": "tool", "rate": 20, "burst": 40},
    ],
    "timeout": 30,  # seconds; the function is cancelled
    "max_concurrency": 50,  # of all calls
}


class Tokens:
    async def verify_token(self, token: str) -> AccessToken | None:
        person = PEOPLE.get(hashlib.sha256(token.encode()).hexdigest())
        return AccessToken(token=token, client_id=person, scopes=[], resource=URL) if person else None


def authorize(_: Asker, action: Action) -> Verdict:
    """Asked before each call and for each entry of a list. If it raises, nothing is let through."""
    token = get_access_token()
    groups = GROUPS.get(token.client_id, set()) if token else set[str]()
    if action.name == "refund" and "lead" not in groups:
        return "hide"  # a model does not talk about what it has never seen
    if action.name == "customer_file" and "privacy" not in groups:
        return {"deny": "Take the course on privacy first; your lead can register you."}
    return "allow"


def blot(value: Any) -> Any:
    """The same without numbers of cards, wherever they stand."""
    match value:
        case str():
            return CARD.sub("[card]", value)
        case list():
            return [blot(each) for each in value]
        case dict():
            return {key: blot(each) for key, each in value.items()}
    return value


class Order(BaseModel):
    id: str
    note: str


async def search(customer: str) -> list[Order]:
    """Stands in for the old system, which takes its time and bears two searches."""
    await asyncio.sleep(0)
    return [Order(id="A-17", note=f"{customer} paid with 4111 1111 1111 1111")]


def desk(audit: Audit = "audit.jsonl", **rails: Any) -> FastMCP:
    """The server. `audit` gets who, what, when and how it ended; of the arguments a digest."""
    mcp = FastMCP(
        "help desk",
        token_verifier=Tokens(),
        auth=AuthSettings(
            issuer_url=AnyHttpUrl("https://login.example.com"),
            resource_server_url=AnyHttpUrl(URL),
            validate_token_resource=True,
        ),
        authorize=authorize,
        audit=audit,
        sanitize_result=lambda _method, _name, result: blot(result),
        error_detail="masked",  # what goes wrong inside is in the log, under the id that the client sees
        options={**RAILS, **rails},
    )

    searching = asyncio.Semaphore(2)

    @mcp.tool()
    async def find_orders(customer: str) -> list[Order]:
        """The orders of a customer."""
        if searching.locked():  # come back, instead of waiting in a line of unknown length
            raise ToolError("Too many searches are running. Try again in ten seconds.")
        async with searching:
            return await search(customer)

    @mcp.tool()
    async def customer_file(customer: str) -> str:
        """Address and birthday of a customer."""
        return f"{customer}, 12 Garden Road, 1 May"

    @mcp.tool()
    async def refund(order: str, cents: int) -> str:
        """Pays money back."""
        return f"{cents} cents of {order} go back."

    return mcp


if __name__ == "__main__":
    desk().run(transport="streamable-http")
