"""Processes, as each operating system wants them handled."""
