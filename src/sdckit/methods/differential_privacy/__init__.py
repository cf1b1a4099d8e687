"""Differential privacy: noise whose size depends on public bounds, and a stated limit on what one record changes."""
