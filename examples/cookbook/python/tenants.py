"""Notes of many tenants on one HTTP endpoint: a token says whose they are."""

import hashlib
import os
from collections import defaultdict

from mcpbolt.server.auth.middleware.auth_context import get_access_token
from mcpbolt.server.auth.provider import AccessToken
from mcpbolt.server.auth.settings import AuthSettings
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.fastmcp.exceptions import ToolError
from mcpbolt.server.guarding import Action, Asker, Verdict
from pydantic import AnyHttpUrl

URL = os.environ.get("NOTES_URL", "http://127.0.0.1:8000/mcp")


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# Whose token it is, and what it may do. Only digests are kept: who reads this table cannot sign in.
TOKENS = {
    digest("token-of-ann"): ("ann", ["notes:read", "notes:write"]),
    digest("token-of-bob"): ("bob", ["notes:read"]),
}


class Tokens:
    """Knows the tokens of the table. Write yours to look into a database."""

    async def verify_token(self, token: str) -> AccessToken | None:
        known = TOKENS.get(digest(token))
        if known is None:
            return None
        tenant, scopes = known
        return AccessToken(token=token, client_id=tenant, subject=tenant, scopes=scopes, resource=URL)


def authorize(asker: Asker, action: Action) -> Verdict:
    """Asked before each call and for each entry of a list: who may not write does not see the tool."""
    token = get_access_token()
    if action.thing == "tool" and action.name == "write":
        return "allow" if token and "notes:write" in token.scopes else "hide"
    return "allow"


mcp = FastMCP(
    "notes",
    token_verifier=Tokens(),
    auth=AuthSettings(
        issuer_url=AnyHttpUrl("https://login.example.com"),
        resource_server_url=AnyHttpUrl(URL),
        required_scopes=["notes:read"],
        validate_token_resource=True,
    ),
    authorize=authorize,
    # Of each tenant: twenty requests a second, forty at once.
    options={"rate_limit": [{"methods": ["*"], "per": "principal", "rate": 20, "burst": 40}]},
)
notes: defaultdict[str, dict[str, str]] = defaultdict(dict)


def tenant() -> str:
    """Who asks. Never an argument of a tool: a model can be talked into passing another one."""
    token = get_access_token()
    if token is None:
        raise ToolError("Sign in first.")
    return token.client_id


@mcp.tool()
def write(name: str, text: str) -> str:
    """Writes a note."""
    notes[tenant()][name] = text
    return f"Written. There are {len(notes[tenant()])} notes."


@mcp.tool()
def read(name: str) -> str:
    """Reads a note."""
    try:
        return notes[tenant()][name]
    except KeyError:
        raise ToolError(f"There is no note {name}.") from None


if __name__ == "__main__":
    mcp.run(transport="streamable-http")
