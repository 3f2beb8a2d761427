"""The extensions of one client, as its sessions use them.

Owns: finding claims and bindings by name. Must not know: sessions; the classes that programs
derive from are in `extension`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..shared.extension import validate_extension_identifier

if TYPE_CHECKING:
    from ..types import CallToolResult


class Claim(Protocol):
    """A result of `tools/call` in a shape that an extension defines; see `ResultClaim`."""

    @property
    def result_type(self) -> str:
        """The value of `resultType` on the wire."""
        ...

    @property
    def model(self) -> Any:
        """The pydantic model of the result."""
        ...

    def resolved(self, session: Any, tool_name: str, limit: float | None, result: Any) -> Awaitable[CallToolResult]:
        """Resolve a result as it came, on a session."""
        ...


class Binding(Protocol):
    """Calls a function with each notification of one method; see `NotificationBinding`."""

    @property
    def method(self) -> str:
        """The notification's method, as on the wire."""
        ...

    @property
    def params_type(self) -> Any:
        """The pydantic model of the params."""
        ...

    @property
    def handler(self) -> Callable[..., Awaitable[None]]:
        """Called with the params of each notification."""
        ...


class Extending(Protocol):
    """An extension; see `ClientExtension`."""

    identifier: str

    def settings(self) -> dict[str, Any]:
        """The extension's settings, sent to servers under the identifier."""
        ...

    def claims(self) -> Sequence[Claim]:
        """The results in other shapes that the extension understands."""
        ...

    def notifications(self) -> Sequence[Binding]:
        """The notifications that the extension handles."""
        ...


class Extensions:
    """All extensions of one client."""

    def __init__(self, extensions: Sequence[Extending] = ()) -> None:
        self.shown: dict[str, dict[str, Any]] = {}
        self.claims: dict[str, Claim] = {}
        self.bindings: dict[str, Binding] = {}
        # Those that a connection without types of results has no use for.
        self.claiming: list[str] = []
        for extension in extensions:
            identifier = getattr(extension, "identifier", None)
            validate_extension_identifier(identifier, owner=type(extension).__name__)
            if extension.identifier in self.shown:
                raise ValueError(f"extension {identifier!r} is there twice")
            self.shown[extension.identifier] = extension.settings()
            claims = extension.claims()
            if claims:
                self.claiming.append(extension.identifier)
            for claim in claims:
                if claim.result_type in self.claims:
                    raise ValueError(f"resultType {claim.result_type!r} is claimed twice")
                self.claims[claim.result_type] = claim
            for binding in extension.notifications():
                if binding.method in self.bindings:
                    raise ValueError(f"notification {binding.method!r} is bound twice")
                self.bindings[binding.method] = binding
