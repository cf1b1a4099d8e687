"""What every risk and loss must do: give a figure that can be read, on every release, or the reason for none."""

import json

import numpy as np
from numpy.typing import NDArray

from sdckit.catalogue import Entry
from sdckit.intruder import Intruder
from sdckit.release import Release
from sdckit.rows import Sampled
from sdckit.testing import loss_checks, measure_declarations, risk_checks
from sdckit.testing.files import same_columns, snapshot
from sdckit.testing.measurements import (
    ROUNDING,
    anytime,
    described,
    measured,
    releases_for_attacks_on_synthesis,
    scores,
    within_the_bound_of,
)
from sdckit.testing.releases import SEED, odd_releases, ordinary_release


def it_applies_to_an_ordinary_release(entry: Entry) -> None:
    releases = {"an ordinary release": ordinary_release()} | dict(releases_for_attacks_on_synthesis(entry))
    assert any(measured(entry, label, each) is not None for label, each in releases.items()), "it declines one"


def it_measures_or_declines_every_release(entry: Entry) -> None:
    assert scores(entry)


def the_value_is_a_number_and_not_negative(entry: Entry) -> None:
    for label, _, score in scores(entry):
        assert np.isfinite(score.value) and score.value >= 0, f"it is {score.value} on {label}"


def the_same_seed_gives_the_same_score(entry: Entry) -> None:
    for label, release in (("an ordinary release", ordinary_release()), *odd_releases()):
        one, other = (measured(entry, label, release, Intruder(records=0.5)) for _ in range(2))
        if anytime(entry):
            assert within_the_bound_of(one, other) and within_the_bound_of(other, one), f"beyond a bound on {label}"
        else:
            assert described(one) == described(other), f"not so on {label}"


def what_it_is_given_never_changes(entry: Entry) -> None:
    for label, release in (("an ordinary release", ordinary_release()), *odd_releases()):
        before = snapshot(release.original), snapshot(release.masked)
        measured(entry, label, release)
        after = snapshot(release.original), snapshot(release.masked)
        assert all(map(same_columns, before, after)), f"the release changed on {label}"


def figures_by_record_are_in_the_order_of_the_original(entry: Entry) -> None:
    for label, release, score in scores(entry):
        if score.by_record is not None:
            records = len(release.original)
            assert score.by_record.shape == (records,), f"{score.by_record.shape} for {records} records on {label}"
            assert not np.isinf(score.by_record).any(), f"infinite on {label}"


def figures_by_attribute_are_of_attributes_in_the_release(entry: Entry) -> None:
    for label, release, score in scores(entry):
        strange = [name for name in score.by_attribute or {} if name not in release.original]
        assert not strange, f"there is no attribute {strange} on {label}"


def the_interval_and_the_bound_contain_the_value(entry: Entry) -> None:
    for label, _, score in scores(entry):
        low, high = score.interval or (score.value, score.value)
        assert low - ROUNDING <= score.value <= high + ROUNDING, f"{score.value} is not in {score.interval} on {label}"
        assert score.bound is None or score.value <= score.bound + ROUNDING, f"it is beyond its bound on {label}"


def the_order_of_the_masked_rows_does_not_matter(entry: Entry) -> None:
    for label, release in (("an ordinary release", ordinary_release()), *odd_releases()):
        order = np.random.default_rng(SEED).permutation(len(release.masked))
        shuffled = Release(release.original, release.masked.take(order), release.recipe, Sampled(release.origin[order]))
        one, other = measured(entry, label, release), measured(entry, label, shuffled)
        assert (one is None) == (other is None), f"it applies in one order only on {label}"
        if anytime(entry):
            assert within_the_bound_of(one, other) and within_the_bound_of(other, one), f"beyond a bound on {label}"
        elif one is not None and other is not None:
            assert np.isclose(one.value, other.value, rtol=ROUNDING, atol=ROUNDING), (
                f"{one.value} becomes {other.value} on {label}"
            )
            assert same_figures(one.by_record, other.by_record), f"by record, on {label}"


def same_figures(one: NDArray[np.float64] | None, other: NDArray[np.float64] | None) -> bool:
    """Whether figures by record agree except for rounding, NaN included."""
    if one is None or other is None:
        return one is other
    return np.allclose(one, other, rtol=ROUNDING, atol=ROUNDING, equal_nan=True)


def the_score_can_be_written_as_json(entry: Entry) -> None:
    for label, _, score in scores(entry):
        try:
            json.dumps(score.to_dict(by_record=True), allow_nan=False)
        except (TypeError, ValueError) as crash:
            raise AssertionError(f"not on {label}: {crash}") from crash


CHECKS = (
    it_applies_to_an_ordinary_release,
    it_measures_or_declines_every_release,
    the_value_is_a_number_and_not_negative,
    the_same_seed_gives_the_same_score,
    what_it_is_given_never_changes,
    figures_by_record_are_in_the_order_of_the_original,
    figures_by_attribute_are_of_attributes_in_the_release,
    the_interval_and_the_bound_contain_the_value,
    the_order_of_the_masked_rows_does_not_matter,
    the_score_can_be_written_as_json,
    *measure_declarations.CHECKS,
)
RISK_CHECKS = risk_checks.CHECKS
LOSS_CHECKS = loss_checks.CHECKS
