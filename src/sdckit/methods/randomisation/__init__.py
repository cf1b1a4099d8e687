"""Randomisation: publish categories that chance has changed."""
