import numpy as np
import pytest
from tests.conftest import reference_file

from sdckit.catalogue import find
from sdckit.published.cluster_specific_loss import CLUSTERINGS, GENERIC, correlation, correlations, reproduce


def test_the_correlation_is_that_of_the_order():
    one = np.array([1.0, 2, 3, 4])
    assert correlation(one, one**3) == pytest.approx(1)
    assert correlation(one, -one) == pytest.approx(-1)
    assert correlation(one, np.ones(4)) == 0


def test_every_clustering_is_correlated_with_every_generic_loss():
    rows = [
        {"masking": name, **dict.fromkeys(CLUSTERINGS, value), **dict.fromkeys(GENERIC, value), "IL2": -value}
        for name, value in (("a", 0.1), ("b", 0.2), ("c", 0.4))
    ]
    found = correlations(rows)
    assert len(found) == len(GENERIC) * len(CLUSTERINGS)
    assert all(value == pytest.approx(-1 if name == "IL2" else 1) for (_, name), value in found.items())


@pytest.mark.slow
def test_a_part_of_the_study_runs_and_losses_are_shares():
    reference_file("data", "CASCrefmicrodata.csv")
    done = reproduce(seed=1, quick=True)
    families = [find("masking", row["masking"]).family for row in done.rows]
    assert len(set(families)) == len(families) and {"microaggregation", "noise", "swapping"} <= set(families)
    assert all(0 <= row[title] <= 1 for row in done.rows for title in CLUSTERINGS)
    assert any("Spearman" in note for note in done.notes)
