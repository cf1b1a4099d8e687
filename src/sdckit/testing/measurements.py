"""What a measure gives on the releases of the checks, with every value to check of its parameters."""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from sdckit.catalogue import Entry
from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score
from sdckit.release import Release
from sdckit.testing.component_checks import settings
from sdckit.testing.releases import SEED, odd_releases, ordinary_release, synthesised_releases

ROUNDING = 1e-9
BRIEFLY = 0.1  # seconds for a measure that takes as many as its budget allows
INTRUDERS = {
    "one attribute known": Intruder(attributes=("rent",)),
    "three records known": Intruder(records=(5, 0, 17)),
    "half of the records known": Intruder(records=0.5),
    "all known with an error": Intruder(noise=0.1),
    "the method unknown": Intruder(knows_method=False),
}


def anytime(entry: Entry) -> bool:
    """Whether the figure depends on the time there is."""
    return issubclass(entry.component, Measure) and entry.component.anytime


def within_the_bound_of(one: Score | None, other: Score | None) -> bool:
    """Whether a figure is not above what another run proved to be the most."""
    return one is None or other is None or other.bound is None or one.value <= other.bound + ROUNDING


def measured(
    entry: Entry, label: str, release: Release, intruder: Intruder = Intruder(), **values: Any
) -> Score | None:
    """The score, or None where the measure says that it does not apply; anything else is a breach."""
    if anytime(entry):
        values = {"budget": BRIEFLY} | values
    assert issubclass(entry.component, Measure)
    needed = {name: value for name, value in entry.component.example.items() if values.get(name) is None}
    measure = entry.build(**(values | needed))
    try:
        score = measure.measure(release, intruder, seed=SEED)
    except NotApplicableError:
        return None
    except Exception as crash:
        raise AssertionError(f"crash on {label}, {measure!r}: {crash!r}; raise a NotApplicableError") from crash
    assert isinstance(score, Score), f"{score!r} is not a Score"
    return score


@lru_cache(maxsize=4)
def scores(entry: Entry) -> tuple[tuple[str, Release, Score], ...]:
    """All releases that the measure applies to, with every value to check of its parameters, and several intruders."""
    more = releases_for_attacks_on_synthesis(entry)
    return scores_on(entry, ordinary_release(), INTRUDERS, (*odd_releases(), *more))


def releases_for_attacks_on_synthesis(entry: Entry) -> tuple[tuple[str, Release], ...]:
    """Synthetic files for an attack that may apply to one sort of synthesis alone; none for other measures."""
    assert issubclass(entry.component, Measure)
    return synthesised_releases() if entry.component.for_synthesis else ()


def scores_on(
    entry: Entry, plain: Release, intruders: Mapping[str, Intruder], odd: Iterable[tuple[str, Release]]
) -> tuple[tuple[str, Release, Score], ...]:
    """The scores on an ordinary release, with every value to check and every intruder, and on odd ones."""
    found = [
        (f"an ordinary release, {v}", plain, measured(entry, "an ordinary release", plain, **v))
        for v in settings(entry)
    ]
    found += [(label, plain, measured(entry, label, plain, intruder)) for label, intruder in intruders.items()]
    found += [(label, release, measured(entry, label, release)) for label, release in odd]
    return tuple((label, release, score) for label, release, score in found if score is not None)


def described(score: Score | None) -> str:
    """All that a score contains, to compare two."""
    return "declined" if score is None else json.dumps(score.to_dict(by_record=True), sort_keys=True)
