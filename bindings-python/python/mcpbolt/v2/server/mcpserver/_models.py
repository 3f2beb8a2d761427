"""Which models what both lines share has in 2.x.

Owns: that they are those of 2.x. Must not know: what is made of them. They are loaded when one is
first made.
"""

from __future__ import annotations

from typing import Any


class OwnModels:
    """Comes before a class of both lines, which makes models by its `_models`."""

    @property
    def _models(self) -> Any:
        from ... import types

        return types
