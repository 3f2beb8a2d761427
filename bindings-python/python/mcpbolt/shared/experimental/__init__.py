"""Experimental features of 1.x for clients and servers."""

from __future__ import annotations

import warnings

# Programs filter the warning by its first words.
_WITHDRAWN = (
    "The experimental tasks API is deprecated: the protocol has withdrawn the tasks of 2025-11-25. Those of "
    "2026-07-28 are an extension of the protocol."
)


def warn_of_tasks() -> None:
    """Warn the caller of a function that it uses tasks which the protocol has withdrawn."""
    warnings.warn(_WITHDRAWN, DeprecationWarning, stacklevel=3)
