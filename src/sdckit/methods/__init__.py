"""Maskings, one method a file."""
