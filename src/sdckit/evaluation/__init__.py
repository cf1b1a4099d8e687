"""Evaluation of releases: assessing, attacking, comparing, tuning, and checking against a policy."""
