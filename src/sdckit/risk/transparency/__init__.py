"""Transparency: attacks by who knows the method and its parameters."""
