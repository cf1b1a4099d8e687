"""Fuzzy clustering, fuzzy measures and aggregation operators."""
