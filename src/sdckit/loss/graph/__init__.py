"""Graph losses: what a masked graph no longer shows of the structure of the original."""
