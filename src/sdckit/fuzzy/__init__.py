"""Fuzzy clustering, fuzzy measures and aggregation operators: numpy arrays in, named results out.

Each clustering is a function in a file of its name, such as `sdckit.fuzzy.c_means.c_means`; its result is a `Clusters`
with centres, memberships on demand, the objective of every step, and what went wrong. `clusterings` has them as values
that a recipe can write; `operators` does so for weighted means, OWA, Choquet and Sugeno integrals.
"""
