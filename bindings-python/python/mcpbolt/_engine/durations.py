"""How long calls and sessions last, as histograms of OpenTelemetry.

Owns: their names, unit, buckets and attributes. Imported only if the program has turned
OpenTelemetry on. Must not know: what is measured.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, Literal

from . import otel
from .protocol import METHODS

Side = Literal["client", "server"]
Rows = Sequence[Mapping[str, Any]]
"""Methods of extensions, as the engine is told of them."""

# Upper bounds in seconds, as the semantic conventions want them.
_BOUNDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300)
_WORDS = {
    "client.operation": "From when a request is sent until its answer is there",
    "server.operation": "From when a request is received until its answer is sent",
    "client.session": "How long a session lasted, at its client",
    "server.session": "How long a session lasted, at its server",
}
# What a span says and a duration does not: it takes too many values.
_OF_ONE_CALL = ("jsonrpc.request.id", "mcp.resource.uri")
# Says, among others, that there is no such tool or prompt, so that its name is the peer's invention.
_INVALID_PARAMS = "-32602"

logger: logging.Logger = logging.getLogger("mcp.opentelemetry")
# By name the provider that a histogram was made by, and the histogram.
_made: dict[str, tuple[Any, Any]] = {}


def _histogram(what: str) -> Any:
    """The histogram, made once for each provider."""
    from opentelemetry.metrics import get_meter_provider

    provider = get_meter_provider()
    of, found = _made.get(what, (None, None))
    if of is not provider:
        found = provider.get_meter("mcpbolt").create_histogram(
            f"mcp.{what}.duration",
            unit="s",
            description=_WORDS[what],
            explicit_bucket_boundaries_advisory=_BOUNDS,
        )
        _made[what] = (provider, found)
    return found


def _record(what: str, since: float, attributes: Mapping[str, Any]) -> None:
    took = perf_counter() - since
    try:
        _histogram(what).record(took, attributes)
    except Exception:
        # The program's provider is no reason to fail a call.
        logger.warning("%s was not recorded", f"mcp.{what}.duration", exc_info=True)


def record_call(side: Side, since: float, attributes: Mapping[str, Any], declared: Rows) -> None:
    """Record a call that began at `since`, by `perf_counter`, with the attributes of its span.
    `declared`: the methods of the program's extensions.
    """
    if not otel.measures():
        return
    said = {key: value for key, value in attributes.items() if key not in _OF_ONE_CALL}
    # A peer may make up any number of methods and names.
    if not _is_known(said["mcp.method.name"], declared):
        said["mcp.method.name"] = "_OTHER"
    if said.get("error.type") == _INVALID_PARAMS:
        said = {key: value for key, value in said.items() if key not in ("gen_ai.tool.name", "gen_ai.prompt.name")}
    _record(f"{side}.operation", since, said)


def _is_known(method: str, declared: Rows) -> bool:
    """Whether the protocol has the method, or an extension that the program declared."""
    return method in METHODS or any(row["method"] == method for row in declared)


def record_session(side: Side, since: float, revision: str | None, failure: str | None) -> None:
    """Record a session that began at `since`, by `perf_counter`, and the kind of error that ended
    it; none if one side closed it.
    """
    said = {"mcp.protocol.version": revision, "error.type": failure}
    _record(f"{side}.session", since, {key: value for key, value in said.items() if value is not None})
