"""Tasks of 2025-11-25: their state, wherever the work is done. The protocol has withdrawn them
since; programs for 1.x that use them keep working.
"""
