"""Pages that a server shows beside its tools, for a host.

Owns: asking for tools and pages, and refusing what a host must refuse. Must not know: the rules of
that, which the engine knows; browsers and models.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from .._mcpbolt import app_decision
from .extension import ClientExtension

if TYPE_CHECKING:
    from ..types import CallToolResult, Tool
    from .client import Client

__all__ = ["AppError", "AppPage", "AppsClient", "ShowsApps"]

_MAX_PAGES = 10_000
_DECLARED = app_decision("extension", "{}")


class AppError(Exception):
    """A page must not be shown, or a call that it asks for must not be made.

    Args:
        reason: What is wrong, as a code; see the attribute.
        message: What is wrong, for people.
    """

    def __init__(self, reason: Literal["page", "unknown", "not_for_apps"], message: str) -> None:
        super().__init__(message)
        self.reason = reason
        """`page`: the server did not send a page that may be shown. `unknown`: the page's server has no
        such tool. `not_for_apps`: the tool's visibility does not include `app`.
        """


class ShowsApps(ClientExtension):
    """The extension for apps: tells servers that this client shows their pages. Use it as
    `Client(…, extensions=[ShowsApps()])`.
    """

    identifier: str = _DECLARED["id"]

    def settings(self) -> dict[str, Any]:
        """The settings of the extension: the MIME types of pages that are shown."""
        return dict(_DECLARED["settings"])


@dataclass(frozen=True)
class AppPage:
    """A page, to be shown in a sandboxed frame with this policy."""

    uri: str
    """The URI of the page."""
    html: str
    """The HTML document."""
    policy: str
    """The `Content-Security-Policy` of the frame: it allows the page itself and the origins that the
    page declares.
    """
    allow: str
    """The `allow` attribute of the frame, with all permissions that the page asks for; a host may grant
    fewer.
    """
    ignored: tuple[str, ...] = ()
    """Origins that the page declares but that are not valid; they have no effect."""
    domain: str | None = None
    """The origin that the page wants to be shown on, in the form of the host; `None` if it does not
    say.
    """
    border: bool | None = None
    """Whether the page wants a border; `None` if the host decides."""


class AppsClient:
    """The pages of one server. A page can call the tools of its own server only.

    Args:
        client: A connected client.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    async def model_tools(self) -> list[Tool]:
        """The tools to offer to the model: those whose visibility includes `model`."""
        from ..types import Tool

        seen = [tool for tool in await self._tools() if _ui(tool)["model"]]
        return [Tool.model_validate(tool) for tool in seen]

    async def page(self, tool: Tool) -> AppPage | None:
        """The page that shows the results of a tool; `None` if it has none.

        Args:
            tool: The tool, as this server listed it.

        Raises:
            AppError: The server did not send a page that may be shown.
            McpError: The server does not have the page, or did not answer.
        """
        uri = _ui(tool.model_dump(by_alias=True, mode="json", exclude_none=True))["page"]
        if uri is None:
            return None
        read = await self._client.session.ask("resources/read", json.dumps({"uri": uri}))
        found: dict[str, Any] = app_decision("page", json.dumps({"uri": uri, "result": read}))
        if "refused" in found:
            raise AppError("page", found["refused"])
        ignored: list[str] = found.pop("ignored")
        return AppPage(uri, ignored=tuple(ignored), **found)

    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> CallToolResult:
        """Call a tool because a page of this server asks for it, if the tool is for pages.

        Args:
            name: The tool's name, as the page gives it.
            arguments: The tool's arguments, as the page gives them. Default: none.

        Raises:
            AppError: The server has no such tool, or it is not for pages. Nothing was called.
            McpError: The server did not answer.
        """
        verdict = app_decision("call", json.dumps({"tools": await self._tools(), "name": name}))
        if verdict == "unknown":
            raise AppError("unknown", f"the server of the page has no tool {name}")
        if verdict != "allowed":
            raise AppError("not_for_apps", f"the tool {name} is not for pages")
        return await self._client.call_tool(name, arguments)

    async def _tools(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        params: dict[str, Any] = {}
        for _ in range(_MAX_PAGES):
            page = await self._client.session.ask("tools/list", json.dumps(params))
            found += page["tools"]
            cursor = page.get("nextCursor")
            if cursor is None:
                break
            params = {"cursor": cursor}
        return found


def _ui(tool: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = app_decision("tool", json.dumps({"tool": tool}))
    return found
