"""What every risk must do: give a share; an attack finds nobody who cannot be found."""

from dataclasses import replace
from itertools import product

import numpy as np

from sdckit.catalogue import Entry
from sdckit.measure import Finds, Measure
from sdckit.release import protect
from sdckit.testing.files import ordinary
from sdckit.testing.measurements import ROUNDING, measured, scores
from sdckit.testing.releases import SEED, file_with_edits_and_households, ordinary_release, untouched


def a_risk_is_a_share(entry: Entry) -> None:
    for label, _, score in scores(entry):
        assert score.value <= 1, f"{score.value} on {label}"
        figures = np.array([score.value if score.baseline is None else score.baseline, *(score.interval or ())])
        assert ((figures >= 0) & (figures <= 1)).all(), f"baseline or interval leave 0 to 1 on {label}"
        if score.by_record is not None:
            judged = score.by_record[np.isfinite(score.by_record)]
            assert ((judged >= 0) & (judged <= 1)).all(), f"a record's figure leaves 0 to 1 on {label}"


def finds_records(entry: Entry) -> bool:
    """Whether the figure is a share of records re-identified."""
    assert issubclass(entry.component, Measure)
    return entry.component.finds is Finds.RECORDS


def among_equal_records_nobody_is_found_but_by_a_guess(entry: Entry) -> None:
    if not finds_records(entry):
        return
    for records, file in product((2, 12), (ordinary(), file_with_edits_and_households())):
        data = replace(file.take(np.zeros(records, dtype=np.int64)), lineage=None)
        release = replace(untouched(data), recipe=ordinary_release().recipe)
        score = measured(entry, f"{records} equal records", release)
        assert score is None or score.value <= 1 / records + ROUNDING, (
            f"it finds {score.value:.0%} of {records} equal records released unchanged; a guess finds one"
        )


def a_record_without_a_row_is_not_found(entry: Entry) -> None:
    if not finds_records(entry):
        return
    for label, release, score in scores(entry):
        if score.by_record is not None:
            absent = release.true_rows(np.arange(len(release.original))) < 0
            found = np.nan_to_num(score.by_record[absent])
            assert not found.any(), f"{int((found > 0).sum())} records that have no row are found on {label}"


def more_is_found_in_a_lightly_masked_file_than_in_a_scrambled_one(entry: Entry) -> None:
    if not finds_records(entry):
        return
    for file in (ordinary(), file_with_edits_and_households()):  # the second for what matches households
        light = protect(file, "additive-noise:variance_share=0.0001", seed=SEED)
        rng = np.random.default_rng(SEED)
        columns = {each.name: rng.permutation(light.masked.columns[each.name]) for each in light.masked.attributes}
        scrambled = replace(light, masked=light.masked.with_columns(columns))
        found, left = measured(entry, "a lightly masked file", light), measured(entry, "a scrambled file", scrambled)
        if found is not None and left is not None:
            break
    assert found is not None and left is not None, "it declines a file with little noise, or a scrambled one"
    assert found.value > left.value, f"{found.value} with little noise, {left.value} where every column is scrambled"


CHECKS = (
    a_risk_is_a_share,
    among_equal_records_nobody_is_found_but_by_a_guess,
    a_record_without_a_row_is_not_found,
    more_is_found_in_a_lightly_masked_file_than_in_a_scrambled_one,
)
