"""Experimental features of 1.x clients."""

from .tasks import ExperimentalClientFeatures

__all__ = ["ExperimentalClientFeatures"]
