"""Clustering: how far the clusters that an analyst finds in the two files differ."""
