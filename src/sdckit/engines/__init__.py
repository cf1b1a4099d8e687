"""Engines: describe, mask and measure files that do not fit into memory.

A release is planned as relational steps (sort, group, join: SQL) and kernels that see one part of the file at a time.
DuckDB runs such a plan out of core on one machine, Spark on a cluster; both read and write the same parts and give the
same figures.
"""
