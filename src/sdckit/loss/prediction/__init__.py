"""Prediction: how far models of the two files differ."""
