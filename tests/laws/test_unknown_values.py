"""Values that the intruder does not know: a rare value points to the one who is known to have it."""

import numpy as np
import polars as pl
import pytest

from sdckit.intruder import Intruder
from sdckit.microdata import Kind, Microdata, Role
from sdckit.release import protect
from sdckit.risks import InformedIntruder
from tests.laws.test_informed_law import law_of, table_of

SHARES = {"town": [0.5, 0.25, 0.15, 0.1], "job": [0.4, 0.3, 0.2, 0.1], "street": [1 / 30] * 30}


def independent_file(records, seed):
    """Categories that are independent of each other, so that what is not known follows its own distribution alone."""
    rng = np.random.default_rng(seed)
    columns = {name: rng.choice(len(share), records, p=share).astype(str) for name, share in SHARES.items()}
    roles = dict.fromkeys(SHARES, Role.KEY)
    return Microdata.from_frame(pl.DataFrame(columns), roles=roles, kinds=dict.fromkeys(SHARES, Kind.UNORDERED))


def test_a_row_is_as_likely_for_a_record_of_which_nothing_is_known_as_for_anybody():
    data = independent_file(60, seed=1)
    release = protect(data, "simple-sampling:share=0.9", seed=1)
    law = law_of(release, attributes=("town",), missing=0.5)
    table = table_of(law)
    view = Intruder(("town",), missing=0.5).view(release, seed=1)
    known, released = view.known.columns["town"], release.masked.columns["town"]
    share = np.bincount(released) / len(released)
    unknown, equal = known < 0, known[:, None] == released[None, :]
    assert unknown.any() and not unknown.all()
    # Relative to anybody: nothing for who is not known, the inverse of its share for who has the value.
    assert np.allclose(table[unknown], 0.0)
    assert np.allclose(table[equal], -np.log(share[released])[None, :].repeat(60, 0)[equal], atol=0.01)
    assert np.isneginf(table[~unknown[:, None] & ~equal]).all()


@pytest.mark.slow
@pytest.mark.parametrize("chain", [["simple-sampling:share=0.5"], ["pram"], ["simple-sampling:share=0.5", "pram"]])
def test_an_intruder_who_lacks_values_finds_what_is_expected(chain):
    differences = []
    for seed in range(12):
        release = protect(independent_file(300, seed), chain, seed=seed)
        score = InformedIntruder().measure(release, Intruder(missing=1 / 3), seed=seed)
        differences.append(score.value - score.details["expected_found"])
    error = np.std(differences) / np.sqrt(len(differences))
    assert abs(np.mean(differences)) < 4 * error
