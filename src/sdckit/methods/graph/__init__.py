"""Graph maskings: other edges between the same nodes, so that no node is known by its links."""
