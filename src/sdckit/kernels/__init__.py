"""Pure functions on arrays: the arithmetic of masking, attacking and measuring."""
