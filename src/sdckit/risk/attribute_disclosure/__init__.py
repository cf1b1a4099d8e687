"""Attribute disclosure: how much an intruder learns of a value without finding the record."""
