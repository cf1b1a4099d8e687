"""How exact a figure of a file beyond memory is."""

from enum import StrEnum


class Exactness(StrEnum):
    """How exact a figure is."""

    EXACT = "exact"  # that of all records
    SAMPLED = "sampled"  # that of a stated sample, with an interval
    BOUNDED = "bounded"  # the true figure lies on a known side of it
