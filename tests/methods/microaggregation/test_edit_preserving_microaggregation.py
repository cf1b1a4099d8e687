"""Edit-preserving microaggregation: no record violates an edit that it satisfied."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.test_edit_text import condition, edit_or_refusal

from sdckit import Intruder, protect
from sdckit.catalogue import build
from sdckit.datasets import simulate_business
from sdckit.edit_checks import broken_edits, violations
from sdckit.edit_feasibility import contradiction
from sdckit.edits import Edits
from sdckit.errors import SchemaError
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.methods.microaggregation.edit_preserving_microaggregation import EditPreservingMicroaggregation
from sdckit.methods.microaggregation.mdav import Mdav
from sdckit.microdata import Attribute, Kind, Microdata, Role


def a_file(*texts: str, **columns: object) -> Microdata:
    attributes = []
    for name, column in columns.items():
        known = tuple(dict.fromkeys(value for value in column if value is not None)) if _text(column) else None
        kind = Kind.CONTINUOUS if known is None else Kind.UNORDERED
        attributes.append(Attribute(name, kind, Role.KEY if known is None else Role.OTHER, categories=known))
        if known is not None:
            columns[name] = [-1 if value is None else known.index(value) for value in column]
    return Microdata(tuple(attributes), {k: np.array(v) for k, v in columns.items()}, Edits.from_text(*texts))


def _text(column: object) -> bool:
    return any(isinstance(value, str) for value in column)


def masked_by(data: Microdata, *names: str, group_size: int = 3) -> Microdata:
    return protect(data, EditPreservingMicroaggregation(group_size=group_size), names, seed=1).masked


def new_violations(original: Microdata, masked: Microdata) -> int:
    return int((violations(original.edits, masked) & ~violations(original.edits, original)).sum())


def an_account(records: int, seed: int, *, holes: float = 0.0, errors: float = 0.0) -> Microdata:
    """Amounts with a sum, a product, ranges, an order and a rule; some values missing, some records in error."""
    rng = np.random.default_rng(seed)
    units, unit_price = rng.integers(0, 6, records).astype(float), np.round(rng.lognormal(1, 0.8, records), 2)
    net, tax = rng.lognormal(3, 1, records), rng.lognormal(1, 1, records)
    age = rng.integers(0, 95, records).astype(float)
    columns = {
        "net": net, "tax": tax, "total": net + tax,
        "units": units, "unit_price": unit_price, "price": units * unit_price,
        "age": age,
    }  # fmt: skip
    married = np.where((age >= 16) & (rng.random(records) < 0.5), 1, 0)
    for name in columns:
        wrong, gone = rng.random(records) < errors, rng.random(records) < holes
        columns[name] = np.where(gone, np.nan, np.where(wrong, -3 * columns[name] - 1, columns[name]))
    return a_file(
        "total == net + tax",
        "price == units * unit_price",
        "0 <= age <= 130",
        "net <= total",
        "if married == 'yes' then age >= 16",
        "if age < 10 then net >= 0",
        **columns,
        married=np.array(["no", "yes"])[married].tolist(),
    )


NUMBERS = ("net", "tax", "total", "units", "unit_price", "price", "age")


def test_without_edits_it_is_mdav():
    data = replace(an_account(60, 1), edits=Edits())
    ours, theirs = masked_by(data, *NUMBERS), protect(data, Mdav(group_size=3), NUMBERS, seed=1).masked
    np.testing.assert_array_equal(ours.matrix(NUMBERS), theirs.matrix(NUMBERS))


def test_where_the_file_satisfies_linear_edits_it_is_mdav():
    data = simulate_business(200, seed=3)
    names = data.names(kind=Kind.ORDERED)
    assert len(data.edits) > 5 and "profit" in names
    ours, theirs = masked_by(data, *names), protect(data, Mdav(group_size=3), names, seed=1).masked
    np.testing.assert_array_equal(ours.matrix(names), theirs.matrix(names))
    assert broken_edits(ours) == ()


def test_a_product_is_kept_by_geometric_means():
    data = a_file("c == a * b", a=[1.0, 4, 100, 400], b=[2.0, 8, 3, 12], c=[2.0, 32, 300, 4800])
    masked = masked_by(data, "a", "b", "c", group_size=2).matrix(("a", "b", "c"))
    assert masked[:2] == pytest.approx(np.tile([2.0, 4, 8], (2, 1)))
    assert masked[2:] == pytest.approx(np.tile([200.0, 6, 1200], (2, 1)))


def test_zeros_and_signs_of_a_product_are_strata():
    a = [2.0, 3, 4, 0, 0, 0, -2, -3, -4]
    b = [1.0, 2, 3, 1, 2, 3, 1, 2, 3]
    data = a_file("c == a * b", a=a, b=b, c=np.multiply(a, b))
    masked = masked_by(data, "a", "b", "c").matrix(("a", "b", "c"))
    assert np.sign(masked) == pytest.approx(np.sign(data.matrix(("a", "b", "c"))))
    assert masked[:, 2] == pytest.approx(masked[:, 0] * masked[:, 1])


def test_an_attribute_of_a_sum_and_a_product_leaves_the_product_to_be_computed():
    rng = np.random.default_rng(4)
    units, unit_price, tax = rng.uniform(1, 9, (3, 30))
    columns = {"units": units, "unit_price": unit_price, "tax": tax, "price": units * unit_price}
    data = a_file(
        "price == units * unit_price", "total == price + tax", **columns, total=columns["price"] + columns["tax"]
    )
    masked = masked_by(data, *columns, "total")
    assert broken_edits(masked) == ()
    assert not any(masked.missing(name) for name in columns)


def test_a_rule_is_kept_by_grouping_those_whom_it_governs():
    age = [14.0, 15, 13, 17, 18, 19, 15, 16]
    married = ["no", "no", "no", "yes", "yes", "yes", "no", "no"]
    data = a_file('if married == "yes" then age >= 16', age=age, married=married)
    assert protect(data, Mdav(group_size=4), ["age"], seed=1).masked.columns["age"].min() < 16
    masked = masked_by(data, "age")
    assert broken_edits(masked) == ()
    assert masked.columns["age"][3:6].tolist() == [18.0, 18, 18]


def test_a_small_stratum_takes_records_that_its_rule_allows():
    age = [14.0, 15, 13, 40, 41, 42, 43, 17]
    married = ["no"] * 7 + ["yes"]
    masked = masked_by(a_file('if married == "yes" then age >= 16', age=age, married=married), "age")
    assert broken_edits(masked) == () and masked.missing("age") == 0
    assert equal_rows(masked.matrix(["age"])).sizes.min() >= 3
    assert masked.columns["age"][7] >= 16


def test_a_value_that_cannot_be_published_is_suppressed_and_noted():
    age, married = [3.0, 4, 5, 17], ["no", "no", "no", "yes"]
    data = a_file('if married == "yes" then age >= 16', 'if married == "no" then age <= 15', age=age, married=married)
    release = protect(data, EditPreservingMicroaggregation(group_size=4), ["age"], seed=1)
    assert np.isnan(release.masked.columns["age"]).tolist() == [False, False, False, True]
    assert release.notes() == [
        "age: 1 values were suppressed: the mean of their group violates an edit or is of too few values"
    ]


def test_records_in_error_do_not_spoil_the_mean_of_their_group():
    data = a_file("total == net + tax", net=[1.0, 2, 3], tax=[1.0, 1, 1], total=[2.0, 3, 40])
    masked = masked_by(data, "net", "tax", "total")
    assert broken_edits(masked) == ()
    assert new_violations(data, masked) == 0 and not masked.missing("total")


def test_a_hole_breaks_no_sum():
    data = a_file("total == net + tax", net=[1.0, 2, 3, 2], tax=[1.0, np.nan, 4, 1], total=[2.0, 3, 7, 3])
    masked = masked_by(data, "net", "tax", "total")
    assert broken_edits(masked) == () and np.isnan(masked.columns["tax"]).tolist() == [False, True, False, False]


def test_a_value_of_which_there_are_too_few_is_suppressed():
    data = a_file("total == net + tax", net=[1.0, 2, 3], tax=[1.0, np.nan, 4], total=[2.0, 3, 7])
    masked = masked_by(data, "net", "tax", "total")
    assert np.isnan(masked.columns["tax"]).all() and not np.isnan(masked.columns["net"]).any()


def test_attributes_that_an_edit_links_are_in_one_block():
    data = an_account(30, 5)
    masking = EditPreservingMicroaggregation(block_size=2)
    names = ("net", "age", "total", "units", "tax", "unit_price", "price")
    edits = Edits.from_text("total == net + tax", "price == units * unit_price")
    blocks = masking.blocks_of(replace(data, edits=edits).only(names))
    assert sorted(map(sorted, blocks)) == [["age", "net", "price", "tax", "total", "unit_price", "units"]]
    assert masking.blocks_of(replace(data, edits=Edits()).only(names[:3])) == [["net", "age"], ["total"]]
    assert new_violations(data, protect(data, masking, names, seed=1).masked) == 0


@settings(max_examples=25, deadline=None)
@given(st.integers(4, 60), st.integers(0, 10**6), st.sampled_from([0.0, 0.1]), st.sampled_from([0.0, 0.1]))
def test_no_record_violates_an_edit_that_it_satisfied(records, seed, holes, errors):
    data = an_account(records, seed, holes=holes, errors=errors)
    masked = masked_by(data, *NUMBERS, group_size=4)
    assert new_violations(data, masked) == 0


@settings(max_examples=15, deadline=None)
@given(st.integers(4, 60), st.integers(0, 10**6), st.sampled_from([0.0, 0.1]))
def test_edits_with_attributes_that_are_not_masked_are_satisfied_too(records, seed, errors):
    texts = (
        "net <= total",
        "if married == 'yes' then age >= 16",
        "units * unit_price <= price + 100",
        "tax > 0 or net > 3",
    )
    data = replace(an_account(records, seed, errors=errors), edits=Edits.from_text(*texts))
    assert new_violations(data, masked_by(data, "net", "unit_price", "age", group_size=4)) == 0


@settings(max_examples=25, deadline=None)
@given(st.lists(condition, min_size=1, max_size=3), st.integers(0, 10**6), st.booleans())
def test_any_edits_are_satisfied_by_those_who_satisfied_them(texts, seed, holes):
    rng = np.random.default_rng(seed)
    values = rng.integers(-4, 5, (25, 3)).astype(float)
    values[rng.random(values.shape) < (0.15 if holes else 0)] = np.nan
    edits = [text for text in texts if not isinstance(edit_or_refusal(text), str)]
    assume(not contradiction(tuple(Edits.from_text(*edits))))
    data = a_file(*edits, a=values[:, 0], b=values[:, 1], c=values[:, 2])
    assert new_violations(data, masked_by(data, "a", "b", "c")) == 0


def test_a_part_of_an_equation_is_refused_with_the_cure():
    with pytest.raises(
        SchemaError, match=r"total == net \+ tax links 'net' with 'total', which is not masked; mask it too"
    ):
        masked_by(an_account(20, 1), "net", "tax")


@settings(max_examples=10, deadline=None)
@given(st.integers(100, 300), st.integers(0, 10**6), st.sampled_from([0.0, 0.1]))
def test_a_file_that_satisfies_its_edits_loses_exactly_the_values_of_strata_with_too_few(records, seed, holes):
    data = an_account(records, seed, holes=holes)
    masked = masked_by(data, *NUMBERS)
    assert broken_edits(data) == () and broken_edits(masked) == ()
    masking = EditPreservingMicroaggregation(group_size=3)
    expected = np.zeros((len(data), len(NUMBERS)), dtype=bool)
    for block in masking.blocks_of(data.only(NUMBERS)):
        columns = [NUMBERS.index(name) for name in block]
        observed = ~np.isnan(data.matrix(block))
        for stratum in masking.strata(data, block):
            few = observed[stratum.records].sum(axis=0) < 3
            expected[np.ix_(stratum.records, columns)] = observed[stratum.records] & few
    lost = np.isnan(masked.matrix(NUMBERS)) & ~np.isnan(data.matrix(NUMBERS))
    np.testing.assert_array_equal(lost, expected)


@settings(max_examples=15, deadline=None)
@given(st.integers(8, 60), st.integers(0, 10**6))
def test_values_that_are_published_are_shared_by_a_group(records, seed):
    data = an_account(records, seed)
    masked = masked_by(data, *NUMBERS, group_size=4).matrix(NUMBERS)
    complete = ~np.isnan(masked).any(axis=1)
    if complete.all():
        assert equal_rows(np.round(masked, 6)).sizes.min() >= 4


def test_constant_columns_ties_and_too_few_records():
    data = a_file("b == 2 * a", a=[1.0] * 6, b=[2.0] * 6)
    np.testing.assert_array_equal(masked_by(data, "a", "b").matrix(("a", "b")), data.matrix(("a", "b")))
    one = a_file("a >= 0", a=[1.0])
    np.testing.assert_array_equal(masked_by(one, "a", group_size=1).columns["a"], [1.0])
    with pytest.raises(SchemaError, match="needs at least 3 records"):
        masked_by(one, "a")


def test_weighted_means_keep_weighted_totals_and_the_edits():
    data = simulate_business(120, seed=4)
    names = data.names(kind=Kind.ORDERED)
    weights = np.random.default_rng(5).uniform(1, 9, len(data))
    attribute = Attribute("weight", Kind.CONTINUOUS, Role.WEIGHT)
    data = Microdata((*data.attributes, attribute), {**data.columns, "weight": weights}, data.edits)
    masking = EditPreservingMicroaggregation(weighted=True)
    masked = protect(data, masking, names, seed=1).masked
    assert broken_edits(masked) == ()
    np.testing.assert_allclose(weights @ masked.matrix(names), weights @ data.matrix(names))
    unweighted = protect(data, EditPreservingMicroaggregation(), names, seed=1).masked
    assert np.abs(weights @ unweighted.matrix(names) - weights @ data.matrix(names)).max() > 1


def test_an_intruder_who_knows_what_governs_the_edits_repeats_the_method():
    data = an_account(90, 7).with_roles(married="key")
    release = protect(data, EditPreservingMicroaggregation(group_size=3), NUMBERS, seed=1)
    score = build("risk", "informed-intruder").measure(release, Intruder(), seed=1)
    sizes = equal_rows(release.masked.matrix(NUMBERS)).sizes
    assert score.value >= len(sizes) / 90 - 1e-9  # one of each group, by a random pick
    assert EditPreservingMicroaggregation().also_reads(data, NUMBERS) == ("married",)
    assert EditPreservingMicroaggregation().also_reads(replace(data, edits=Edits()), NUMBERS) == ()
