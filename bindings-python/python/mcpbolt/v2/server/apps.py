"""Tools with a user interface: resources that a host shows in a frame.

Owns: the extension's names, and which tool belongs to which resource. Must not know: how tools
are called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from ...server.extension import Extension, ResourceBinding, ToolBinding
from ...server.mcpserver.context import Context
from .mcpserver.resources import Resource, TextResource

__all__ = [
    "APP_MIME_TYPE",
    "EXTENSION_ID",
    "Apps",
    "ResourceCsp",
    "ResourcePermissions",
    "Visibility",
    "client_supports_apps",
]

EXTENSION_ID = "io.modelcontextprotocol/ui"
"""The extension's identifier."""
APP_MIME_TYPE = "text/html;profile=mcp-app"
"""The MIME type of a page that a host shows."""

Visibility = Literal["model", "app"]
"""Who may call a tool: `"model"`, the model, or `"app"`, the page."""

F = TypeVar("F", bound=Callable[..., Any])


class ResourcePermissions(BaseModel, alias_generator=to_camel, populate_by_name=True):
    """The permissions that a page asks the host for; an empty dictionary asks for one."""

    camera: dict[str, Any] | None = None
    """Use of the camera. Default: not asked for."""
    microphone: dict[str, Any] | None = None
    """Use of the microphone. Default: not asked for."""
    geolocation: dict[str, Any] | None = None
    """The user's location. Default: not asked for."""
    clipboard_write: dict[str, Any] | None = None
    """Writing to the clipboard. Default: not asked for."""


class ResourceCsp(BaseModel, alias_generator=to_camel, populate_by_name=True):
    """The origins that a page uses, for its content security policy."""

    connect_domains: list[str] | None = None
    """Origins that the page sends requests to. Default: none."""
    resource_domains: list[str] | None = None
    """Origins that the page loads scripts, styles and images from. Default: none."""
    frame_domains: list[str] | None = None
    """Origins that the page shows in frames. Default: none."""
    base_uri_domains: list[str] | None = None
    """Origins that the page may use as its base URI. Default: none."""


class Apps(Extension):
    """The extension for apps: tools with HTML pages that a host shows. Register tools and pages on an
    `Apps`, then pass it to `MCPServer(…, extensions=[apps])`.
    """

    identifier = EXTENSION_ID

    def __init__(self) -> None:
        self._tools: list[tuple[ToolBinding, str]] = []
        self._resources: list[ResourceBinding] = []

    def tool(
        self,
        *,
        resource_uri: str,
        visibility: Sequence[Visibility] | None = None,
        meta: dict[str, Any] | None = None,
        **options: Any,
    ) -> Callable[[F], F]:
        """Decorator that registers a function as a tool with a page.

        Args:
            resource_uri: The URI of the page, which begins with `ui://`.
            visibility: Who may call the tool: `"model"`, `"app"` or both. Default: the host decides,
                usually both.
            meta: Further members of the `_meta` of the tool. Default: none.
            options: Other arguments of `MCPServer.add_tool`, such as `name`.

        Raises:
            ValueError: The URI does not begin with `ui://`, or `meta` has the member `ui`.
        """
        _refuse_other_schemes(resource_uri)
        if meta and "ui" in meta:
            raise ValueError("Apps.tool() owns _meta['ui']; pass resource_uri=/visibility= instead of a 'ui' meta key")
        ui: dict[str, Any] = {"resourceUri": resource_uri}
        if visibility is not None:
            ui["visibility"] = list(visibility)

        def decorator(fn: F) -> F:
            self._tools.append((ToolBinding(fn=fn, meta={**(meta or {}), "ui": ui}, kwargs=options), resource_uri))
            return fn

        return decorator

    def add_html_resource(
        self,
        uri: str,
        html: str,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        csp: ResourceCsp | None = None,
        permissions: ResourcePermissions | None = None,
        domain: str | None = None,
        prefers_border: bool | None = None,
    ) -> None:
        """Register a page.

        Args:
            uri: The URI of the page, which begins with `ui://`.
            html: The HTML document.
            name: The name of the page. Default: the URI.
            title: The name to show to people. Default: none.
            description: What the page is. Default: none.
            csp: The origins that the page uses. Default: none, it must contain everything.
            permissions: The permissions that the page asks the host for. Default: none.
            domain: The origin that the page should be shown on, in the form of the host. Default:
                the host decides.
            prefers_border: Whether the host should draw a border around the page. Default: the host
                decides.

        Raises:
            ValueError: The URI does not begin with `ui://`.
        """
        asked: dict[str, Any] = {
            "csp": None if csp is None else csp.model_dump(by_alias=True, exclude_none=True),
            "permissions": None if permissions is None else permissions.model_dump(by_alias=True, exclude_none=True),
            "domain": domain,
            "prefersBorder": prefers_border,
        }
        ui = {member: value for member, value in asked.items() if value is not None}
        given: Any = uri
        self.add_resource(
            TextResource(
                uri=given,
                name=name or uri,
                title=title,
                description=description,
                mime_type=APP_MIME_TYPE,
                meta={"ui": ui} if ui else None,
                text=html,
            )
        )

    def add_resource(self, resource: Resource) -> None:
        """Register a resource as a page.

        Args:
            resource: The resource.

        Raises:
            ValueError: The URI does not begin with `ui://`, or the MIME type is not that of pages.
        """
        _refuse_other_schemes(str(resource.uri))
        if "mime_type" not in resource.model_fields_set:
            resource = resource.model_copy(update={"mime_type": APP_MIME_TYPE})
        elif resource.mime_type != APP_MIME_TYPE:
            raise ValueError(f"MCP Apps resources are served as {APP_MIME_TYPE!r}, got {resource.mime_type!r}")
        self._resources.append(ResourceBinding(resource=resource))

    def tools(self) -> Sequence[ToolBinding]:
        """The registered tools.

        Raises:
            ValueError: The page of a tool is not registered.
        """
        pages = {str(binding.resource.uri) for binding in self._resources}
        for tool, uri in self._tools:
            if uri not in pages:
                raise ValueError(
                    f"Apps tool {tool.fn.__name__!r} binds resource_uri {uri!r}, but no such resource "
                    "is registered; add it with add_html_resource() or add_resource()"
                )
        return [tool for tool, _ in self._tools]

    def resources(self) -> Sequence[ResourceBinding]:
        """The registered pages."""
        return self._resources


def client_supports_apps(ctx: Any) -> bool:
    """Whether the client declared that it shows pages of this MIME type.

    Args:
        ctx: The context of the request.
    """
    found = ctx.client_capabilities if isinstance(ctx, Context) else ctx.session.client_capabilities
    settings: Any = ((found.extensions if found else None) or {}).get(EXTENSION_ID) or {}
    kinds: Any = settings.get("mimeTypes")
    return isinstance(kinds, (list, tuple)) and APP_MIME_TYPE in kinds


def _refuse_other_schemes(uri: str) -> None:
    if not uri.startswith("ui://"):
        raise ValueError(f"MCP Apps URIs must use the ui:// scheme, got {uri!r}")
