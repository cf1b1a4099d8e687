"""Graph risks: nodes that an intruder re-identifies by what is known of their links."""
