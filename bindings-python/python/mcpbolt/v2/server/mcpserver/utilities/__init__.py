"""Helpers of the high-level server.

Owns: nothing. Must not know: how it works.
"""

