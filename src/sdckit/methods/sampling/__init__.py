"""Sampling: publish only some of the records."""
