"""Whether a program has turned OpenTelemetry on. What is recorded is in `spans` and `durations`.

`opentelemetry-api` is not a dependency. It is not imported unless the program or its
environment has turned it on, and until then a call costs two lookups in a dictionary.
"""

from __future__ import annotations

import os
import sys
from typing import Any, NamedTuple

from . import face


class _Signal(NamedTuple):
    """Spans, or metrics."""

    api: str
    # Where the API keeps the program's provider, and the function that returns it.
    module: str
    kept: str
    ask: str
    # Whether the API would choose a provider by itself. Read once, because every call checks it.
    is_named: bool

    def is_on(self) -> bool:
        module = sys.modules.get(self.module)
        if module is None:
            return self.is_named and _is_installed(self.api)
        # Read in its place: the function looks at the environment each time, for a microsecond.
        provider: Any = getattr(module, self.kept, module)
        if provider is None:
            return self.is_named
        if provider is module:
            # Another thread may be importing it right now.
            ask = getattr(module, self.ask, None)
            provider = ask() if ask is not None else None
        # Providers that the API itself has record nothing.
        return provider is not None and not type(provider).__module__.startswith(self.api)


_TRACE = _Signal(
    "opentelemetry.trace",
    "opentelemetry.trace",
    "_TRACER_PROVIDER",
    "get_tracer_provider",
    bool(os.environ.get("OTEL_PYTHON_TRACER_PROVIDER")),
)
_METRICS = _Signal(
    "opentelemetry.metrics",
    "opentelemetry.metrics._internal",
    "_METER_PROVIDER",
    "get_meter_provider",
    bool(os.environ.get("OTEL_PYTHON_METER_PROVIDER")),
)
_MAY_START = _TRACE.is_named or _METRICS.is_named


def is_on() -> bool:
    """Whether spans or durations are recorded: the program has set a provider of tracers or
    of meters, or its environment names one, and the face allows it.
    """
    loaded = sys.modules
    if _TRACE.module not in loaded and _METRICS.module not in loaded and not _MAY_START:
        return False
    return face.current.makes_spans and (_TRACE.is_on() or _METRICS.is_on())


def measures() -> bool:
    """Whether durations are recorded."""
    return face.current.makes_spans and _METRICS.is_on()


def _is_installed(name: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
