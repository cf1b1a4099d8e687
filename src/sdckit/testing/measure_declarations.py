"""What a measure declares to need is what it needs."""

from dataclasses import replace

import numpy as np

from sdckit.catalogue import Entry
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Need
from sdckit.testing.measurements import ROUNDING, anytime, described, measured
from sdckit.testing.releases import ordinary_release, without_correspondence


def needs_of(entry: Entry) -> frozenset[Need]:
    """What the measure declares to need."""
    assert issubclass(entry.component, Measure)
    return entry.component.needs


def uses_of(entry: Entry) -> frozenset[Need]:
    """What the measure declares to need, or to take into account."""
    assert issubclass(entry.component, Measure)
    return entry.component.needs | entry.component.uses


def a_measure_that_needs_rows_declines_without_them(entry: Entry) -> None:
    if Need.ROWS not in needs_of(entry):
        return
    for label, _, release in without_correspondence():
        score = measured(entry, label, release)
        assert score is None, f"it gives {score.value} on {label}; raise a NotApplicableError, or declare no such need"


def a_measure_that_needs_no_rows_gives_the_same_value_without_them(entry: Entry) -> None:
    if anytime(entry) or Need.ROWS in needs_of(entry):
        return
    for label, known, release in without_correspondence():
        with_them, score = measured(entry, label, known), measured(entry, label, release)
        assert (score is None) == (with_them is None), f"it applies only with or only without rows on {label}"
        if score is not None and with_them is not None and Need.ROWS not in uses_of(entry):
            assert np.isclose(score.value, with_them.value, rtol=ROUNDING, atol=ROUNDING), (
                f"{with_them.value} becomes {score.value} on {label}; declare needs={{Need.ROWS}}"
            )


def a_measure_that_needs_the_recipe_declines_without_it(entry: Entry) -> None:
    release = ordinary_release()
    without = replace(release, recipe=None)
    score = measured(entry, "a release without a recipe", without)
    if Need.RECIPE in needs_of(entry):
        assert score is None, "it measures a release without a recipe; raise a NotApplicableError"
        secret = measured(entry, "the method unknown", release, Intruder(knows_method=False))
        assert secret is None, "it attacks the recipe for an intruder who does not know it"
    elif Need.RECIPE not in uses_of(entry) and not anytime(entry):
        plain = measured(entry, "an ordinary release", release)
        assert described(score) == described(plain), "the figure depends on the recipe; declare needs={Need.RECIPE}"


def a_measure_that_learns_from_the_truth_needs_rows(entry: Entry) -> None:
    assert Need.TRUTH not in needs_of(entry) or Need.ROWS in needs_of(entry), "declare needs={Need.ROWS, Need.TRUTH}"


CHECKS = (
    a_measure_that_needs_rows_declines_without_them,
    a_measure_that_needs_no_rows_gives_the_same_value_without_them,
    a_measure_that_needs_the_recipe_declines_without_it,
    a_measure_that_learns_from_the_truth_needs_rows,
)
