"""The issues of a repository, by a REST API in the manner of GitHub's."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

import httpx
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.fastmcp.exceptions import ToolError
from mcpbolt.types import ToolAnnotations
from pydantic import BaseModel, Field

PAGE = 30
Repository = Annotated[str, Field(pattern=r"^[\w.-]+/[\w.-]+$", description="OWNER/NAME")]


@asynccontextmanager
async def lifespan(_: FastMCP) -> AsyncIterator[httpx.AsyncClient]:
    """One HTTP client for all calls. The token comes from the environment, never from the model."""
    headers = {"accept": "application/vnd.github+json"}
    if token := os.environ.get("ISSUES_TOKEN"):
        headers["authorization"] = f"Bearer {token}"
    base = os.environ.get("ISSUES_URL", "https://api.github.com")
    async with httpx.AsyncClient(base_url=base, headers=headers, timeout=20) as client:
        yield client


mcp = FastMCP("issues", lifespan=lifespan)


class Issue(BaseModel):
    number: int
    title: str
    state: str


class Page(BaseModel):
    issues: list[Issue]
    next_page: int | None = Field(description="Ask for this page next; null at the end.")


async def ask(ctx: Context, method: str, path: str, **more: Any) -> Any:
    """One request; what went wrong in words for the model."""
    http: httpx.AsyncClient = ctx.request_context.lifespan_context
    try:
        response = await http.request(method, path, **more)
    except httpx.HTTPError as error:
        raise ToolError("The API cannot be reached; try again later.") from error
    if response.status_code in (403, 429):
        raise ToolError(f"Too many requests; wait {response.headers.get('retry-after', '60')} seconds.")
    if response.status_code == 404:
        raise ToolError("There is no such repository or issue, or the token may not see it.")
    if response.is_error:
        raise ToolError(f"The API refused this with {response.status_code}.")
    return response.json()


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
async def list_issues(
    repository: Repository, ctx: Context, state: Literal["open", "closed", "all"] = "open", page: int = 1
) -> Page:
    """Lists issues, 30 on a page."""
    query = {"state": state, "page": page, "per_page": PAGE}
    found = await ask(ctx, "GET", f"/repos/{repository}/issues", params=query)
    return Page(issues=found, next_page=page + 1 if len(found) == PAGE else None)


@mcp.tool(annotations=ToolAnnotations(destructiveHint=False))
async def open_issue(repository: Repository, title: str, body: str, ctx: Context) -> Issue:
    """Opens an issue. Everybody who may read the repository can see it."""
    return await ask(ctx, "POST", f"/repos/{repository}/issues", json={"title": title, "body": body})


if __name__ == "__main__":
    mcp.run()
