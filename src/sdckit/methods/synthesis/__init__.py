"""Synthesis: replace values, or whole records, by draws from a model of the file."""
