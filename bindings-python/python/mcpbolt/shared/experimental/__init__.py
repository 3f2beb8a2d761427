"""The experimental features of both sides in 1.x."""
