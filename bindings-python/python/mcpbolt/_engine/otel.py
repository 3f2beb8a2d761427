"""Whether a program has turned OpenTelemetry on. What is recorded is in `spans` and `durations`.

`opentelemetry-api` is not a dependency. It is not imported unless the program or its
environment has turned it on, and until then a call costs two lookups in a dictionary.
"""

from __future__ import annotations

import os
import sys

from . import face

_TRACE, _METRICS = "opentelemetry.trace", "opentelemetry.metrics"
# How each is asked for the program's provider.
_ASK = {_TRACE: "get_tracer_provider", _METRICS: "get_meter_provider"}
# Whether the API would choose a provider by itself. Read once, because every call checks it.
_IS_NAMED = {
    _TRACE: bool(os.environ.get("OTEL_PYTHON_TRACER_PROVIDER")),
    _METRICS: bool(os.environ.get("OTEL_PYTHON_METER_PROVIDER")),
}


def is_on() -> bool:
    """Whether spans or durations are recorded: the program has set a provider of tracers or
    of meters, or its environment names one, and the face allows it.
    """
    return face.current.makes_spans and (_records(_TRACE) or _records(_METRICS))


def measures() -> bool:
    """Whether durations are recorded."""
    return face.current.makes_spans and _records(_METRICS)


def _records(name: str) -> bool:
    module = sys.modules.get(name)
    if module is None:
        return _IS_NAMED[name] and _is_installed(name)
    # Another thread may be importing it right now.
    ask = getattr(module, _ASK[name], None)
    # Providers that the API itself has record nothing.
    return ask is not None and not type(ask()).__module__.startswith(name)


def _is_installed(name: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
