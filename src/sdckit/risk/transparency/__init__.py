"""Transparency: attacks by an intruder who knows the method and its parameters."""
