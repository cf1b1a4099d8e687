"""Generalisation: coarsen the keys until enough records share each combination of them."""
