"""Chains of recodings whose release is read from a file, which lacks the categories between two steps."""

from itertools import product

import numpy as np
import pytest
from tests.methods.categories import ZIPS, zips

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.occurring_values import only_occurring
from sdckit.recipe import Recipe
from sdckit.release import aligned

STEPS = (
    *("global-recoding:levels=1", "global-recoding:levels=2"),
    *("local-recoding:threshold=3,levels=1", "local-recoding:threshold=9,levels=2"),
    *("local-generalisation:group_size=4", "optimal-generalisation:group_size=4", "pram:stay=0.7"),
)


@pytest.mark.parametrize("steps", list(product(STEPS, STEPS)), ids=" then ".join)
def test_a_person_stays_possible_in_her_own_row(steps: tuple[str, str]) -> None:
    rng = np.random.default_rng(48201)
    data = zips(rng.choice(ZIPS, 30, p=[0.4, 0.1, 0.2, 0.05, 0.25]).tolist())
    recipe = Recipe.of(list(steps), ["zip"])
    masked = recipe.protect(data, draws=Draws.of(7))
    admitted = []
    for released in (masked, aligned(only_occurring(masked), data)):
        possible = recipe.candidates(Candidates.known(data, ("zip",)), released)
        assert possible is not None
        assert {table.shape[1] for table in possible.allowed.values()} <= {len(released.attribute("zip").categories)}
        admitted.append(np.array([possible.admits(released, record) for record in range(len(data))]))
    assert admitted[1].diagonal().all() and (admitted[0] == admitted[1]).all()
