"""Separation: pairs of records that keys tell apart."""

from itertools import combinations

import numpy as np
import pytest
from tests.methods.categories import random_keys, unordered

from sdckit.release import protect
from sdckit.risk.uniqueness.separation import Separation


def test_by_hand():
    data = unordered(a=["x", "x", "y", "y"], b=["u", "v", "u", "u"])
    score = Separation().measure(protect(data, "optimal-generalisation:group_size=1", seed=1))
    assert score.value == pytest.approx(5 / 6)  # only the last two records agree
    assert score.by_attribute == pytest.approx({"a": 4 / 6, "b": 3 / 6})
    assert score.details["distinction"] == pytest.approx(3 / 4)
    assert score.details["sets"]["a + b"] == pytest.approx({"separation": 5 / 6, "distinction": 3 / 4})


def test_it_counts_the_pairs():
    data = random_keys(30, [3, 4, 2], 5)
    rows = data.codes(("a", "b", "c"))
    pairs = [bool((rows[i] != rows[j]).any()) for i, j in combinations(range(30), 2)]
    score = Separation(keys=3).measure(protect(data, "optimal-generalisation:group_size=1", seed=1))
    assert score.value == pytest.approx(np.mean(pairs))
    assert len(score.details["sets"]) == 7


def test_more_keys_never_separate_less():
    sets = (
        Separation(keys=3, listed=99)
        .measure(protect(random_keys(40, [3, 4, 2], 6), "optimal-generalisation:group_size=1", seed=1))
        .details["sets"]
    )
    for names, figures in sets.items():
        for other in sets:
            if set(other.split(" + ")) > set(names.split(" + ")):
                assert sets[other]["separation"] >= figures["separation"]
                assert sets[other]["distinction"] >= figures["distinction"]
