"""Microaggregation: put similar records into small groups and publish the group average instead of each."""
