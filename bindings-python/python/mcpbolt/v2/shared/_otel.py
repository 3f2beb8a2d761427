"""The tracer that programs for 2.x may replace.

Owns: its name and place in the official package. Must not know: which spans are made. Tests
that record spans put theirs here, and one that records nothing to end that.
"""

from __future__ import annotations

from opentelemetry.trace import Tracer, get_tracer

_tracer: Tracer = get_tracer("mcp-python-sdk")
