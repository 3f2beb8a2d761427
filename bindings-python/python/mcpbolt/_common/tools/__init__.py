"""Functions as tools."""
