"""Disclosure risks and attacks, one a file."""
