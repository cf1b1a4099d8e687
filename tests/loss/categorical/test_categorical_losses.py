"""Losses of recoding, suppression and changed categories, by hand, at their limits and in their direction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit import build
from sdckit.errors import NotApplicableError
from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import Release

LEAVES = ("48201", "48202", "48301", "88202")
TREE = Hierarchy.by_levels(
    [
        ["48201", "482**", "48***", "*"],
        ["48202", "482**", "48***", "*"],
        ["48301", "483**", "48***", "*"],
        ["88202", "882**", "88***", "*"],
    ]
)
NODES = (*LEAVES, "482**", "48***", "*")
ALL = (
    "suppressed-cells",
    "discernibility",
    "average-class-size",
    "generalisation-height",
    "precision",
    "normalised-certainty-penalty",
    "entropy-loss",
    "contingency-table-loss",
)
codes = st.lists(st.integers(-1, 3), min_size=2, max_size=12)


def file_of(zips, sexes=None):
    """A key with a hierarchy, as places in NODES, and perhaps one without."""
    attributes = [Attribute("zip", Kind.PARTIALLY_ORDERED, Role.KEY, NODES, TREE)]
    columns = {"zip": np.array(zips)}
    if sexes is not None:
        attributes.append(Attribute("sex", Kind.UNORDERED, Role.KEY, ("f", "m")))
        columns["sex"] = np.array(sexes)
    return Microdata(tuple(attributes), columns)


def loss(name, before, after, **values):
    return build("loss", name, **values).measure(Release.in_order(before, after))


BEFORE = file_of([0, 1, 2, 3], [0, 0, 1, 1])
AFTER = file_of([4, 4, 2, -1], [0, 0, -1, 1])  # 482**, 482**, kept, suppressed; one sex suppressed


def test_a_case_by_hand():
    assert loss("suppressed-cells", BEFORE, AFTER).value == 2 / 8
    assert loss("suppressed-cells", BEFORE, AFTER).by_attribute == {"zip": 1 / 4, "sex": 1 / 4}
    assert loss("precision", BEFORE, AFTER).value == pytest.approx((1 / 3 + 1 / 3 + 0 + 1 + 1) / 8)
    assert loss("precision", BEFORE, AFTER).by_record == pytest.approx([1 / 6, 1 / 6, 1 / 2, 1 / 2])
    assert loss("normalised-certainty-penalty", BEFORE, AFTER).value == pytest.approx((1 / 3 + 1 / 3 + 0 + 1 + 1) / 8)
    height = loss("generalisation-height", BEFORE, AFTER)
    assert height.details["levels"] == {"zip": 1, "sex": 0}
    assert height.value == 1 / 4


def test_wider_branches_cost_more_certainty_at_the_same_height():
    up_two = file_of([5, 1, 2, 3], [0, 0, 1, 1])  # 48201 becomes 48***, which stands for three of four
    assert loss("normalised-certainty-penalty", BEFORE, up_two).by_attribute["zip"] == pytest.approx((2 / 3) / 4)
    assert loss("precision", BEFORE, up_two).by_attribute["zip"] == pytest.approx((2 / 3) / 4)


def test_classes_by_hand():
    after = file_of([4, 4, 2, 3])
    before = file_of([0, 1, 2, 3])
    discernibility = loss("discernibility", before, after)
    assert (discernibility.details["metric_before"], discernibility.details["metric_after"]) == (4, 6)
    assert discernibility.value == pytest.approx((6 - 4) / (16 - 4))
    size = loss("average-class-size", before, after, group_size=2)
    assert size.details["mean_class_after"] == pytest.approx(4 / 3)
    assert size.details["c_avg"] == pytest.approx(2 / 3)
    assert size.value == pytest.approx((1 / 3 - 1 / 4) / (1 - 1 / 4))


def test_entropy_by_hand():
    before, after = file_of([0, 0, 1, 1]), file_of([4, 4, 4, 4])
    assert loss("entropy-loss", before, after).value == pytest.approx(1)
    half = file_of([0, 0, 1, 4])  # the last two tell their origin still
    assert loss("entropy-loss", before, half).value == 0
    mixed = file_of([4, 0, 4, 1])
    assert loss("entropy-loss", before, mixed).by_record == pytest.approx([1, 0, 1, 0])


def test_tables_by_hand():
    before, after = file_of([0, 0, 1, 1], [0, 1, 0, 1]), file_of([0, 0, 1, 1], [1, 0, 0, 0])
    score = loss("contingency-table-loss", before, after, dimension=1)
    assert score.by_attribute == pytest.approx({"zip": 0, "sex": 1 / 4})
    pair = loss("contingency-table-loss", before, after, dimension=2)
    assert pair.value == pytest.approx((0 + 1 / 4 + 1 / 4) / 3)
    assert pair.details["tables"] == 3


@pytest.mark.parametrize("name", ALL)
def test_the_same_file_loses_nothing(name):
    for data in (BEFORE, AFTER, file_of([2] * 5), file_of([-1, 3])):
        assert loss(name, data, data).value == 0


@pytest.mark.parametrize("name", ALL)
def test_suppressing_everything_loses_everything(name):
    gone = file_of([-1] * 4, [-1] * 4)
    score = loss(name, BEFORE, gone)
    assert score.value == (0 if name == "generalisation-height" else pytest.approx(1))


@given(codes, st.data())
def test_every_loss_is_a_share_and_grows_when_more_is_suppressed(zips, data):
    gone = data.draw(st.lists(st.booleans(), min_size=len(zips), max_size=len(zips)))
    before = file_of(zips)
    some = file_of(np.where(gone, -1, zips))
    all_gone = file_of([-1] * len(zips))
    for name in ALL:
        if name not in ("generalisation-height", "contingency-table-loss"):
            less, more = loss(name, before, some).value, loss(name, before, all_gone).value
            assert 0 <= less <= more + 1e-12 <= 1 + 1e-9, name


@pytest.mark.parametrize(
    "name", ["precision", "normalised-certainty-penalty", "generalisation-height", "entropy-loss", "discernibility"]
)
def test_climbing_the_tree_costs_more_the_higher_it_goes(name):
    ever_higher = ([4, 4, 2, 3], [5, 5, 5, 3], [6, 6, 6, 6])
    figures = [loss(name, file_of([0, 1, 2, 3]), file_of(after)).value for after in ever_higher]
    assert figures == sorted(figures) and figures[0] < figures[-1]


@pytest.mark.usefixtures("on_terminal")
@pytest.mark.parametrize("name", ["precision", "normalised-certainty-penalty", "generalisation-height"])
def test_a_category_that_is_not_in_the_hierarchy_is_named(name):
    strange = Attribute("zip", Kind.PARTIALLY_ORDERED, Role.KEY, (*NODES, "4820l"), TREE)
    masked = Microdata((strange,), {"zip": np.array([0, 1, 2, 7])})
    with pytest.raises(NotApplicableError, match="'zip' has the category '4820l', which is not in its hierarchy"):
        loss(name, file_of([0, 1, 2, 3]), masked)


def test_a_strange_category_that_no_record_has_does_no_harm():
    strange = Attribute("zip", Kind.PARTIALLY_ORDERED, Role.KEY, (*NODES, "4820l"), TREE)
    masked = Microdata((strange,), {"zip": np.array([0, 1, 2, 3])})
    assert loss("precision", file_of([0, 1, 2, 3]), masked).value == 0


def test_dropped_records_are_not_suppressed_cells():
    half = Release(BEFORE, BEFORE.take(np.array([1, 3])))
    assert build("loss", "suppressed-cells").measure(half).value == 0
    assert build("loss", "contingency-table-loss").measure(half).value > 0
