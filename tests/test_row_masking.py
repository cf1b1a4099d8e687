"""A masking of single records masks any part of a file as it masks the whole, and leaves holes where they are."""

import numpy as np
import pytest

from sdckit.draws import Draws
from sdckit.errors import SdcError
from sdckit.methods.noise.additive_noise import AdditiveNoise
from sdckit.methods.noise.correlated_noise import CorrelatedNoise
from sdckit.methods.recoding.top_coding import TopCoding
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
