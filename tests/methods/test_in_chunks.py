"""A file masked in chunks of any sizes comes out as masked whole, for every masking that works by rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.capabilities import FitsThenApplies
from sdckit.catalogue import entries
from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.masking import Locality
from sdckit.microdata import Microdata
from sdckit.testing.files import a_file, fitting, same_columns, snapshot, with_missing

BY_ROWS = [entry for entry in entries("masking", Microdata) if entry.component.locality is Locality.ROW]


def test_noise_recoding_rounding_and_pram_work_by_rows():
    assert {"additive-noise", "top-coding", "rounding", "pram", "local-recoding"} <= {entry.name for entry in BY_ROWS}


@pytest.mark.parametrize("entry", BY_ROWS, ids=lambda entry: entry.name)
@settings(max_examples=15, deadline=None)
@given(
    records=st.integers(2, 80),
    cuts=st.lists(st.integers(0, 80), max_size=6),
    order=st.randoms(use_true_random=False),
    seed=st.integers(0, 2**200),
)
def test_chunks_of_any_sizes_in_any_order_give_the_file_masked_whole(entry, records, cuts, order, seed):
    complete = a_file(records, seed=3)
    data = with_missing(complete, seed=4)
    masking = entry.build(**entry.component.example)
    assert isinstance(masking, FitsThenApplies)
    names = fitting(data, masking.kinds)
    try:
        masking.fit(data, names)
    except SchemaError:  # it refuses missing values
        data = complete
    draws = Draws.of(seed, records)
    whole = masking.protect(data, names, draws=draws)
    plan = masking.fit(data, names)
    numbers = np.arange(records)
    order.shuffle(numbers)
    for rows in np.split(numbers, sorted({min(cut, records) for cut in cuts})):
        if len(rows):
            part = plan.apply(data.take(rows), draws.for_records(rows))
            assert same_columns(snapshot(part), snapshot(whole.take(rows)))
