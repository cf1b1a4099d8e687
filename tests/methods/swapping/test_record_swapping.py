import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from sdckit.draws import Draws
from sdckit.methods.swapping.record_swapping import RecordSwapping
from sdckit.microdata import Microdata, Role
from sdckit.testing.files import a_file


def households(homes: int, seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 4, homes)
    home = np.repeat(np.arange(homes), sizes)
    region = rng.integers(0, 5, homes)[home]
    frame = pl.DataFrame(
        {
            "home": home,
            "region": [f"R{r}" for r in region],
            "province": [f"P{r // 2}" for r in region],
            "sex": rng.choice(["f", "m"], len(home)),
            "age": rng.integers(0, 90, len(home)),
        }
    )
    roles = {"home": "household", "region": "key", "sex": "key", "age": "key"}
    return Microdata.from_frame(frame, roles=roles)


def swapped(data: Microdata, **values: object) -> Microdata:
    return RecordSwapping(**values).protect(data, ["region"], draws=Draws.of(1))


@given(st.integers(1, 40), st.integers(0, 99))
def test_households_move_whole_and_every_region_keeps_its_count(homes, seed):
    data = households(homes, seed)
    masked = swapped(data, share=0.5)
    home = data.columns["home"].astype(int)
    assert np.array_equal(
        np.bincount(masked.columns["region"], minlength=5), np.bincount(data.columns["region"], minlength=5)
    )
    assert all(len(set(masked.columns["region"][home == h])) == 1 for h in set(home))
    assert np.array_equal(masked.columns["age"], data.columns["age"])


def test_partners_agree_on_what_must_be_similar_and_stay_in_their_stratum():
    data = households(300, 1)
    masked = swapped(data, share=0.5, similar=("sex",), within=("province",))
    moved = masked.columns["region"] != data.columns["region"]
    province_of = dict(zip(data.values("region"), data.values("province"), strict=True))
    assert moved.any()
    assert all(
        province_of[new] == old for new, old in zip(masked.values("region"), data.values("province"), strict=True)
    )


def test_risky_units_are_swapped_even_where_no_share_is_asked_for():
    data = households(300, 2)
    masked = swapped(data, share=0.0, rare=2)
    untouched = swapped(data, share=0.0, rare=0)
    assert (masked.columns["region"] != data.columns["region"]).any()
    assert np.array_equal(untouched.columns["region"], data.columns["region"])


def test_a_single_region_leaves_nobody_to_swap_with():
    frame = pl.DataFrame({"region": ["A"] * 6, "age": range(6)})
    data = Microdata.from_frame(frame, roles={"region": "key", "age": "key"})
    assert np.array_equal(swapped(data, share=1.0).columns["region"], data.columns["region"])


def test_it_reads_the_other_keys_households_and_what_partners_agree_on():
    data = a_file(30)
    keys = set(data.names(role=Role.KEY))
    assert set(RecordSwapping().also_reads(data, ["town"])) == keys - {"town"}
    assert "savings" in RecordSwapping(similar=("savings",)).also_reads(data, ["town"])
