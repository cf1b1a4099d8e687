"""Hierarchies: trees of ever coarser values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.errors import FileError, SchemaError
from sdckit.hierarchy import ROOT, Hierarchy

zips = st.lists(st.text("0123456789", min_size=1, max_size=5), min_size=1, max_size=12)


@given(zips)
def test_every_value_has_a_path_to_the_root_and_is_below_each_node_of_it(values):
    tree = Hierarchy.by_prefix(values)
    assert set(values) <= set(tree.leaves) | {ROOT}
    for value in values:
        path = tree.ancestors(value)
        assert path[0] == value and path[-1] == ROOT
        assert all(value in tree.descendants(node) for node in path)
    assert tree.descendants(ROOT) == frozenset(tree.leaves)


@given(zips)
def test_distance_is_symmetric_within_one_and_zero_only_for_the_same(values):
    tree = Hierarchy.by_prefix(values)
    for one in values:
        for other in values:
            distance = tree.distance(one, other)
            assert distance == tree.distance(other, one)
            assert 0 <= distance <= 1
            assert (distance == 0) == (one == other)


def test_zip_codes_by_hand():
    tree = Hierarchy.by_prefix(["48201", "48202", "48301", "88202"])
    assert tree.ancestors("48201") == ("48201", "4820*", "482**", "48***", "4****", ROOT)
    assert tree.distance("48201", "48202") == pytest.approx(1 / 5)  # four leading digits of five are common
    assert tree.distance("48201", "48301") == pytest.approx(3 / 5)
    assert tree.distance("48201", "88202") == 1
    assert tree.generalise("48201", 2) == "482**"
    assert tree.generalise("48201", 99) == ROOT
    assert tree.descendants("48***") == {"48201", "48202", "48301"}


def test_intervals_by_hand():
    tree = Hierarchy.by_intervals([31, 34, 38.5], [5, 10])
    assert tree.ancestors(31) == ("31", "30 to under 35", "30 to under 40", ROOT)
    assert tree.ancestors(38.5) == ("38.5", "35 to under 40", "30 to under 40", ROOT)


def test_intervals_that_do_not_nest_are_refused():
    for widths in ([5, 12], [], [0, 5], [-5, 5]):
        with pytest.raises(SchemaError, match="do not nest"):
            Hierarchy.by_intervals([1], widths)


def test_levels_are_written_and_read_in_the_format_of_arx(tmp_path):
    tree = Hierarchy.by_levels([["a", "x", "all"], ["b", "x", "all"], ["c", "y", "all"]])
    assert tree.ancestors("a") == ("a", "x", ROOT)
    tree.to_csv(tmp_path / "tree.csv")
    assert Hierarchy.from_csv(tmp_path / "tree.csv") == tree


def test_one_value_is_a_tree():
    tree = Hierarchy.by_prefix(["1"])
    assert tree.ancestors("1") == ("1", ROOT) and tree.height == 1 and tree.distance("1", "1") == 0


@pytest.mark.usefixtures("on_terminal")
def test_what_is_not_a_tree_is_refused(tmp_path):
    with pytest.raises(SchemaError, match="has a cycle at"):
        Hierarchy({"a": "b", "b": "a"})
    with pytest.raises(SchemaError, match="no parent for 'b'"):
        Hierarchy({"a": "b"})
    with pytest.raises(SchemaError, match="two parents"):
        Hierarchy.by_levels([["a", "x"], ["a", "y"]])
    with pytest.raises(SchemaError, match="empty"):
        Hierarchy.by_levels([])
    with pytest.raises(FileError, match="cannot be read"):
        Hierarchy.from_csv(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes("é;x\n".encode("latin-1"))
    with pytest.raises(FileError, match="not UTF-8 text"):
        Hierarchy.from_csv(tmp_path / "latin.csv")


@pytest.mark.usefixtures("on_terminal")
def test_an_unknown_value_is_refused_with_the_near_miss():
    tree = Hierarchy.by_levels([["north", "up"], ["south", "down"]])
    with pytest.raises(SchemaError, match="did you mean 'north'"):
        tree.ancestors("nroth")
    assert "nroth" not in tree and "north" in tree and ROOT in tree


def test_a_person_reads_its_height_and_how_a_value_climbs():
    tree = Hierarchy.by_prefix(["48201", "88202"], steps=(2,))
    assert str(tree) == "2 levels above 2 values, such as 48201 → 482** → *"
