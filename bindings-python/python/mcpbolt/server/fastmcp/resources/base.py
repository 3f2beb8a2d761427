"""The base class of resources."""

from ...._common.resources.base import Resource

__all__ = ["Resource"]
