"""Joint inference: who is who, given how likely each released row is for each record and that no two share a row."""
