"""How a server of the 1.x kind is served.

Owns: the arguments that 1.x has, for what its settings say too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from ..._common.serving import Serving, Transport, no_option_of_stdio, run_as_program, transport_of
from ..._engine import face

if TYPE_CHECKING:
    from starlette.applications import Starlette

_ADDRESS = ("host", "port", "path")


def refuse_address(transport: str, given: Iterable[str]) -> None:
    """Refuse `host` and `port` where they have no effect: for stdio, and in `run()` while this
    package stands in for the official one.

    Raises:
        TypeError: One of them was given.
    """
    if not face.current.own_words:
        raise TypeError(f"FastMCP.run() got an unexpected keyword argument {next(iter(given))!r}")
    if transport == "stdio":
        raise TypeError(no_option_of_stdio(given))


class ServingBySettings(Serving):
    """The part of `FastMCP` that serves it."""

    def run(
        self,
        transport: Transport = "stdio",
        mount_path: str | None = None,
        *,
        host: str | None = None,
        port: int | None = None,
        path: str | None = None,
    ) -> None:
        """Serve until the client disconnects or a signal arrives.

        Ctrl-C and SIGTERM end it at once, without a traceback: with `KeyboardInterrupt` and
        exit code 130, or `SystemExit` and code 143.

        Args:
            transport: `"stdio"`, `"streamable-http"` or `"http"`, which are the same, or `"sse"`
                for the older HTTP+SSE. Default: `"stdio"`.
            mount_path: The path under which this server is mounted in another application; only for
                `"sse"`. Default: that of the settings.
            host: The address to listen on, for HTTP. Default: that of the settings.
            port: The port to listen on, for HTTP. Default: that of the settings.
            path: The path of the endpoint, for HTTP. Default: that of the settings.

        Raises:
            ValueError: There is no such transport.
            TypeError: The transport does not have an option that was given.
            ConnectError: The server cannot listen at the address.
        """
        chosen = transport_of(transport)
        given = {name: value for name, value in zip(_ADDRESS, (host, port, path)) if value is not None}
        if given:
            refuse_address(chosen, given)
            self.settings.listen_at(chosen, given)
        if chosen == "stdio":
            run_as_program(self.run_stdio_async)
        elif chosen == "sse":
            run_as_program(lambda: self.run_sse_async(mount_path))
        else:
            run_as_program(self.run_streamable_http_async)

    async def run_sse_async(self, mount_path: str | None = None) -> None:
        """Serve the older transport, HTTP+SSE, until cancelled.

        Args:
            mount_path: The path under which another application mounts this one. Default: that of
                the settings.

        .. deprecated:: 2025-03-26
           HTTP+SSE, SEP-2596; earliest removal three months after SEP-2596 is final. Use
           streamable HTTP.
        """
        from ..._engine.runner import passed_over

        if not passed_over():
            await self._serve_app(self.sse_app(mount_path))

    def sse_app(self, mount_path: str | None = None) -> Starlette:
        """Make a Starlette application that serves the older transport, HTTP+SSE.

        Args:
            mount_path: The path under which another application mounts this one. Default: that of
                the settings.

        .. deprecated:: 2025-03-26
           HTTP+SSE, SEP-2596; earliest removal three months after SEP-2596 is final. Use
           streamable HTTP.
        """
        from .._apps import sse_app

        return sse_app(cast("Any", self), mount_path)
