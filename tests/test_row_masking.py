"""A masking of single records masks any part of a file as it masks the whole, and leaves holes where they are."""

import numpy as np
import polars as pl
import pytest

from sdckit import draws as draws_module
from sdckit import row_masking
from sdckit.draws import Draws
from sdckit.errors import SdcError
from sdckit.methods.noise.additive_noise import AdditiveNoise
from sdckit.methods.noise.bounded_noise import BoundedNoise
from sdckit.methods.noise.correlated_noise import CorrelatedNoise
from sdckit.methods.noise.multiplicative_noise import MultiplicativeNoise
from sdckit.methods.recoding.top_coding import TopCoding
from sdckit.microdata import Microdata
from sdckit.testing.files import a_file, with_missing

NAMES = ("age", "yearly income", "rent")


class Strict(CorrelatedNoise):
    """The same, of complete records only."""

    keeps_missing = False


@pytest.mark.parametrize("masking", [AdditiveNoise(), CorrelatedNoise(), TopCoding()], ids=lambda each: each.name)
@pytest.mark.parametrize("missing", [False, True])
def test_a_part_is_masked_as_in_the_whole_file(masking, missing):
    data = with_missing(a_file(40)) if missing else a_file(40)
    draws, rows = Draws.of(1), np.array([31, 4, 5, 20])
    whole = masking.protect(data, NAMES, draws=draws)
    part = masking.fit(data, NAMES).apply(data.take(rows), draws.over(40).for_records(rows))
    for name in NAMES:
        assert np.array_equal(part.columns[name], whole.columns[name][rows], equal_nan=True)
        assert np.array_equal(whole.absent(name), data.absent(name))
        assert not np.array_equal(whole.columns[name], data.columns[name], equal_nan=True)


def test_records_with_a_hole_are_refused_by_a_method_that_needs_them_complete():
    assert Strict().protect(a_file(40), NAMES, draws=Draws.of(1)) is not None
    with pytest.raises(SdcError, match="missing"):
        Strict().protect(with_missing(a_file(40)), NAMES, draws=Draws.of(1))


# A part that is masked at a time, and compiled draws, change nothing ------------------------------------------------


def numbers(records: int, case: str) -> Microdata:
    values = np.random.default_rng(records).lognormal(3, 1, (records, 3))
    if case == "holes":
        values[::3, 0] = values[1::4, 2] = np.nan
    elif case == "constant":
        values[:, 1] = 7.0
    elif case == "huge":
        values *= 1e50
    elif case == "whole":
        values = np.round(values)
    frame = pl.DataFrame(values, schema=["x", "y", "z"])
    return Microdata.from_frame(frame.cast(pl.Int64) if case == "whole" else frame)


@pytest.mark.parametrize(
    "masking",
    [AdditiveNoise(), BoundedNoise(), MultiplicativeNoise(), CorrelatedNoise(), TopCoding()],
    ids=lambda each: each.name,
)
@pytest.mark.parametrize("case", ["plain", "holes", "constant", "huge", "whole"])
@pytest.mark.parametrize("records", [2, 23, 131])
def test_parts_of_any_size_and_compiled_draws_give_the_same_bytes(monkeypatch, masking, case, records):
    data = numbers(records, case)
    whole = masking.protect(data, draws=Draws.of(3))
    for at_once, many in ((1, 10**9), (7, 10**9), (7, 1), (64, 1)):
        monkeypatch.setattr(row_masking, "NUMBERS_AT_ONCE", at_once)
        monkeypatch.setattr(draws_module, "MANY", many)
        parts = masking.protect(data, draws=Draws.of(3))
        for name in ("x", "y", "z"):
            assert parts.columns[name].tobytes() == whole.columns[name].tobytes()


@pytest.mark.parametrize("masking", [AdditiveNoise(), BoundedNoise(), CorrelatedNoise()], ids=lambda each: each.name)
def test_one_record_does_not_vary_and_gets_no_noise(masking):
    data = numbers(1, "plain")
    masked = masking.protect(data, draws=Draws.of(3))
    assert all(masked.columns[name] == data.columns[name] for name in ("x", "y", "z"))


def test_additive_noise_is_the_value_and_a_normal_draw_times_the_deviation():
    data = numbers(50, "holes")
    draws = Draws.of(3)
    masked = AdditiveNoise(variance_share=0.25).protect(data, draws=draws)
    for name in ("x", "y", "z"):
        column = data.columns[name]
        noise = draws.over(50).child(name).normal(1)[:, 0]
        expected = noise * (0.5 * column[~np.isnan(column)].std(ddof=1)) + column
        assert np.array_equal(masked.columns[name], expected, equal_nan=True)


def test_a_method_that_rounds_in_its_own_way_is_asked_for_what_is_released():
    class Rounded(AdditiveNoise):
        """Noise that is released in tens."""

        def published(self, data, names, values):
            return np.round(super().published(data, names, values), -1)

    masked = Rounded().protect(numbers(40, "plain"), draws=Draws.of(3))
    assert all((masked.columns[name] % 10 == 0).all() for name in ("x", "y", "z"))
