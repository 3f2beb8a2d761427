"""What 1.x has of experiments in clients."""

from .tasks import ExperimentalClientFeatures

__all__ = ["ExperimentalClientFeatures"]
