"""Averages: the values of a group are averaged only where enough of them are observed."""

from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit import Microdata, protect
from sdckit.catalogue import entries, find
from sdckit.errors import SchemaError
from sdckit.kernels.observed_groups import means_of_observed, merged_by_observed
from sdckit.masking import Masking
from sdckit.methods.microaggregation.drawn_centres import DrawnCentres
from sdckit.microdata import Role

SEED = 2**127 + 7
ATTRIBUTES = ("income", "hours", "grade", "town")


def with_holes(records: int, share: float, seed: int) -> Microdata:
    """Numbers, ordered and unordered categories, of each of which a share is missing."""
    rng = np.random.default_rng(seed)
    columns = {
        "income": rng.lognormal(7, 0.6, records).round(2),
        "hours": rng.integers(1, 60, records),
        "grade": rng.choice(["a", "b", "c", "d"], records),
        "town": rng.choice([f"town {number}" for number in range(9)], records),
    }
    frame = pl.DataFrame({name: pl.Series(column) for name, column in columns.items()})
    frame = frame.with_columns(pl.col("grade").cast(pl.Enum(["a", "b", "c", "d"])))
    holes = [pl.when(pl.Series(rng.random(records) >= share)).then(pl.col(name)).alias(name) for name in columns]
    return Microdata.from_frame(frame.with_columns(holes), roles=dict.fromkeys(columns, Role.KEY))


def beside_holes() -> Iterator[tuple[str, type[Masking]]]:
    """Every masking with groups of a size that keeps missing values."""
    for entry in entries("masking", Microdata):
        component = entry.component
        grouped = any(each.name == "group_size" for each in entry.parameters) and issubclass(component, Masking)
        if grouped and component.keeps_missing and not component.suppresses:
            yield entry.name, component


def averaging() -> list[str]:
    """Those that publish averages of groups; centres of fuzzy clusters may be drawn by few records."""
    return [name for name, component in beside_holes() if not issubclass(component, DrawnCentres)]


def drawing_centres() -> list[str]:
    """Those whose centres are averages; one whose centres are records publishes values of records, as its page says."""
    return [
        name
        for name, component in beside_holes()
        if issubclass(component, DrawnCentres) and not component.centres_are_records
    ]


def test_the_methods_that_average_beside_holes_are_known() -> None:
    assert {"mdav", "mondrian-strict", "mondrian-relaxed"} <= set(averaging())


@pytest.mark.parametrize("method", averaging())
@pytest.mark.parametrize("share", [0.2, 0.6, 0.85])
@pytest.mark.parametrize("attributes", [ATTRIBUTES, ATTRIBUTES[:2]])
def test_every_released_value_is_of_several_records(method: str, share: float, attributes: tuple[str, ...]) -> None:
    kind = find("masking", method).component.kinds
    attributes = tuple(each for each in attributes if with_holes(60, share, 0).attribute(each).kind & kind)
    for seed in range(3):
        data = with_holes(60, share, seed).only(attributes)
        masked = protect(data, f"{method}:group_size=4", attributes, seed=SEED).masked
        for name in attributes:
            assert np.array_equal(masked.absent(name), data.absent(name))
            column = masked.columns[name][~masked.absent(name)]
            assert np.unique(column.round(6), return_counts=True)[1].min() >= 4, (name, seed)


@pytest.mark.parametrize("method", averaging())
def test_means_and_sums_are_kept(method: str) -> None:
    data = with_holes(60, 0.6, 1).only(["income", "hours"])
    masked = protect(data, f"{method}:group_size=4", seed=SEED).masked
    for name in ("income", "hours"):
        half_a_cent = 0.005 if name == "income" else 1e-9
        assert np.nanmean(masked.columns[name]) == pytest.approx(np.nanmean(data.columns[name]), abs=half_a_cent)


@pytest.mark.parametrize("method", drawing_centres())
@pytest.mark.parametrize("share", [0.2, 0.6, 0.85])
def test_no_centre_is_the_one_observed_value_near_it(method: str, share: float) -> None:
    for seed in range(3):
        data = with_holes(60, share, seed).only(["income", "hours"])
        masked = protect(data, f"{method}:group_size=4", seed=SEED).masked
        assert not np.isin(masked.columns["income"], data.columns["income"]).any()


@pytest.mark.parametrize("method", [*averaging(), *drawing_centres()])
def test_a_column_with_too_few_values_for_one_group_is_refused(method: str) -> None:
    frame = pl.DataFrame({"x": [1.0, 7.0, *[None] * 10], "y": np.arange(12) + 0.5})
    with pytest.raises(SchemaError, match="'x': it has 2 values, too few for a group of 3"):
        protect(frame, f"{method}:group_size=3", ["x", "y"])


@pytest.mark.parametrize("method", ["top-coding", "bottom-coding"])
@pytest.mark.parametrize("coded", [1, 2, 3])
def test_the_mean_of_a_tail_is_never_that_of_one_or_two(method: str, coded: int) -> None:
    values = np.round(np.random.default_rng(6).lognormal(7, 1, 50), 2)
    data = Microdata.from_frame(pl.DataFrame({"x": values}))
    masked = protect(data, f"{method}:share={coded / 50},tail_mean=true").masked.columns["x"]
    tail = np.sort(values)[-coded:] if method == "top-coding" else np.sort(values)[:coded]
    assert not np.isin(tail, masked).any()
    kept = masked.mean() == pytest.approx(values.mean(), abs=0.01)
    assert kept == (coded >= 3)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(-50, 50), st.booleans()), min_size=1, max_size=60),
    st.integers(1, 6),
)
def test_merged_groups_have_enough_observed_values_or_none(rows: list[tuple[int, int, bool]], group_size: int) -> None:
    labels = np.array([label for label, _, _ in rows])
    values = np.array([float(value) if there else np.nan for _, value, there in rows])
    observed = ~np.isnan(values)
    merged = merged_by_observed(labels, observed, values, group_size)
    for group in np.unique(labels):
        assert len(np.unique(merged[labels == group])) == 1, "a group stays together"
    counts = np.bincount(merged[observed], minlength=1)
    counts = counts[counts > 0]
    assert (counts >= group_size).all() or len(counts) == 1
    if np.bincount(labels[observed], minlength=1)[np.unique(labels[observed])].min(initial=99) >= group_size:
        assert np.array_equal(merged, labels), "nothing to merge"
    means = means_of_observed(values[:, None], labels, group_size)[:, 0]
    assert np.array_equal(np.isnan(means), ~observed)
    assert np.nansum(means) == pytest.approx(np.nansum(values), abs=1e-6)


def test_a_small_group_joins_the_nearest() -> None:
    labels = np.array([0, 0, 1, 1, 2, 2])
    values = np.array([1.0, 3.0, 90.0, 100.0, 80.0, np.nan])
    means = means_of_observed(values[:, None], labels, 2)[:, 0]
    assert means.tolist()[:2] == [2.0, 2.0]
    assert means[2:5].tolist() == [90.0] * 3 and np.isnan(means[5])
