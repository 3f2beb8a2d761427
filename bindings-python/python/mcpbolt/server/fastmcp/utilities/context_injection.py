"""Which parameter of a function gets the `Context`."""

from ...._common.functions.injection import find_context_parameter, inject_context

__all__ = ["find_context_parameter", "inject_context"]
