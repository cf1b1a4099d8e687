"""An intruder who knows part of the records: other people's rows are judged by how common they are, once."""

import numpy as np
import polars as pl
import pytest

from sdckit.intruder import Intruder
from sdckit.laws.informed import informed_law
from sdckit.microdata import Kind, Microdata, Role
from sdckit.release import protect
from sdckit.risks import InformedIntruder, MixedLinkage


def firms(seed: int, records: int = 300) -> Microdata:
    """Turnover and costs are proportional up to rounding."""
    rng = np.random.default_rng(seed)
    size = np.exp(rng.standard_normal(records))
    branch = [f"branch {each}" for each in rng.integers(0, 4, records)]
    frame = pl.DataFrame({"turnover": np.round(1000 * size, 1), "costs": np.round(800 * size, 1), "branch": branch})
    kinds = {"turnover": Kind.CONTINUOUS, "costs": Kind.CONTINUOUS, "branch": Kind.UNORDERED}
    return Microdata.from_frame(frame, roles=dict.fromkeys(kinds, Role.KEY), kinds=kinds)


@pytest.mark.slow
def test_a_projection_of_proportional_numbers_hides_no_more_from_the_informed_intruder_than_from_linkage():
    found = []
    for seed in range(4):
        release = protect(firms(seed), "z-score-projection", seed=seed)
        intruder = Intruder(records=1 / 3)
        found.append(
            [attack.measure(release, intruder, seed=1).value for attack in (InformedIntruder(), MixedLinkage())]
        )
    informed, mixed = np.mean(found, axis=0)
    assert informed >= mixed - 0.015


def test_blocks_that_were_learned_compare_with_anybody_already():
    release = protect(firms(1), "z-score-projection", seed=1)
    law = informed_law(Intruder(records=1 / 3).view(release, seed=1), np.random.default_rng(0))
    assert {name for block in law.blocks for name in block.names} == {"turnover", "costs", "branch"}
    assert {name for block in law.without_lifts().blocks if block.names == ("branch",) for name in block.names} == {
        "branch"
    }
    assert not any(getattr(block, "lift", False) for block in law.without_lifts().blocks)
