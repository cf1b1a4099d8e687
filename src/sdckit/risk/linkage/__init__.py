"""Record linkage: how many records an intruder re-identifies in the release."""
