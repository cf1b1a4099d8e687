"""Categorical: how much detail recoding, suppression and changed categories cost."""
