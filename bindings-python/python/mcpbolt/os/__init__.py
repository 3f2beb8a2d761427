"""Handling of processes on different operating systems."""
