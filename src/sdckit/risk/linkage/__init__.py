"""Record linkage: how many records an intruder finds again in the release."""
