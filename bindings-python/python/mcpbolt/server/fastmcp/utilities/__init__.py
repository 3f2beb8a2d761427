"""Helpers of the high-level server."""
