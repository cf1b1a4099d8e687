"""A survey with holes, masked by chains, sampled and shuffled: what is certain is true, and order does not matter."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.intruder import Intruder
from sdckit.release import Release, protect
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.risk.transparency.intersection_attack import allowed_rows
from sdckit.testing.files import a_file, with_missing

CHAINS = (
    ["pram", "rank-swapping:window=0.1"],
    ["simple-sampling:share=0.5", "pram", "additive-noise"],
    ["local-suppression", "rank-swapping:window=0.1", "simple-sampling:share=0.5"],
)


@pytest.mark.parametrize("chain", CHAINS, ids=" → ".join)
def test_what_is_certain_is_true_and_the_order_of_the_rows_does_not_matter(chain):
    release = protect(with_missing(a_file(90)), chain, seed=5)
    view = Intruder().view(release)
    truth = release.true_rows(view.records)
    released = np.flatnonzero(truth >= 0)
    constraints = allowed_rows(view)
    links = constraints._within(constraints.promised, released, truth[released])
    assert links.truth_covered.all()
    score = InformedIntruder().measure(release)
    assert score.details["certain_matches"] == int((links.count == 1).sum()) <= round(score.value * len(truth))
    order = np.random.default_rng(3).permutation(len(release.masked))
    masked = replace(release.masked.take(order), lineage=None)
    shuffled = Release(release.original, masked, release.recipe, type(release.rows)(release.origin[order]))
    again = InformedIntruder().measure(shuffled)
    assert again.value == pytest.approx(score.value, abs=0.03)
    assert again.details["certain_matches"] == score.details["certain_matches"]
