"""Fuzzy clustering, fuzzy measures and aggregation operators; free of the rest, useful alone."""
