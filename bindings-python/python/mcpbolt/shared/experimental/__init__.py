"""What 1.x has of experiments on both sides."""
