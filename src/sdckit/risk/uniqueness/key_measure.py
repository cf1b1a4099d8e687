"""Measures of released keys: each figure by both readings of a missing key, and the stricter one counts.

If a missing key agreed with every value only, a few blank rows would agree with everybody, and a file of sample uniques
would pass for k-anonymous. If it were only a value of its own, nobody could compare with figures from elsewhere.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from sdckit.errors import ParameterError
from sdckit.holes import Holes
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.uniqueness.released_keys import ReleasedKeys

BOTH = (Holes.ANY_VALUE, Holes.OWN_VALUE)
RULES = (Holes.STRICTER, *BOTH)
WHAT_A_HOLE_IS = "what a missing key counts as: any-value, own-value, or stricter (the higher figure)"


@dataclass(frozen=True, kw_only=True)
class KeyMeasure(Measure):
    """A risk that compares the keys of released rows with each other, by `of_keys`."""

    key_kinds: ClassVar[Kind] = Kind.ANY
    reads_confidential: ClassVar[bool] = False
    readings: ClassVar[tuple[Holes, ...]] = RULES

    holes: Holes = param(Holes.STRICTER, WHAT_A_HOLE_IS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rule(self.holes, self.readings, self.name)

    def of_keys(self, keys: ReleasedKeys) -> Score:
        """The score by one reading of missing keys."""
        raise TypeError(f"{type(self).__name__} must define of_keys")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        return by_holes(ReleasedKeys.seen_by(intruder, release, self.key_kinds), self.of_keys, self.holes)


def check_rule(holes: Holes, rules: tuple[Holes, ...], owner: str) -> None:
    """Refuse a rule that a measure does not have."""
    if holes not in rules:
        raise ParameterError(f"{owner}: holes = {holes} is not one of {', '.join(map(str, rules))}")


def by_holes(keys: ReleasedKeys, score_of: Callable[[ReleasedKeys], Score], holes: Holes) -> Score:
    """The score by the rule named; where a key is missing, the figures by both readings are in the details."""
    if not keys.has_holes:
        return score_of(keys)
    return side_by_side(score_of(keys), score_of(keys.holes_as_values), holes, keys.suppressed_records)


def side_by_side(any_value: Score, own_value: Score, holes: Holes, suppressed_records: int) -> Score:
    """The score that counts by the rule named, with the figures of both; where they are equal, that of own-value.

    Where the scores have a smallest class, it too is given by both; the records without any key are counted apart.
    """
    scores = {Holes.OWN_VALUE: own_value, Holes.ANY_VALUE: any_value}
    counted = max(scores, key=lambda rule: scores[rule].value) if holes is Holes.STRICTER else holes
    details: dict[str, Any] = {
        **scores[counted].details,
        "holes_counted_as": str(counted),
        "by_holes": {str(rule): scores[rule].value for rule in BOTH},
        "suppressed_records": suppressed_records,
    }
    if "smallest_class" in details:
        details["smallest_class_by_holes"] = {str(rule): scores[rule].details["smallest_class"] for rule in BOTH}
    return replace(scores[counted], details=details)
