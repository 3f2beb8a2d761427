"""The names of the official package 2.x, as their explicit home.

Owns: what `import mcp` gives a program written for 2.x. Must not know: the names of 1.x.
"""
