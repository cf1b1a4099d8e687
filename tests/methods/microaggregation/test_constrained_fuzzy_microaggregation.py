"""Constrained fuzzy microaggregation: every published record satisfies the linear edits."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.methods.microaggregation.test_edit_preserving_microaggregation import NUMBERS, a_file, an_account

from sdckit import protect
from sdckit.catalogue import build
from sdckit.datasets import simulate_business
from sdckit.draws import Draws
from sdckit.edit_checks import broken_edits, violations
from sdckit.edits import Edits
from sdckit.errors import SchemaError
from sdckit.fuzzy.clusterings import FuzzyCMeans
from sdckit.methods.microaggregation.constrained_fuzzy_microaggregation import ConstrainedFuzzyMicroaggregation
from sdckit.methods.microaggregation.fuzzy_microaggregation import FuzzyMicroaggregation
from sdckit.microdata import Attribute, Kind, Microdata, Role

AMOUNTS = ("net", "tax", "total", "age")
LINEAR = Edits.from_text("total == net + tax", "0 <= age <= 130", "net <= total", "tax >= 0 and net >= 0")


def masked_by(data: Microdata, *names: str, **values: object) -> Microdata:
    return protect(data, ConstrainedFuzzyMicroaggregation(**values), names, seed=1).masked


def test_one_centre_by_hand_is_the_mean_moved_to_the_edit():
    data = a_file("c == a + b", a=[1.0, 2, 3], b=[1.0, 1, 1], c=[2.0, 3, 40])
    masked = masked_by(data, "a", "b", "c").matrix(("a", "b", "c"))
    mean, deviation = data.matrix(("a", "b", "c")).mean(axis=0), data.matrix(("a", "b", "c")).std(axis=0, ddof=1)
    scale = np.where(deviation > 0, deviation, 1.0)
    row = np.array([-1.0, -1, 1]) * scale  # c − a − b in standardised coordinates
    expected = mean - scale * row * (mean[2] - mean[0] - mean[1]) / (row @ row)
    assert masked == pytest.approx(np.tile(expected, (3, 1)))


def test_where_all_records_satisfy_linear_edits_the_file_is_that_of_fuzzy_microaggregation():
    data = simulate_business(150, seed=2)
    names = data.names(kind=Kind.ORDERED)
    constrained, free = (
        masking.protect(data, names, draws=Draws.of(3)).matrix(names)
        for masking in (ConstrainedFuzzyMicroaggregation(), FuzzyMicroaggregation())
    )
    assert constrained == pytest.approx(free, rel=1e-6, abs=1e-6)


@settings(max_examples=8, deadline=None)
@given(st.integers(4, 50), st.integers(0, 10**6), st.sampled_from([0.0, 0.1]), st.sampled_from([1.0, 1.1, 1.5]))
def test_every_record_satisfies_the_linear_edits_whatever_it_had(records, seed, holes, fuzziness):
    data = replace(an_account(records, seed, holes=holes, errors=0.2), edits=LINEAR)
    assume(all(data.missing(name) < records for name in AMOUNTS))
    masked = masked_by(data, *AMOUNTS, clustering=FuzzyCMeans(fuzziness))
    assert not violations(data.edits, masked).any()
    assert all(masked.missing(name) == data.missing(name) for name in AMOUNTS)


@pytest.mark.parametrize("clustering", ["noise-clustering(1.5+1)", "possibilistic-c-means(1.5)", "entropy-c-means(5)"])
def test_the_centres_of_any_clustering_satisfy_the_edits(clustering):
    data = replace(an_account(60, 8, errors=0.2), edits=LINEAR)
    masking = build("masking", "constrained-fuzzy-microaggregation", clustering=clustering)
    masked = protect(data, masking, AMOUNTS, seed=1).masked
    assert violations(data.edits, data).any() and not violations(data.edits, masked).any()


def test_a_product_of_positive_attributes_is_satisfied_too():
    rng = np.random.default_rng(3)
    units, unit_price = rng.lognormal(2, 1, (2, 60))
    price = units * unit_price * np.where(rng.random(60) < 0.2, 3.0, 1.0)
    data = a_file("price == units * unit_price", "units <= 40", units=units, unit_price=unit_price, price=price)
    masked = masked_by(data, "units", "unit_price", "price")
    assert len(broken_edits(data)) == 2 and broken_edits(masked) == ()


def test_edits_that_are_not_enforced_are_named():
    data = an_account(40, 4)
    release = protect(data, ConstrainedFuzzyMicroaggregation(), NUMBERS, seed=1)
    assert violations(data.edits, release.masked)[:, :4].sum() == 0  # some units are zero: the product is computed
    named = [note for note in release.notes() if note.startswith("the edit")]
    assert named == [
        "the edit if married == 'yes' then age >= 16 is not enforced",
        "the edit if age < 10 then net >= 0 is not enforced",
    ]


def test_sampling_weights_count_where_they_are_asked_to():
    data = a_file("a >= 0", a=[0.0, 1, 2, 3])
    weight = Attribute("weight", Kind.CONTINUOUS, Role.WEIGHT)
    data = Microdata((*data.attributes, weight), {**data.columns, "weight": np.array([5.0, 1, 1, 1])}, data.edits)
    values = {"group_size": 4, "assignment_fuzziness": 1.0}
    assert masked_by(data, "a", **values).columns["a"] == pytest.approx(1.5)
    assert masked_by(data, "a", weighted=True, **values).columns["a"] == pytest.approx(6 / 8)


def test_contradictory_edits_are_refused_by_the_method_itself():
    data = a_file("a >= 5", "a <= 3", a=[1.0, 2, 3, 4])
    with pytest.raises(SchemaError, match="no values satisfy these constraints together"):
        ConstrainedFuzzyMicroaggregation().protect(data, ["a"], draws=Draws.of(1))


def test_ties_constant_columns_and_too_few_records():
    data = a_file("b == 2 * a", a=[1.0] * 6, b=[2.0] * 6)
    assert masked_by(data, "a", "b").matrix(("a", "b")) == pytest.approx(data.matrix(("a", "b")))
    with pytest.raises(SchemaError, match="needs at least 3 records"):
        masked_by(a_file("a >= 0", a=[1.0]), "a")
    assert masked_by(a_file("a >= 2", a=[1.0]), "a", group_size=1).columns["a"] == pytest.approx(2.0)
