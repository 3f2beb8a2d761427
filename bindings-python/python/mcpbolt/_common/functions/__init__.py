"""What a registered function's signature means, and how it is called."""
