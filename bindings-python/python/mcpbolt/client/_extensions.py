"""The extensions of one client, as its sessions use them.

Owns: finding claims and bindings by name. Must not know: sessions; the classes that programs
derive from are in `extension`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .._engine.json import dumps
from ..shared.extension import validate_extension_identifier

if TYPE_CHECKING:
    from ..types import CallToolResult

logger: logging.Logger = logging.getLogger("client")


class _Contest(NamedTuple):
    """How two extensions are told that they want the same name."""

    noun: str
    alone: str
    together: str
    rule: str


_CLAIMS = _Contest("resultType", "claims", "claim", "a wire tag can have only one resolver")
_BINDINGS = _Contest("notification method", "binds", "bind", "a method can have only one observer")


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


class Sent(Protocol):
    """A method that the client sends; see `ExtensionMethod`."""

    def row(self, identifier: str) -> dict[str, Any]:
        """The row of the method, for the engine."""
        ...


RequestHook = Callable[["dict[str, Any] | None"], "dict[str, Any] | None"]
ResultHook = Callable[["dict[str, Any]"], None]


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

    def methods(self) -> Sequence[Sent]:
        """The methods of the extension that the client sends."""
        ...

    def request_hooks(self) -> Mapping[str, RequestHook]:
        """What sees the params of requests, by method."""
        ...

    def result_hooks(self) -> Mapping[str, ResultHook]:
        """What sees results, by method."""
        ...


class Extensions:
    """All extensions of one client."""

    def __init__(self, extensions: Sequence[Extending] = ()) -> None:
        self.shown: dict[str, dict[str, Any]] = {}
        self.claims: dict[str, Claim] = {}
        self.bindings: dict[str, Binding] = {}
        # Those that a connection without types of results has no use for.
        self.claiming: list[str] = []
        # What the engine is told, by extensions that it knows.
        self.engine_options: dict[str, Any] = {}
        # Rows of methods, for the engine.
        self.rows: list[dict[str, Any]] = []
        self._request_hooks: dict[str, list[RequestHook]] = {}
        self._result_hooks: dict[str, list[ResultHook]] = {}
        self._owners: dict[tuple[str, str], str] = {}
        if isinstance(extensions, Mapping):
            raise TypeError(
                "extensions= takes a sequence of ClientExtension instances. The mapping form was "
                "replaced: use advertise(identifier, settings) for advertise-only entries"
            )
        for extension in extensions:
            self._take(extension)

    def _take(self, extension: Extending) -> None:
        kind, identifier = type(extension).__name__, getattr(extension, "identifier", None)
        if identifier is None:
            raise ValueError(
                f"{kind} has no `identifier`; a ClientExtension must set the `identifier` "
                "class attribute (or assign one in `__init__`) before it can be used"
            )
        validate_extension_identifier(identifier, owner=kind)
        if identifier in self.shown:
            raise ValueError(f"extension identifier {identifier!r} is passed more than once")
        self.shown[identifier] = extension.settings()
        self.engine_options.update(getattr(extension, "engine_options", {}))
        claims = extension.claims()
        if claims:
            self.claiming.append(identifier)
        for claim in claims:
            self._own(_CLAIMS, claim.result_type, identifier)
            self.claims[claim.result_type] = claim
        for binding in extension.notifications():
            self._own(_BINDINGS, binding.method, identifier)
            self.bindings[binding.method] = binding
        self.rows += [method.row(identifier) for method in extension.methods()]
        for name, hook in extension.request_hooks().items():
            self._request_hooks.setdefault(name, []).append(hook)
        for name, seen in extension.result_hooks().items():
            self._result_hooks.setdefault(name, []).append(seen)

    def request(self, method: str, params: str | None) -> str | None:
        """The params of a request, as they are sent."""
        if method not in self._request_hooks:
            return params
        given: dict[str, Any] | None = None if params is None else json.loads(params)
        for hook in self._request_hooks[method]:
            given = hook(given)
        return None if given is None else dumps(given)

    def result(self, method: str, result: Any) -> Any:
        """A result, if the hooks let the program have it."""
        for hook in self._result_hooks.get(method, ()):
            hook(result)
        return result

    def _own(self, contest: _Contest, name: str, identifier: str) -> None:
        """Note whose a name is.

        Raises:
            ValueError: It is somebody's already; the message names both.
        """
        before = self._owners.setdefault((contest.noun, name), identifier)
        if name not in (self.claims if contest is _CLAIMS else self.bindings):
            return
        one = f"extension {identifier!r} {contest.alone}"
        both = f"extensions {before!r} and {identifier!r} both {contest.together}"
        raise ValueError(f"{one if before == identifier else both} {contest.noun} {name!r}; {contest.rule}")

    def owner_of(self, claim: Claim) -> str:
        """The identifier of the extension that a claim belongs to."""
        return self._owners[_CLAIMS.noun, claim.result_type]

    def warn_of_deaf(self, known: Callable[[str], bool], revision: str) -> None:
        """Log each binding of a method that the protocol itself has at a revision: what it waits
        for goes to the session's own callbacks.
        """
        for method in self.bindings:
            if known(method):
                logger.warning(
                    "notification binding for %r will never fire at %s: the core protocol defines this method",
                    method,
                    revision,
                )
