"""Swapping: exchange values between records, so that every marginal distribution stays."""
