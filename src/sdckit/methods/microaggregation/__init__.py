"""Microaggregation: put similar records into small groups and publish the group average in place of each."""
