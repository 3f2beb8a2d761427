"""The engine room: how the native engine is driven. Private.

Owns: taking items, running handlers and handing results back. Must not know: a shape or a word
of an official package; the faces on top of it decide those.
"""
