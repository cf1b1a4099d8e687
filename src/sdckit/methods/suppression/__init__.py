"""Suppression: leave out the values that make a record rare."""
