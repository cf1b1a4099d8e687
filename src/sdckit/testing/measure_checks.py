"""What every risk and loss owes: a figure that can be read, on every release, or the reason why there is none."""

import json
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.catalogue import Entry
from sdckit.errors import NotApplicableError, SdcError
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score
from sdckit.microdata import Microdata, Role
from sdckit.release import Release, protect
from sdckit.rows import NOBODY, Sampled
from sdckit.testing.component_checks import settings
from sdckit.testing.files import odd_files, ordinary, same_columns, snapshot

SEED = 20
ROUNDING = 1e-9
BRIEFLY = 0.1  # seconds for a measure that takes as many as it is given
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


def untouched(data: Microdata) -> Release:
    """The file released as it is."""
    return Release.in_order(data, data.without(data.names(role=Role.IDENTIFIER)))


@lru_cache(maxsize=1)
def ordinary_release() -> Release:
    """The ordinary file, rank swapped."""
    return protect(ordinary(), "rank-swapping:window=0.1", seed=SEED)


@lru_cache(maxsize=1)
def odd_releases() -> tuple[tuple[str, Release], ...]:
    """Releases that a measure must measure or decline: of odd files, and of a part of the records."""
    plain = ordinary_release()
    half = plain.masked.take(np.arange(0, len(plain.masked), 2))
    made = [
        ("microaggregated", protect(ordinary(), "mdav", seed=SEED)),
        ("untouched", untouched(ordinary())),
        ("half of the rows", Release(plain.original, half, plain.recipe)),
        ("one row", Release(plain.original, plain.masked.take(np.array([7])), plain.recipe)),
        ("rows that are nobody's", Release(plain.original, half, plain.recipe, Sampled(np.full(len(half), NOBODY)))),
    ]
    for told, data in odd_files().items():
        try:
            made.append((told, protect(data, "rank-swapping:window=0.4", seed=SEED)))
        except SdcError:
            made.append((told, untouched(data)))
    return tuple(made)


def measured(entry: Entry, told: str, release: Release, intruder: Intruder = Intruder(), **values: Any) -> Score | None:
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
        raise AssertionError(f"crash on {told}, {measure!r}: {crash!r}; raise a NotApplicableError") from crash
    assert isinstance(score, Score), f"{score!r} is no Score"
    return score


@lru_cache(maxsize=4)
def scores(entry: Entry) -> tuple[tuple[str, Release, Score], ...]:
    """All releases that the measure applies to, with every usual value of its parameters, and several intruders."""
    plain = ordinary_release()
    found = [
        (f"an ordinary release, {v}", plain, measured(entry, "an ordinary release", plain, **v))
        for v in settings(entry)
    ]
    found += [(told, plain, measured(entry, told, plain, intruder)) for told, intruder in INTRUDERS.items()]
    found += [(told, release, measured(entry, told, release)) for told, release in odd_releases()]
    return tuple((told, release, score) for told, release, score in found if score is not None)


def it_applies_to_an_ordinary_release(entry: Entry) -> None:
    assert measured(entry, "an ordinary release", ordinary_release()) is not None, "it declines one"


def it_measures_or_declines_every_release(entry: Entry) -> None:
    assert scores(entry)


def the_value_is_a_number_and_not_negative(entry: Entry) -> None:
    for told, _, score in scores(entry):
        assert np.isfinite(score.value) and score.value >= 0, f"it is {score.value} on {told}"


def the_same_seed_gives_the_same_score(entry: Entry) -> None:
    for told, release in (("an ordinary release", ordinary_release()), *odd_releases()):
        one, other = (measured(entry, told, release, Intruder(records=0.5)) for _ in range(2))
        if anytime(entry):
            assert within_the_bound_of(one, other) and within_the_bound_of(other, one), f"beyond a bound on {told}"
        else:
            assert told_of(one) == told_of(other), f"not so on {told}"


def what_it_is_given_never_changes(entry: Entry) -> None:
    for told, release in (("an ordinary release", ordinary_release()), *odd_releases()):
        before = snapshot(release.original), snapshot(release.masked)
        measured(entry, told, release)
        after = snapshot(release.original), snapshot(release.masked)
        assert all(map(same_columns, before, after)), f"the release changed on {told}"


def figures_by_record_stand_in_the_order_of_the_original(entry: Entry) -> None:
    for told, release, score in scores(entry):
        if score.by_record is not None:
            records = len(release.original)
            assert score.by_record.shape == (records,), f"{score.by_record.shape} for {records} records on {told}"
            assert not np.isinf(score.by_record).any(), f"infinite on {told}"


def figures_by_attribute_are_of_attributes_in_the_release(entry: Entry) -> None:
    for told, release, score in scores(entry):
        strange = [name for name in score.by_attribute or {} if name not in release.original]
        assert not strange, f"there is no attribute {strange} on {told}"


def the_interval_and_the_bound_hold_the_value(entry: Entry) -> None:
    for told, _, score in scores(entry):
        low, high = score.interval or (score.value, score.value)
        assert low - ROUNDING <= score.value <= high + ROUNDING, f"{score.value} is not in {score.interval} on {told}"
        assert score.bound is None or score.value <= score.bound + ROUNDING, f"it is beyond its bound on {told}"


def the_order_of_the_masked_rows_does_not_matter(entry: Entry) -> None:
    for told, release in (("an ordinary release", ordinary_release()), *odd_releases()):
        order = np.random.default_rng(SEED).permutation(len(release.masked))
        shuffled = Release(release.original, release.masked.take(order), release.recipe, Sampled(release.origin[order]))
        one, other = measured(entry, told, release), measured(entry, told, shuffled)
        assert (one is None) == (other is None), f"it applies in one order only on {told}"
        if anytime(entry):
            assert within_the_bound_of(one, other) and within_the_bound_of(other, one), f"beyond a bound on {told}"
        elif one is not None and other is not None:
            assert np.isclose(one.value, other.value, rtol=ROUNDING, atol=ROUNDING), (
                f"{one.value} becomes {other.value} on {told}"
            )
            assert same_figures(one.by_record, other.by_record), f"by record, on {told}"


def same_figures(one: NDArray[np.float64] | None, other: NDArray[np.float64] | None) -> bool:
    """Whether figures by record agree but for rounding, NaN included."""
    if one is None or other is None:
        return one is other
    return np.allclose(one, other, rtol=ROUNDING, atol=ROUNDING, equal_nan=True)


def the_score_can_be_written_as_json(entry: Entry) -> None:
    for told, _, score in scores(entry):
        try:
            json.dumps(score.to_dict(by_record=True), allow_nan=False)
        except (TypeError, ValueError) as crash:
            raise AssertionError(f"not on {told}: {crash}") from crash


def told_of(score: Score | None) -> str:
    """All that a score says, to compare two."""
    return "declined" if score is None else json.dumps(score.to_dict(by_record=True), sort_keys=True)


def a_risk_is_a_share(entry: Entry) -> None:
    for told, _, score in scores(entry):
        assert score.value <= 1, f"{score.value} on {told}"
        figures = np.array([score.value if score.baseline is None else score.baseline, *(score.interval or ())])
        assert ((figures >= 0) & (figures <= 1)).all(), f"baseline or interval leave 0 to 1 on {told}"
        if score.by_record is not None:
            judged = score.by_record[np.isfinite(score.by_record)]
            assert ((judged >= 0) & (judged <= 1)).all(), f"a record's figure leaves 0 to 1 on {told}"


def nothing_is_lost_by_the_untouched_file(entry: Entry) -> None:
    for told, data in {"an ordinary file": ordinary(), **odd_files()}.items():
        for values in settings(entry):
            score = measured(entry, f"{told}, untouched", untouched(data), **values)
            assert score is None or score.value == 0, f"{score.value} on {told}, {values}"


def a_loss_does_not_ask_who_attacks(entry: Entry) -> None:
    plain = measured(entry, "an ordinary release", ordinary_release())
    for told, intruder in INTRUDERS.items():
        score = measured(entry, told, ordinary_release(), intruder)
        assert told_of(score) == told_of(plain), f"it changes with {told}"


CHECKS = (
    it_applies_to_an_ordinary_release,
    it_measures_or_declines_every_release,
    the_value_is_a_number_and_not_negative,
    the_same_seed_gives_the_same_score,
    what_it_is_given_never_changes,
    figures_by_record_stand_in_the_order_of_the_original,
    figures_by_attribute_are_of_attributes_in_the_release,
    the_interval_and_the_bound_hold_the_value,
    the_order_of_the_masked_rows_does_not_matter,
    the_score_can_be_written_as_json,
)
RISK_CHECKS = (a_risk_is_a_share,)
LOSS_CHECKS = (nothing_is_lost_by_the_untouched_file, a_loss_does_not_ask_who_attacks)
