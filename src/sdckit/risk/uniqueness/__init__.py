"""Uniqueness: how many records are rare or unique by their keys."""
