"""Readings of missing keys: the figures of a score with and without wildcards, and the records without any key."""

from sdckit.formatting import percent
from sdckit.measure import Score
from sdckit.microdata import Role
from sdckit.release import Release

LABELS = {"any-value": "missing key as any value", "own-value": "missing key as own value"}


def hole_readings(score: Score) -> tuple[tuple[str, str], ...]:
    """Each reading of a missing key in words and its figure; none where no key is missing.

    >>> hole_readings(Score(0.5, details={"by_holes": {"any-value": 0.0, "own-value": 0.5}}))
    (('missing key as any value', '0%'), ('missing key as own value', '50.0%'))
    """
    figures = score.details.get("by_holes", {})
    return tuple((LABELS[rule], percent(figures[rule])) for rule in LABELS if rule in figures)


def suppressed_records(release: Release) -> int:
    """How many released records have all keys missing."""
    names = [name for name in release.original.names(role=Role.KEY) if name in release.masked]
    if not names:
        return 0
    return int((release.masked.codes(names) < 0).all(axis=1).sum())
