"""Attack: what an ordinary and a fully informed intruder re-identify; the difference is the cost of transparency."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import combinations, islice
from typing import Any

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.evaluation.measurement import Measurement, quick_measures
from sdckit.formatting import html_table, percent
from sdckit.intruder import Intruder
from sdckit.measure import Composite, Finds, Measure, Need, Score
from sdckit.progress import NoProgress, Progress, by_piece
from sdckit.randomness import child, generator
from sdckit.release import Release

SETS = 5  # of attributes tried for each number known
NUMBERS = 8  # of attributes known that are tried
RECORDS = 1000  # attacked for the curve, which shows the shape; the scores are on all


@dataclass(frozen=True)
class Found:
    """The shares re-identified where `known` attributes are known; None where the intruder has no such attack."""

    known: int
    ordinary: float
    informed: float | None


@dataclass(frozen=True, eq=False)
class Attack:
    """The scores with all attributes known, and the shares re-identified as the number of known attributes grows."""

    attributes: tuple[str, ...]
    ordinary: Score
    informed: Mapping[str, Score]
    curve: tuple[Found, ...]

    @property
    def worst(self) -> Score:
        """The strongest attack."""
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
        """What a notebook shows: each attack, and the shares re-identified by the number of attributes known."""
        attacks = [
            (score.name, percent(score.value), percent(score.details.get("certain_matches")), percent(score.baseline))
            for score in (self.ordinary, *self.informed.values())
        ]
        curve = [(str(each.known), percent(each.ordinary), percent(each.informed)) for each in self.curve]
        return html_table(("attack", "re-identified", "with certainty", "guessing"), attacks) + html_table(
            ("attributes known", "method unknown", "method known"), curve
        )


def ordinary_attacks() -> tuple[Measure, ...]:
    """The quick attacks of an intruder who does not know how the file was masked."""
    return _attacks(lambda needs: Need.RECIPE not in needs)


def informed_attacks() -> tuple[Measure, ...]:
    """The quick attacks that use the published method and its parameters."""
    return _attacks(lambda needs: Need.RECIPE in needs)


def _attacks(fits: Callable[[frozenset[Need]], bool]) -> tuple[Measure, ...]:
    return tuple(
        each
        for each in quick_measures()
        if each.finds is Finds.RECORDS
        and Need.TRUTH not in each.needs
        and not isinstance(each, Composite)
        and fits(each.needs)
    )


def attack(
    release: Release,
    *,
    intruder: Intruder = Intruder(),
    seed: int | None = None,
    progress: Progress = NoProgress(),
) -> Attack:
    """Attack a release as an intruder who has only the file, and as one who also knows method and parameters.

    Parameters
    ----------
    intruder
        Which attributes of which records are known; `Intruder(knows_method=False)` leaves out the second attack.
    seed
        Seed of the attacks that draw at random.

    Returns
    -------
    The strongest attack without the method, the attacks that use it, and the shares re-identified by the number of
    attributes known.

    Example
    -------
    >>> from sdckit.datasets import simulate_business
    >>> from sdckit.release import protect
    >>> found = attack(protect(simulate_business(40, seed=1), "rank-swapping:window=0.1", seed=1), seed=1)
    >>> sorted(found.informed)
    ['intersection-attack', 'posterior-attack']
    >>> found.worst.value >= found.ordinary.value
    True
    """
    names = intruder.known_attributes(release)
    if not names:
        raise NotApplicableError("the intruder knows no attribute that the release still has")
    informing = informed_attacks() if intruder.knows_method else ()
    sizes = numbers_known(len(names))
    report = by_piece(progress, len(ordinary_attacks()) + len(informing) + len(sizes))
    measurement = Measurement(release, intruder, seed)
    linkage, ordinary = _strongest(measurement, report)
    informed = {}
    for measure in informing:
        report(measure.name)
        score = _score(measurement, measure)
        if score is not None:
            informed[measure] = score
    curve = []
    for size in sizes:
        report(f"{size} attributes known")
        curve.append(_found(release, intruder, names, size, linkage, tuple(informed), seed))
    return Attack(names, ordinary, {each.name: score for each, score in informed.items()}, tuple(curve))


def _strongest(measurement: Measurement, report: Callable[[str], None]) -> tuple[Measure, Score]:
    """The strongest attack of an intruder who does not know the method."""
    scores: dict[Measure, Score] = {}
    reason: NotApplicableError | None = None
    for measure in ordinary_attacks():
        report(measure.name)
        try:
            scores[measure] = measurement.score(measure)
        except NotApplicableError as why:
            reason = reason or why
    if not scores:
        raise reason or NotApplicableError("no attack applies to this release")
    return max(scores.items(), key=lambda pair: pair[1].value)


def numbers_known(attributes: int) -> list[int]:
    """The numbers of attributes to try: all of them, or some from one to all."""
    return sorted({round(size) for size in np.linspace(1, attributes, min(attributes, NUMBERS))})


def _found(
    release: Release,
    intruder: Intruder,
    names: tuple[str, ...],
    size: int,
    linkage: Measure,
    informed: tuple[Measure, ...],
    seed: int | None,
) -> Found:
    some = intruder
    if intruder.records is None and len(release.original) > 2 * RECORDS:
        some = replace(intruder, records=RECORDS / len(release.original))
    ordinary, best = [], []
    for chosen in _sets(names, size, seed):
        measurement = Measurement(release, replace(some, attributes=chosen), seed)
        score = _score(measurement, linkage)
        ordinary.append(score.value if score else 0.0)
        shares = [score.value for each in informed if (score := _score(measurement, each)) is not None]
        best.append(max([ordinary[-1], *shares]))
    return Found(size, float(np.mean(ordinary)), float(np.mean(best)) if informed else None)


def _sets(names: tuple[str, ...], size: int, seed: int | None) -> list[tuple[str, ...]]:
    few = list(islice(combinations(names, size), SETS + 1))
    if len(few) <= SETS:
        return few
    rng = child(generator(seed or 0), "attack", size)
    drawn = [np.sort(rng.choice(len(names), size, replace=False)) for _ in range(SETS)]
    return [tuple(names[index] for index in indices) for indices in drawn]


def _score(measurement: Measurement, measure: Measure) -> Score | None:
    try:
        return measurement.score(measure)
    except NotApplicableError:
        return None
