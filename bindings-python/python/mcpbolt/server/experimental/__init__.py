"""Tasks of 2025-11-25 on a server of 1.x: tools whose work goes on after their call is answered.

The protocol has withdrawn them since; programs for 1.x that use them keep working. Tasks of
2026-07-28 are the engine's own, see `mcpbolt.server.extension`.
"""
