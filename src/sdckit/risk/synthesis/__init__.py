"""Attacks on synthetic data: they need no correspondence of rows, and compare with records the method never saw."""
