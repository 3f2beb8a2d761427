"""Headers of 2026-07-28 and what they must repeat, where programs for 2.x look for that.

Owns: their names, and a check of a decoded request for programs that receive requests themselves.
Must not know: transports; what comes through them the engine checks.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, cast

from ..._engine.protocol import MODERN_REVISIONS
from ...shared._param_headers import fault_of, headers_of, mismatch, repeated
from ...shared._param_headers import plain as _plain
from ...shared._param_headers import spelled as encode_header_value

__all__ = [
    "ERROR_CODE_HTTP_STATUS",
    "MCP_METHOD_HEADER",
    "MCP_NAME_HEADER",
    "MCP_PARAM_HEADER_PREFIX",
    "MCP_PROTOCOL_VERSION_HEADER",
    "NAME_BEARING_METHODS",
    "X_MCP_HEADER_KEY",
    "InboundLadderRejection",
    "InboundModernRoute",
    "classify_inbound_request",
    "decode_header_value",
    "encode_header_value",
    "find_duplicated_routing_header",
    "find_invalid_x_mcp_header",
    "mcp_param_headers",
    "unsupported_protocol_version_rejection",
    "validate_mcp_param_headers",
    "x_mcp_header_map",
]

MCP_PROTOCOL_VERSION_HEADER: Final = "mcp-protocol-version"
"""The header with the revision of a request."""
MCP_METHOD_HEADER: Final = "mcp-method"
"""The header with the method of a request."""
MCP_NAME_HEADER: Final = "mcp-name"
"""The header with the name of the tool or prompt, or the URI of the resource."""
MCP_PARAM_HEADER_PREFIX: Final = "Mcp-Param-"
"""The beginning of the names of headers that repeat arguments."""
X_MCP_HEADER_KEY: Final = "x-mcp-header"
"""The member of an argument's schema that names the header which repeats the argument."""
NAME_BEARING_METHODS: Final[Mapping[str, str]] = MappingProxyType(
    {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
)
"""The param that the header `mcp-name` repeats, by method."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION = -32020, -32021, -32022

ERROR_CODE_HTTP_STATUS: Final[Mapping[int, int]] = MappingProxyType(
    {
        **dict.fromkeys((PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS), 400),
        **dict.fromkeys((HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION), 400),
        METHOD_NOT_FOUND: 404,
    }
)
"""The HTTP status of an error response, by the error's code. Other errors are sent with 200."""

_META = "io.modelcontextprotocol/"
_VERSION, _CAPABILITIES, _INFO = f"{_META}protocolVersion", f"{_META}clientCapabilities", f"{_META}clientInfo"
_ROUTING = frozenset({MCP_PROTOCOL_VERSION_HEADER, MCP_METHOD_HEADER, MCP_NAME_HEADER})


@dataclass(frozen=True)
class InboundModernRoute:
    """The envelope of a request of 2026-07-28 in its `_meta`, as it came."""

    protocol_version: str
    """The revision of the request."""
    client_info: Any
    """Name and version of the client; `None` if it did not send them."""
    client_capabilities: Any
    """The capabilities that the client declares."""


@dataclass(frozen=True)
class InboundLadderRejection:
    """Why a request is refused, as the members of an error."""

    code: int
    """The JSON-RPC code of the error."""
    message: str
    """The error message."""
    data: Any = None
    """The data of the error. Default: none."""


def find_invalid_x_mcp_header(input_schema: Any) -> str | None:
    """What is wrong with the `x-mcp-header` members of a tool's schema; `None` if nothing is.

    Args:
        input_schema: The tool's schema.
    """
    return fault_of(input_schema)


def x_mcp_header_map(input_schema: Any) -> dict[tuple[str, ...], str]:
    """The arguments that are repeated in headers: paths in the arguments, and names without prefix.

    Args:
        input_schema: The tool's schema.
    """
    return repeated(input_schema)


def mcp_param_headers(header_map: Mapping[tuple[str, ...], str], arguments: Mapping[str, Any]) -> dict[str, str]:
    """The headers that repeat some arguments.

    Args:
        header_map: The names of headers without prefix by paths, from `x_mcp_header_map`.
        arguments: The arguments by name.
    """
    return headers_of(header_map, arguments)


def decode_header_value(value: str | None) -> str | None:
    """Decode the value of a header; `None` if it is absent or its base64 is not valid.

    Args:
        value: The value of the header; `None` if it is absent.
    """
    found = None if value is None else _plain(value)
    is_wrapped = value is not None and value.startswith("=?base64?") and value.endswith("?=") and found != value
    # Only the spelling that `encode_header_value` would choose for these bytes counts.
    if found is None or not is_wrapped or f"=?base64?{_base64(found)}?=" == value:
        return found
    return None


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def find_duplicated_routing_header(headers: Iterable[tuple[str, str]]) -> str | None:
    """The first of the headers with revision, method and name that came twice; `None` if none did.

    Args:
        headers: Names and values of the headers.
    """
    counts = Counter(name.lower() for name, _ in headers)
    return next((name for name, count in counts.items() if count > 1 and name in _ROUTING), None)


def unsupported_protocol_version_rejection(
    requested: str, supported_modern_versions: Sequence[str] = MODERN_REVISIONS
) -> InboundLadderRejection | None:
    """The error for a revision that is not served; `None` if it is served.

    Args:
        requested: The revision of the request.
        supported_modern_versions: The revisions that are served. Default: those of this package.
    """
    if requested in supported_modern_versions:
        return None
    data = {"supported": list(supported_modern_versions), "requested": requested}
    return InboundLadderRejection(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def classify_inbound_request(
    body: Mapping[str, Any],
    *,
    headers: Mapping[str, str] | None = None,
    supported_modern_versions: Sequence[str] = MODERN_REVISIONS,
) -> InboundModernRoute | InboundLadderRejection:
    """Check the envelope of a request of 2026-07-28 or later.

    Args:
        body: The request, decoded.
        headers: The request's headers, with names in lower case. Default: they are not compared.
        supported_modern_versions: The revisions that are served. Default: those of this package.

    Returns:
        The envelope, or the first reason to refuse the request.
    """
    params: Any = body.get("params")
    meta: Any = params.get("_meta") if isinstance(params, Mapping) else None  # pyright: ignore
    if not isinstance(meta, Mapping):
        return InboundLadderRejection(
            INVALID_PARAMS, f"params._meta must be an object with the envelope keys {_VERSION!r} and {_CAPABILITIES!r}"
        )
    envelope = cast("Mapping[str, Any]", meta)
    missing = [key for key in (_VERSION, _CAPABILITIES) if key not in envelope]
    if missing:
        words = ", ".join(missing)
        return InboundLadderRejection(INVALID_PARAMS, f"params._meta is missing the required envelope key(s): {words}")
    version: Any = envelope[_VERSION]
    refused = None if headers is None else _compared(body, cast("Mapping[str, Any]", params), version, headers)
    if refused is not None:
        return refused
    if not isinstance(version, str):
        return InboundLadderRejection(INVALID_PARAMS, "the protocol-version envelope value must be a string")
    unsupported = unsupported_protocol_version_rejection(version, supported_modern_versions)
    return unsupported or InboundModernRoute(version, envelope.get(_INFO), envelope[_CAPABILITIES])


def _compared(
    body: Mapping[str, Any], params: Mapping[str, Any], version: Any, headers: Mapping[str, str]
) -> InboundLadderRejection | None:
    """How headers differ from what they repeat."""
    said, method = headers.get(MCP_PROTOCOL_VERSION_HEADER), body.get("method")
    words = None
    if said is None or said != version:
        words = f"{MCP_PROTOCOL_VERSION_HEADER} header does not match the request envelope's protocol version"
    elif headers.get(MCP_METHOD_HEADER) != method:
        words = f"{MCP_METHOD_HEADER} header does not match the request body's method"
    else:
        member = NAME_BEARING_METHODS.get(str(method))
        name = None if member is None else params.get(member)
        if name is not None and decode_header_value(headers.get(MCP_NAME_HEADER)) != name:
            words = f"{MCP_NAME_HEADER} header does not match the request body's {member!r} parameter"
    return None if words is None else InboundLadderRejection(HEADER_MISMATCH, words)


def validate_mcp_param_headers(
    input_schema: Any, arguments: Mapping[str, Any], headers: Mapping[str, str]
) -> InboundLadderRejection | None:
    """Compare headers with the arguments that they repeat; `None` if they agree.

    A schema with invalid `x-mcp-header` members is not checked.

    Args:
        input_schema: The tool's schema.
        arguments: The arguments by name.
        headers: The headers by name.
    """
    if find_invalid_x_mcp_header(input_schema) is not None:
        return None
    lower = Counter(name.lower() for name in headers)
    for token in x_mcp_header_map(input_schema).values():
        if lower[f"{MCP_PARAM_HEADER_PREFIX}{token}".lower()] > 1:
            words = f"{MCP_PARAM_HEADER_PREFIX}{token} header appears more than once"
            return InboundLadderRejection(HEADER_MISMATCH, words)
    differs = mismatch(input_schema, arguments, {name.lower(): value for name, value in headers.items()})
    return None if differs is None else InboundLadderRejection(HEADER_MISMATCH, differs)
