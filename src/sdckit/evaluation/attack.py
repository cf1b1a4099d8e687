"""Attack: what an ordinary and a fully informed intruder find, side by side; the difference is what openness costs."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import combinations, islice
from typing import Any

import numpy as np

from sdckit.catalogue import find
from sdckit.errors import NotApplicableError
from sdckit.formatting import html_table, percent
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score
from sdckit.microdata import Kind
from sdckit.randomness import child, generator
from sdckit.release import Release

ORDINARY = "distance-linkage"
ORDINARY_WITH_CATEGORIES = "mixed-linkage"  # so that both intruders use all that they know
INFORMED = ("intersection-attack", "posterior-attack")
SETS = 5  # of attributes tried for each number known
NUMBERS = 8  # of attributes known that are tried
RECORDS = 1000  # attacked for the curve: it is to show the shape, the scores are on all


@dataclass(frozen=True)
class Found:
    """The shares of records found with so many attributes known; None where the intruder has no such attack."""

    known: int
    ordinary: float
    informed: float | None


@dataclass(frozen=True, eq=False)
class Attack:
    """The scores with all attributes known, and the shares found as more of them are."""

    attributes: tuple[str, ...]
    ordinary: Score
    informed: Mapping[str, Score]
    curve: tuple[Found, ...]

    @property
    def worst(self) -> Score:
        """The attack that finds most."""
        return max([self.ordinary, *self.informed.values()], key=lambda score: score.value)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "attributes": list(self.attributes),
            "ordinary": self.ordinary.to_dict(),
            "informed": [score.to_dict() for score in self.informed.values()],
            "curve": [asdict(each) for each in self.curve],
        }

    def _repr_html_(self) -> str:
        """What a notebook shows: each attack, and the shares found by the number of attributes known."""
        attacks = [
            (score.name, percent(score.value), percent(score.details.get("certain_matches")), percent(score.baseline))
            for score in (self.ordinary, *self.informed.values())
        ]
        curve = [(str(each.known), percent(each.ordinary), percent(each.informed)) for each in self.curve]
        return html_table(("attack", "found", "certain", "guessing"), attacks) + html_table(
            ("attributes known", "without the method", "with it"), curve
        )


def attack(
    release: Release,
    *,
    intruder: Intruder = Intruder(),
    seed: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Attack:
    """Attack a release as one who has only the file, and as one who also knows method and parameters."""
    say = progress or (lambda piece: None)
    names = intruder.known_attributes(release)
    if not names:
        raise NotApplicableError("the intruder knows no attribute that the release still has")
    linkage = ORDINARY if names == intruder.known_attributes(release, Kind.ORDERED) else ORDINARY_WITH_CATEGORIES
    say(linkage)
    ordinary = _measured(linkage, release, intruder, seed)
    assert ordinary is not None
    informed = {}
    for name in INFORMED if intruder.knows_method else ():
        say(name)
        score = _measured(name, release, intruder, seed)
        if score is not None:
            informed[name] = score
    curve = []
    for size in numbers_known(len(names)):
        say(f"{size} attributes known")
        curve.append(_found(release, intruder, names, size, linkage, tuple(informed), seed))
    return Attack(names, ordinary, informed, tuple(curve))


def numbers_known(attributes: int) -> list[int]:
    """The numbers of attributes to try: all of them, or some spread from one to all."""
    return sorted({round(size) for size in np.linspace(1, attributes, min(attributes, NUMBERS))})


def _found(
    release: Release,
    intruder: Intruder,
    names: tuple[str, ...],
    size: int,
    linkage: str,
    informed: tuple[str, ...],
    seed: int | None,
) -> Found:
    some = intruder
    if intruder.records is None and len(release.original) > 2 * RECORDS:
        some = replace(intruder, records=RECORDS / len(release.original))
    plain, knowing = [], []
    for chosen in _sets(names, size, seed):
        world = replace(some, attributes=chosen)
        score = _measured(linkage, release, world, seed)
        plain.append(score.value if score else 0.0)
        found = [score.value for name in informed if (score := _measured(name, release, world, seed)) is not None]
        knowing.append(max([plain[-1], *found]))
    return Found(size, float(np.mean(plain)), float(np.mean(knowing)) if informed else None)


def _sets(names: tuple[str, ...], size: int, seed: int | None) -> list[tuple[str, ...]]:
    few = list(islice(combinations(names, size), SETS + 1))
    if len(few) <= SETS:
        return few
    rng = child(generator(seed or 0), "attack", size)
    drawn = [np.sort(rng.choice(len(names), size, replace=False)) for _ in range(SETS)]
    return [tuple(names[place] for place in places) for places in drawn]


def _measured(name: str, release: Release, intruder: Intruder, seed: int | None) -> Score | None:
    measure = find("risk", name).build()
    assert isinstance(measure, Measure)
    try:
        return replace(measure.measure(release, intruder, seed=seed), name=name, kind="risk")
    except NotApplicableError:
        return None
