"""The experimental features of clients in 1.x."""

from .tasks import ExperimentalClientFeatures

__all__ = ["ExperimentalClientFeatures"]
