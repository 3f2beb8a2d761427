"""The settings of a server, read when it is run.

Owns: their defaults, and which hosts and origins follow from them. Must not know: what is served.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._engine import face
from .._naming import found_in
from ..server.lowlevel._http import GUARDED_HOSTS, GUARDED_ORIGINS, LOCAL_HOSTS, guard_of
from .dumping import Dumped
from .setting_types import checked

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..server.transport_security import TransportSecuritySettings

# Those that the official package does not have.
OWN_SETTINGS = frozenset(
    {"legacy_sse", "docs", "trusted_proxies", "stream_after", "health", "ready", "metrics", "shutdown_delay"}
)


@found_in("server.fastmcp.server")
class Settings(Dumped):
    """The settings of a server. Programs may change them until it runs.

    Args:
        **values: Settings by name. Names, meanings and defaults are those of the arguments of
            `FastMCP`. Text that says a value is read as it, such as `"8001"` for a port.

    Raises:
        ValidationError: A value is not of its type.
    """

    def __init__(self, **values: Any) -> None:
        values = checked(values)
        self._security: TransportSecuritySettings | None = None
        self._local = False
        self.secure(values.pop("transport_security", None), values.get("host", ""))
        self.debug: bool = False
        self.log_level: str = "INFO"
        self.host: str = "127.0.0.1"
        self.port: int = 8000
        self.mount_path: str = "/"
        self.sse_path: str = "/sse"
        self.message_path: str = "/messages/"
        self.streamable_http_path: str = "/mcp"
        self.json_response: bool = False
        self.stateless_http: bool = False
        self.max_request_body_size: int = 4 * 1024 * 1024
        self.session_idle_timeout: float | None = 1800.0
        self.max_sessions: int | None = 10_000
        self.warn_on_duplicate_resources: bool = True
        self.warn_on_duplicate_tools: bool = True
        self.warn_on_duplicate_prompts: bool = True
        self.dependencies: list[str] = []
        self.lifespan: Any = None
        self.auth: Any = None
        self.legacy_sse: bool = False
        self.docs: bool = False
        self.trusted_proxies: list[str] = []
        self.stream_after: float | None = 0.1
        self.health: str | None = None
        self.ready: str | None = None
        self.metrics: str | None = None
        self.shutdown_delay: float = 0.0
        for name, value in values.items():
            setattr(self, name, value)

    @property
    def transport_security(self) -> TransportSecuritySettings | None:
        """Which `Host` and `Origin` headers are allowed; `None` for all. Default: local ones if the
        server was made for a local address, else all.
        """
        if self._security is None and self._local:
            self._security = guard_of(None, LOCAL_HOSTS[0])
        return self._security

    @transport_security.setter
    def transport_security(self, value: TransportSecuritySettings | None) -> None:
        self._security, self._local = value, False

    def secure(self, given: TransportSecuritySettings | None, host: str) -> None:
        """Set which `Host` and `Origin` headers are allowed.

        Args:
            given: The allowed headers; `None` for local ones if `host` is local, else all.
            host: The address that the server listens on.
        """
        self._security = given
        self._local = given is None and host in LOCAL_HOSTS

    def listen_at(self, transport: str, given: dict[str, Any]) -> None:
        """Apply the options of `run`: `host`, `port`, and the `path` of the endpoint.

        Args:
            transport: The transport, `"sse"` or `"streamable-http"`.
            given: The options by name.
        """
        for name, value in given.items():
            if name == "path":
                name = "sse_path" if transport == "sse" else "streamable_http_path"
            setattr(self, name, value)
        if "host" in given and (self._local or self._security is None):
            # The defaults are those of a server that was made for this host.
            self.secure(None, self.host)

    def guard(self) -> tuple[list[str], list[str]] | None:
        """The allowed values of `Host` and of `Origin`; `None` if all are allowed."""
        # Without a model of them, which would slow down the start of a server over the engine's
        # own HTTP.
        if self._security is None:
            return (list(GUARDED_HOSTS), list(GUARDED_ORIGINS)) if self._local else None
        if not self._security.enable_dns_rebinding_protection:
            return None
        return self._security.allowed_hosts, self._security.allowed_origins

    def _members(self) -> dict[str, Any]:
        hidden = () if face.current.own_words else OWN_SETTINGS
        plain = {name: value for name, value in vars(self).items() if not name.startswith("_") and name not in hidden}
        return {**plain, "transport_security": self.transport_security}

    def model_copy(self, *, update: dict[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy of the settings, with those in `update` changed.

        Args:
            update: The settings that change, by name. Default: none.
            deep: Whether values such as lists are copied too. Default: no.
        """
        from copy import copy, deepcopy

        made = deepcopy(self) if deep else copy(self)
        for name, value in (update or {}).items():
            setattr(made, name, value)
        return made

    def __repr__(self) -> str:
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in vars(self).items() if name[0] != '_')})"
