"""An intruder who knows the file that entered knows with which probability each record got each centre."""

import numpy as np
import pytest

from sdckit.catalogue import build
from sdckit.likelihood import RecordTableLaw
from sdckit.release import protect
from sdckit.risks import InformedIntruder
from sdckit.testing.files import a_file

NAMES = ["yearly income", "rent", "savings"]
METHODS = [
    "fuzzy-microaggregation",
    "fuzzy-assignment",
    "fuzzy-medoids",
    "fuzzy-series",
    "constrained-fuzzy-microaggregation",
]
DRAWS = 100


def file_of(records, missing=0.0):
    file = a_file(records, seed=3).only(NAMES).with_roles(savings="key")
    lost = np.random.default_rng(8).random((records, len(NAMES))) < missing
    return file.with_matrix(NAMES, np.where(lost, np.nan, file.matrix(NAMES)))


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_the_law_of_a_drawn_centre_is_how_often_it_is_drawn(method, missing):
    file = file_of(15, missing)
    masking = build("masking", method, assignment_fuzziness=1.6, group_size=3)
    drawn = [protect(file, masking, NAMES, seed=seed).masked for seed in range(DRAWS)]
    law = masking.law(drawn[0], file)
    assert isinstance(law, RecordTableLaw)
    (table,) = law.parts
    first, rows = drawn[0].matrix(NAMES), np.array([each.matrix(NAMES) for each in drawn])
    for record in range(len(file)):
        for row in range(len(file)):
            if (np.isnan(first[row]) != np.isnan(file.matrix(NAMES)[record])).any():
                continue  # another pattern of missing values is impossible, which a block of its own says
            probability = float(np.exp(table.log_probability[record, table.of_row[row]]))
            same = np.isclose(rows[:, record], first[row], rtol=1e-9, equal_nan=True).all(axis=1)
            error = np.sqrt(probability * (1 - probability) / DRAWS) + 1 / DRAWS
            assert abs(same.mean() - probability) < 5 * error


@pytest.mark.parametrize("method", METHODS)
def test_an_intruder_who_knows_the_file_has_the_exact_law(method):
    release = protect(file_of(60), method, NAMES, seed=4)
    score = InformedIntruder().measure(release, seed=1)
    assert set(score.details["laws"].values()) == {"exact"}
    assert score.details["expected_found_is_bound"]


def test_mixed_blocks_have_the_exact_law_too():
    file = a_file(60, seed=5)
    release = protect(file, "fuzzy-microaggregation", seed=4)
    score = InformedIntruder().measure(release, seed=1)
    assert set(score.details["laws"].values()) == {"exact"}


def test_rows_that_no_centre_explains_have_no_exact_law():
    file = file_of(30)
    masking = build("masking", "fuzzy-microaggregation")
    other = protect(file, "additive-noise", seed=1).masked
    assert not isinstance(masking.law(other, file), RecordTableLaw)


def test_expected_found_is_what_is_found_over_many_draws():
    file, masking = file_of(40), f"{METHODS[0]}:assignment_fuzziness=1.6,group_size=3"
    scores = [InformedIntruder().measure(protect(file, masking, seed=seed), seed=1) for seed in range(20)]
    found = np.array([score.value for score in scores])
    expected = np.array([score.details["expected_found"] for score in scores])
    gap = found - expected
    assert abs(gap.mean()) < 4 * gap.std(ddof=1) / np.sqrt(len(gap))
