"""Learning the distance, linear in its parameters, that links most records, with proven bounds."""
