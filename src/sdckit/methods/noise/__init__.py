"""Noise: add a random disturbance to each value."""
