"""Uniqueness: how many records stand out by their keys."""
