"""Sealing `requestState` with the program's own keys.

Owns: putting the seal on a server. Must not know: how states are sealed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..request_state import RequestStateBoundary

if TYPE_CHECKING:
    from ..lowlevel.server import Server
    from ..request_state import RequestStateSecurity


def seal_by(server: Server[Any, Any], security: RequestStateSecurity, named: bool) -> None:
    """Seal the states of a server. `named` says that the program gave it a name.

    Raises:
        ValueError: Neither the server nor the seal has a name.
    """
    if not named and security.audience is None:
        raise ValueError(
            "request_state_security is configured but this server has no name. Sealed requestState carries "
            "the name as its audience, so that state of another service with the same keys is refused: name "
            'the server (MCPServer("my-service", ...)) or set RequestStateSecurity(audience=...).'
        )
    server.state_boundary = RequestStateBoundary(security, default_audience=server.name)
    # One seal is enough: the one that other processes can open.
    server.options.setdefault("host_seals_state", True)
    if security.engine_keys:
        # Answers that the engine carries can be opened wherever those states can.
        server.options.setdefault("state_keys", list(security.engine_keys))
