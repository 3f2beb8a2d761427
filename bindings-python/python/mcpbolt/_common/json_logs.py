"""Log messages as JSON lines, for those who collect logs.

Owns: the members of a line. Must not know: where lines go, and which messages are written.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime, timezone
from typing import Any

# The attributes that every record has; what else it has, the program gave as `extra`.
_OWN = frozenset({*vars(logging.makeLogRecord({})), "message", "asctime"})


class JsonLines(logging.Formatter):
    """Writes a record as one line: `time` (UTC, ISO 8601), `level`, `logger`, `message`; `exception`
    if there is one; `trace_id` and `span_id` inside a span of OpenTelemetry; and the members of
    `extra`, those that JSON lacks as text.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        line.update(_span())
        line.update({name: value for name, value in vars(record).items() if name not in _OWN and name not in line})
        return json.dumps(line, ensure_ascii=False, default=str)


def _span() -> dict[str, str]:
    trace = sys.modules.get("opentelemetry.trace")
    current = getattr(trace, "get_current_span", None)
    context = current().get_span_context() if current is not None else None
    if context is None or not context.is_valid:
        return {}
    return {"trace_id": f"{context.trace_id:032x}", "span_id": f"{context.span_id:016x}"}
