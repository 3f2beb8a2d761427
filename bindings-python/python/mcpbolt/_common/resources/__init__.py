"""Resources, and functions as resources and templates."""
