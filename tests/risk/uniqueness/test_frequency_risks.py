"""k-anonymity, the three intruders of El Emam, unsafe combinations, and the one rule of matching."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.risk.uniqueness.francdat import FRANCDAT, KEYS, ROWS, WEIGHTS, file_of, untouched

from sdckit import Intruder, Microdata, Release, build, protect
from sdckit.errors import NotApplicableError
from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Attribute, Kind, Role
from sdckit.rows import Sampled

FREQUENCY = np.array([2, 2, 2, 1, 1, 1, 1, 2])
POPULATION = np.array([110, 84.5, 84.5, 17, 541, 8, 5, 110])
rows = st.lists(st.tuples(*[st.sampled_from(["a", "b", None])] * 3), min_size=1, max_size=14)


def risk(name, release, intruder=None, **values):
    return build("risk", name, **values).measure(release, intruder or Intruder(), seed=1)


def agree(one, other):
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def test_francdat_by_hand():
    assert risk("k-anonymity", FRANCDAT, group_size=2).value == 4 / 8
    assert risk("k-anonymity", FRANCDAT, group_size=2).by_record.tolist() == (FREQUENCY < 2).tolist()
    assert risk("k-anonymity", FRANCDAT, group_size=2).details["smallest_class"] == 1
    assert risk("prosecutor-risk", FRANCDAT).value == 1
    assert risk("prosecutor-risk", FRANCDAT).details["mean"] == pytest.approx((1 / FREQUENCY).mean())
    assert risk("marketer-risk", FRANCDAT).details["by_total_weight"] == pytest.approx((1 / POPULATION).mean())


@given(rows, st.integers(1, 4))
def test_k_anonymity_counts_all_who_may_be_meant(records, k):
    short = [sum(agree(one, other) for other in records) < k for one in records]
    score = risk("k-anonymity", untouched(file_of(records)), group_size=k, holes="any-value")
    assert score.by_record.tolist() == short


@given(rows, st.integers(1, 3), st.integers(2, 4))
def test_unsafe_combinations_are_those_of_an_enumeration(records, dimension, threshold):
    sets = [keys for keys in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)) if len(keys) <= dimension]

    def shared(one, keys):
        return sum(agree([one[key] for key in keys], [other[key] for key in keys]) for other in records)

    unsafe = [any(shared(one, keys) < threshold for keys in sets) for one in records]
    given = {"dimension": dimension, "threshold": threshold}
    score = risk("unsafe-combinations", untouched(file_of(records)), holes="any-value", **given)
    assert score.by_record.tolist() == unsafe

    def equal(one, keys):
        return sum(all(one[key] == other[key] for key in keys) for other in records)

    def whole(one, keys):
        return all(one[key] is not None for key in keys)

    unsafe = [
        len(records) < threshold or any(whole(one, keys) and equal(one, keys) < threshold for keys in sets)
        for one in records
    ]
    score = risk("unsafe-combinations", untouched(file_of(records)), holes="own-value", **given)
    assert score.by_record.tolist() == unsafe


def test_more_known_keys_never_lower_the_frequency_risks():
    for name in ("k-anonymity", "prosecutor-risk", "marketer-risk", "individual-risk", "unsafe-combinations"):
        figures = [risk(name, FRANCDAT, Intruder(attributes=KEYS[:known])).value for known in (1, 2, 3, 4)]
        assert figures == sorted(figures), name


@pytest.mark.parametrize("name", ["k-anonymity", "prosecutor-risk", "suda2", "ihsn-suda2", "unsafe-combinations"])
def test_a_key_that_is_the_same_for_all_tells_nothing(name):
    score = risk(name, untouched(file_of([("a",)] * 12, [2.0] * 12)))
    assert score.value == (pytest.approx(1 / 12) if name == "prosecutor-risk" else 0)


@pytest.mark.parametrize("name", ["k-anonymity", "prosecutor-risk", "suda2", "ihsn-suda2", "unsafe-combinations"])
def test_suppressing_all_keys_hides_everybody_among_all(name):
    original = file_of([(str(number), "x") for number in range(12)], [2.0] * 12)
    masked = original.with_columns({"key1": np.full(12, -1), "key2": np.full(12, -1)})
    score = risk(name, Release.in_order(original, masked))
    assert score.value == (pytest.approx(1 / 12) if name == "prosecutor-risk" else 0)


def test_when_all_are_unique_every_share_of_unique_records_is_one():
    release = untouched(file_of([(str(number), "x") for number in range(12)], [1.0] * 12))
    for name in ("k-anonymity", "prosecutor-risk", "journalist-risk", "marketer-risk", "individual-risk"):
        assert risk(name, release).value == pytest.approx(1), name
    assert risk("unsafe-combinations", release, dimension=1).by_attribute == {"key1": 1, "key2": 0}


WEIGHTED = ("individual-risk", "household-risk", "journalist-risk", "marketer-risk", "delta-presence")
MODELS = ("population-uniqueness", "zayatz-uniqueness", "pitman-uniqueness", "snb-uniqueness", "log-linear-risk")


@pytest.mark.parametrize("name", [*WEIGHTED, *MODELS])
@pytest.mark.parametrize("bad", [0.0, -3.0, None])
def test_weights_that_are_zero_negative_or_missing_are_refused_and_counted(name, bad):
    release = untouched(file_of(ROWS, [*WEIGHTS[:-2], bad, bad]))
    with pytest.raises(NotApplicableError, match="2 of the 8 weights in 'w' are zero, negative or missing"):
        risk(name, release)


@pytest.mark.parametrize("name", [*WEIGHTED, *MODELS])
def test_without_weights_a_whole_file_tells_no_population(name):
    with pytest.raises(NotApplicableError, match="weights"):
        risk(name, untouched(file_of(ROWS)))


@pytest.mark.parametrize("name", ["k-anonymity", "suda2", "individual-risk", "t-closeness", "log-linear-risk"])
def test_a_file_without_keys_is_declined(name):
    data = file_of(ROWS, WEIGHTS).with_roles(**dict.fromkeys(KEYS, "other"))
    with pytest.raises(NotApplicableError, match="knows no"):
        risk(name, untouched(data))


def test_the_population_of_a_part_of_a_file_is_the_file():
    data = file_of([("a",), ("a",), ("a",), ("b",), (None,)])
    release = Release(data, data.take(np.array([0, 3])))
    by_record = risk("marketer-risk", release, holes="any-value").by_record
    assert by_record[[0, 3]] == pytest.approx([1 / 4, 1 / 2])
    assert np.isnan(by_record[[1, 2, 4]]).all()
    assert risk("delta-presence", release, largest=0.3, holes="any-value").by_record[[0, 3]].tolist() == [0, 1]


def test_the_population_of_a_recoded_part_is_counted_on_the_level_of_the_release():
    codes = ("48201", "48202", "88202")
    tree = Hierarchy.by_levels([["48201", "482**", "*"], ["48202", "482**", "*"], ["88202", "882**", "*"]])
    before = Attribute("zip", Kind.PARTIALLY_ORDERED, Role.KEY, codes, tree)
    original = Microdata((before,), {"zip": np.array([0, 1, 1, 2])})
    after = Attribute("zip", Kind.PARTIALLY_ORDERED, Role.KEY, (*codes, "482**"), tree)
    masked = Microdata((after,), {"zip": np.array([3, 2])})
    score = risk("marketer-risk", Release(original, masked, rows=Sampled(np.array([0, 3]))))
    assert score.by_record[[0, 3]] == pytest.approx([1 / 3, 1])


def test_sampling_lowers_the_risk_of_the_journalist_but_not_of_the_prosecutor():
    rng = np.random.default_rng(5)
    data = file_of([tuple(row) for row in rng.integers(0, 4, (400, 3))], [1.0] * 400)
    whole, part = untouched(data), protect(data, "simple-sampling:share=0.25", seed=2)
    assert risk("marketer-risk", part).value <= risk("marketer-risk", whole).value * 1.1
    assert risk("prosecutor-risk", part).details["mean"] > risk("prosecutor-risk", whole).details["mean"]
