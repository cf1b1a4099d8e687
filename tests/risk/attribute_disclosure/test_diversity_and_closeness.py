import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.risk.uniqueness.francdat import file_of, untouched

from sdckit import Microdata, build
from sdckit.errors import NotApplicableError
from sdckit.hierarchy import Hierarchy

# Machanavajjhala et al. 2007, figure 3: a 3-diverse table, three groups of four.
GROUPS = ["1305*≤40"] * 4 + ["1485*>40"] * 4 + ["1306*≤40"] * 4
DISEASES = [
    "heart",
    "viral",
    "cancer",
    "cancer",
    "cancer",
    "heart",
    "viral",
    "viral",
    "heart",
    "viral",
    "cancer",
    "cancer",
]
KINDS = ("distinct-l-diversity", "entropy-l-diversity", "recursive-l-diversity")
rows = st.lists(
    st.tuples(*[st.sampled_from(["a", "b", None])] * 2, st.sampled_from(["u", "v", "w"])), min_size=1, max_size=14
)


def risk(name, keys, confidential, **values):
    return build("risk", name, **values).measure(untouched(file_of(keys, confidential=confidential)))


def grouped(groups, confidential):
    return [(group,) for group in groups], confidential


def test_the_printed_table_is_three_diverse():
    table = grouped(GROUPS, DISEASES)
    assert risk("distinct-l-diversity", *table, diversity=3).value == 0
    assert risk("distinct-l-diversity", *table, diversity=4).value == 1
    assert risk("distinct-l-diversity", *table).details["worst_group"] == {"confidential": 3}
    # Shares 1/2, 1/4, 1/4 have the entropy of 2.83 equal ones: short of 3.
    assert risk("entropy-l-diversity", *table, diversity=2).value == 0
    assert risk("entropy-l-diversity", *table, diversity=3).value == 1
    # r = 2, 1, 1: 2 < c·1 only for c above 2.
    assert risk("recursive-l-diversity", *table, diversity=3, ratio=2.0).value == 1
    assert risk("recursive-l-diversity", *table, diversity=3, ratio=2.1).value == 0


def test_equal_shares_have_the_entropy_that_is_asked_for():
    assert risk("entropy-l-diversity", [("a",)] * 6, ["u", "v", "w"] * 2, diversity=3).value == 0


@given(rows, st.integers(1, 3))
def test_distinct_values_are_counted_among_all_who_may_be_meant(records, diversity):
    def agree(one, other):
        return all(a is None or b is None or a == b for a, b in zip(one[:2], other[:2], strict=True))

    short = [len({other[2] for other in records if agree(one, other)}) < diversity for one in records]
    keys, confidential = [row[:2] for row in records], [row[2] for row in records]
    score = risk("distinct-l-diversity", keys, confidential, diversity=diversity, holes="any-value")
    assert score.by_record.tolist() == short


@settings(max_examples=20)
@given(rows)
def test_entropy_asks_at_least_as_much_as_counting(records):
    keys, confidential = [row[:2] for row in records], [row[2] for row in records]
    for diversity in (2, 3):
        distinct, entropy = (risk(name, keys, confidential, diversity=diversity) for name in KINDS[:2])
        assert (entropy.by_record >= distinct.by_record).all()


def test_the_salaries_of_the_paper_on_t_closeness():
    """Li et al. 2007, section 4: nine salaries in three groups; the first is 0.375 away, the second 0.167."""
    keys = [("4767*",)] * 3 + [("4790*",)] * 3 + [("4760*",)] * 3
    salaries = [3000.0, 4000, 5000, 6000, 11000, 8000, 7000, 9000, 10000]
    score = risk("t-closeness", keys, salaries, closeness=0.17)
    assert score.details["largest_distance"]["confidential"] == pytest.approx(0.375)
    assert score.by_record.tolist() == [1] * 3 + [0] * 3 + [1] * 3
    assert risk("t-closeness", keys, salaries, closeness=0.16).by_record[3:6].tolist() == [1, 1, 1]


def test_the_diseases_of_a_hierarchy_are_as_far_as_their_common_ancestor():
    """Two leaves under one node are half as far apart as two under the root of a tree of height 2."""
    tree = Hierarchy.by_levels(
        [["flu", "lung", "*"], ["asthma", "lung", "*"], ["ulcer", "stomach", "*"], ["gastritis", "stomach", "*"]]
    )
    frame = pl.DataFrame({"key": ["a", "a", "b", "b"], "disease": ["flu", "asthma", "ulcer", "gastritis"]})
    data = Microdata.from_frame(frame, roles={"key": "key", "disease": "confidential"}, hierarchies={"disease": tree})
    score = build("risk", "t-closeness").measure(untouched(data))
    assert score.details["largest_distance"]["disease"] == pytest.approx(0.5)  # half of the mass crosses the root
    data = Microdata.from_frame(
        frame.with_columns(key=pl.Series(["a", "b", "a", "b"])),
        roles={"key": "key", "disease": "confidential"},
        hierarchies={"disease": tree},
    )
    score = build("risk", "t-closeness").measure(untouched(data))
    assert score.details["largest_distance"]["disease"] == pytest.approx(0.25)  # half of it goes half the way


def test_one_group_is_as_close_as_can_be():
    score = risk("t-closeness", [("a",)] * 8, [1.0, 2, 3, 4, 5, 6, 7, 8], closeness=0.0)
    assert score.value == 0 and score.details["largest_distance"]["confidential"] == pytest.approx(0)


def test_suppressing_all_keys_makes_one_group():
    data = file_of([(str(number),) for number in range(6)], confidential=["u", "v"] * 3)
    masked = data.with_columns({"key1": np.full(6, -1)})
    release = type(untouched(data))(data, masked)
    for name in (*KINDS, "t-closeness"):
        assert build("risk", name).measure(release).value == 0
        assert build("risk", name).measure(untouched(data)).value == 1


def test_near_numbers_do_not_pass_for_different_values():
    keys = [("a",)] * 10 + [("b",)] * 90
    numbers = [0.001 * number for number in range(10)] + [100.0 + number for number in range(90)]
    assert risk("distinct-l-diversity", keys, numbers).by_record[:10].tolist() == [1] * 10


def test_a_group_without_a_single_value_tells_nothing():
    score = risk("distinct-l-diversity", [("a",), ("a",), ("b",), ("b",)], [None, None, "u", "v"])
    assert score.by_record.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("name", [*KINDS, "t-closeness"])
def test_a_file_without_a_confidential_attribute_is_declined(name):
    with pytest.raises(NotApplicableError, match="no confidential attribute"):
        build("risk", name).measure(untouched(file_of([("a",), ("b",)])))
