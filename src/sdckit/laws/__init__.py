"""Release laws: how likely each released row is for each record that an intruder knows."""
