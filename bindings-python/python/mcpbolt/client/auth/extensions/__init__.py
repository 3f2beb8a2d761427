"""Authorization of clients without a user."""
