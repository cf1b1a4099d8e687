"""Weighing a release: assessing it by every measure that applies."""
