"""Statistics: how far values, means, variances and correlations moved."""
