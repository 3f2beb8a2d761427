"""POSIX systems."""
