"""Randomisation: publish categories that were changed at random."""
