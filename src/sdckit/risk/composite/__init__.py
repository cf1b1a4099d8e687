"""Composite risks: several figures weighed into one, as the comparisons of the literature do."""
