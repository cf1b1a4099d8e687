"""Disclosure risks and attacks, one per file."""
