"""Worst case: the most records that a distance of a family can link, found by learning it, with a proven limit."""
