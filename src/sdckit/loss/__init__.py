"""Information losses, one a file."""
