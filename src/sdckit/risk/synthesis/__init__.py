"""Attacks on synthetic data: they need no row to be anybody's, and compare with records that the method never saw."""
