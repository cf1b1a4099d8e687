"""What every loss must do: be 0 where nothing changed, and not where something did, whatever the direction."""

import numpy as np

from sdckit.catalogue import Entry
from sdckit.measure import Need
from sdckit.release import Release, protect
from sdckit.testing.component_checks import settings
from sdckit.testing.files import odd_files, ordinary
from sdckit.testing.measure_declarations import needs_of, uses_of
from sdckit.testing.measurements import INTRUDERS, ROUNDING, described, measured, scores
from sdckit.testing.releases import SEED, changed_releases, ordinary_release, untouched


def nothing_is_lost_by_the_untouched_file(entry: Entry) -> None:
    for label, data in {"an ordinary file": ordinary(), **odd_files()}.items():
        for values in settings(entry):
            score = measured(entry, f"{label}, untouched", untouched(data), **values)
            assert score is None or score.value == 0, f"{score.value} on {label}, {values}"


def a_loss_does_not_ask_who_attacks(entry: Entry) -> None:
    plain = measured(entry, "an ordinary release", ordinary_release())
    for label, intruder in INTRUDERS.items():
        score = measured(entry, label, ordinary_release(), intruder)
        assert described(score) == described(plain), f"it changes with {label}"


def some_change_is_a_loss(entry: Entry) -> None:
    figures = [score.value for _, _, score in scores(entry)]
    assert max(figures) > 0, "no release costs anything"


def a_change_either_way_is_a_loss(entry: Entry) -> None:
    if uses_of(entry) & {Need.ROWS} and Need.ROWS not in needs_of(entry):
        return  # a model of either file need not lose as much
    for one, other in (("values moved up", "values moved down"), ("values spread out", "values drawn together")):
        up, down = (measured(entry, label, changed_releases()[label]) for label in (one, other))
        if up is not None and down is not None:
            assert (up.value > ROUNDING) == (down.value > ROUNDING), (
                f"{up.value} with {one} and {down.value} with {other}; count the change whatever its sign"
            )


def a_value_missing_in_the_original_does_not_count(entry: Entry) -> None:
    if Need.ROWS not in needs_of(entry):
        return  # without rows nobody can say which values were missing
    data = odd_files()["missing values"]
    masked = protect(data, "rank-swapping:window=0.4", seed=SEED).masked
    filled = {}
    for each in masked.attributes:
        column, there = masked.columns[each.name], ~data.absent(each.name)
        filled[each.name] = np.where(there, column, column[there][0])
    plain = measured(entry, "missing values", Release.in_order(data, masked))
    changed = measured(entry, "missing values filled in", Release.in_order(data, masked.with_columns(filled)))
    assert (plain is None) == (changed is None), "it applies only with or only without missing values in the release"
    if plain is not None and changed is not None:
        assert np.isclose(plain.value, changed.value, rtol=ROUNDING, atol=ROUNDING), (
            f"{plain.value} becomes {changed.value} by values that the original does not have"
        )


CHECKS = (
    nothing_is_lost_by_the_untouched_file,
    a_loss_does_not_ask_who_attacks,
    some_change_is_a_loss,
    a_change_either_way_is_a_loss,
    a_value_missing_in_the_original_does_not_count,
)
