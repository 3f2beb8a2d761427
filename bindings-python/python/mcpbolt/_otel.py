"""Whether a program has turned OpenTelemetry on. The spans themselves are in `_spans`.

`opentelemetry-api` is not a dependency: nothing of it is loaded unless the program, or its
environment, has turned tracing on, and until then a call costs one look into a dictionary.
"""

from __future__ import annotations

import os
import sys

from ._switches import switches

# Whether the API itself would choose a provider. Looked up once: each call comes by here.
_IS_NAMED = bool(os.environ.get("OTEL_PYTHON_TRACER_PROVIDER"))


def is_on() -> bool:
    """Whether anybody takes spans: the program has set a provider, or its environment
    names one. Not where the package behaves as official 1.x, which makes none: libraries
    make theirs around it, and would have each twice.
    """
    if switches.official:
        return False
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return _IS_NAMED and _is_installed()
    # Another thread may be loading it this moment.
    provider = getattr(trace, "get_tracer_provider", None)
    return provider is not None and not isinstance(provider(), trace.ProxyTracerProvider)


def _is_installed() -> bool:
    from importlib.util import find_spec

    try:
        return find_spec("opentelemetry.trace") is not None
    except ModuleNotFoundError:
        return False
