"""Statistical disclosure control of microdata: mask a file, attack the release, measure what was lost."""

__version__ = "0.1.0"
