"""Clients without a user in front of them."""
