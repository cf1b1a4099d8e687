"""Worst case: the most records that any distance of a family links, by learning the distance, with a proven bound."""
