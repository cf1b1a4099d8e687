"""Attribute disclosure: how much an intruder learns of a value without re-identifying the record."""
