"""Which parameter of a function is the context.

Owns: its place in the official package. Must not know: how it works.
"""

from ....._common.functions.injection import find_context_parameter, inject_context

__all__ = ["find_context_parameter", "inject_context"]
