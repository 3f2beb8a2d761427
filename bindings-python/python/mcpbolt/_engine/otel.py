"""Whether a program has turned OpenTelemetry on. The spans themselves are in `spans`.

`opentelemetry-api` is not a dependency. It is not imported unless the program or its
environment has turned tracing on, and until then a call costs one lookup in a dictionary.
"""

from __future__ import annotations

import os
import sys

from . import face

# Whether the API would choose a provider by itself. Read once, because every call checks it.
_IS_NAMED = bool(os.environ.get("OTEL_PYTHON_TRACER_PROVIDER"))


def is_on() -> bool:
    """Whether spans are recorded: the program has set a tracer provider, or its environment
    names one, and the face allows it.
    """
    if not face.current.makes_spans:
        return False
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return _IS_NAMED and _is_installed()
    # Another thread may be importing it right now.
    provider = getattr(trace, "get_tracer_provider", None)
    return provider is not None and not isinstance(provider(), trace.ProxyTracerProvider)


def _is_installed() -> bool:
    from importlib.util import find_spec

    try:
        return find_spec("opentelemetry.trace") is not None
    except ModuleNotFoundError:
        return False
