"""Composite risks: several figures combined into one, as the comparisons of the literature do."""
