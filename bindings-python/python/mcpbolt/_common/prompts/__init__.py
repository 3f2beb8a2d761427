"""Functions as prompts."""
