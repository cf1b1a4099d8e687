"""Each check of the measures sees the breach that it is there for."""

import numpy as np
import pytest

from sdckit import Score
from sdckit.catalogue import Entry, entries
from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.measure import Finds, Measure, Need, loss, risk
from sdckit.microdata import Microdata
from sdckit.testing import measure_checks
from sdckit.testing.releases import changed_releases, ordinary_release

BY_NAME = {
    check.__name__: check
    for check in (*measure_checks.CHECKS, *measure_checks.RISK_CHECKS, *measure_checks.LOSS_CHECKS)
}


def breaks(component, check: str) -> bool:
    """Whether a component fails a check."""
    try:
        BY_NAME[check](Entry(component.kind, component.name, component))
    except AssertionError:
        return True
    return False


def mean_of(file, name="yearly income"):
    seen = file.columns[name][~file.absent(name)] if name in file else np.zeros(0)
    return float(seen.mean()) if len(seen) else 0.0


@risk("finds-everybody", reference="x", finds=Finds.RECORDS)
class FindsEverybody(Measure):
    """Everybody, also where all records are equal and where there is no row."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        return Score(1.0, by_record=np.ones(len(release.original)))


@risk("finds-the-hidden", reference="x", finds=Finds.RECORDS, needs={Need.ROWS})
class FindsTheHidden(Measure):
    """What linkage does not find."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        from sdckit.catalogue import build

        score = build("risk", "distance-linkage").measure(release, intruder, seed=seed)
        return Score(1 - score.value, by_record=1 - score.by_record)


@risk("silent-about-rows", reference="x")
class SilentAboutRows(Measure):
    """Uses which row is whose and does not declare it."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        return Score(float((release.known_origin >= 0).mean()))


@risk("rows-for-nothing", reference="x", needs={Need.ROWS})
class RowsForNothing(Measure):
    """Claims to need rows, and does without."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        return Score(0.5)


@risk("recipe-for-nothing", reference="x", needs={Need.RECIPE})
class RecipeForNothing(Measure):
    """Claims to need the recipe, and does without."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        return Score(0.5)


@risk("reads-a-secret-recipe", reference="x", needs={Need.RECIPE})
class ReadsASecretRecipe(Measure):
    """Reads the recipe for an intruder who does not know it."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        if release.recipe is None:
            raise NotApplicableError("there is no recipe")
        return Score(0.5)


@risk("silent-about-the-recipe", reference="x")
class SilentAboutTheRecipe(Measure):
    """Uses the recipe and does not declare it."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        return Score(float(release.recipe is not None))


@risk("learns-without-rows", reference="x", needs={Need.TRUTH})
class LearnsWithoutRows(Measure):
    """Learns from true links that it does not need."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        return Score(0.5)


@loss("signed", reference="x")
class Signed(Measure):
    """A difference of means with its sign."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        return Score(mean_of(release.masked) - mean_of(release.original))


@loss("one-sided", reference="x")
class OneSided(Measure):
    """A difference of means in one direction alone."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        return Score(max(0.0, mean_of(release.masked) - mean_of(release.original)))


@loss("blind", reference="x")
class Blind(Measure):
    """No loss, whatever happened."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        return Score(0.0)


@loss("counts-what-was-missing", reference="x", needs={Need.ROWS})
class CountsWhatWasMissing(Measure):
    """Changes of values, those included that the original does not have."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        names = release.evaluated_attributes()
        before, after = map(np.nan_to_num, release.pairs(names))
        return Score(float((before != after).mean()))


@loss("needs-whole-files", reference="x")
class NeedsWholeFiles(Measure):
    """Stumbles over lost values and dropped records."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        names = [each.name for each in release.masked.attributes if not each.coded]
        if len(release.masked) < len(release.original):
            raise ValueError("shapes differ")
        gaps = [release.masked.columns[name].mean() - release.original.columns[name].mean() for name in names]
        return Score(float(np.abs(gaps).sum()))


@pytest.mark.parametrize(
    ("component", "check"),
    [
        (FindsEverybody, "among_equal_records_nobody_is_found_but_by_a_guess"),
        (FindsEverybody, "a_record_without_a_row_is_not_found"),
        (FindsEverybody, "more_is_found_in_a_lightly_masked_file_than_in_a_scrambled_one"),
        (FindsTheHidden, "more_is_found_in_a_lightly_masked_file_than_in_a_scrambled_one"),
        (SilentAboutRows, "a_measure_that_needs_no_rows_gives_the_same_value_without_them"),
        (RowsForNothing, "a_measure_that_needs_rows_declines_without_them"),
        (RecipeForNothing, "a_measure_that_needs_the_recipe_declines_without_it"),
        (ReadsASecretRecipe, "a_measure_that_needs_the_recipe_declines_without_it"),
        (SilentAboutTheRecipe, "a_measure_that_needs_the_recipe_declines_without_it"),
        (LearnsWithoutRows, "a_measure_that_learns_from_the_truth_needs_rows"),
        (Signed, "the_value_is_a_number_and_not_negative"),
        (OneSided, "a_change_either_way_is_a_loss"),
        (Blind, "some_change_is_a_loss"),
        (CountsWhatWasMissing, "a_value_missing_in_the_original_does_not_count"),
        (NeedsWholeFiles, "it_measures_or_declines_every_release"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_breach_is_seen(component, check):
    assert breaks(component, check)


def test_changed_releases_move_every_mean_both_ways_lose_values_and_drop_records():
    releases, plain = changed_releases(), ordinary_release().original
    for name in ("age", "yearly income", "rent", "savings"):
        assert mean_of(releases["values moved down"].masked, name) < mean_of(plain, name)
        assert mean_of(releases["values moved up"].masked, name) > mean_of(plain, name)
    assert releases["a third of the values lost"].masked.missing("rent") == len(plain) / 3
    assert len(releases["records of high income dropped"].masked) == len(plain) * 2 / 3


def test_every_attack_on_records_needs_rows():
    attacks = [entry.component for entry in entries("risk", Microdata) if entry.component.finds is Finds.RECORDS]
    assert attacks and all(Need.ROWS in attack.needs for attack in attacks)
