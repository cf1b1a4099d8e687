"""A release law is the sum of its blocks; what anybody has is their product averaged over the known records."""

import numpy as np
import pytest

from sdckit.laws import release_law
from sdckit.laws.blocks import Deviations, Equality, Intervals, Margin, Table
from sdckit.laws.release_law import ReleaseLaw, RowClasses, _buckets, _divided, _log_sum, _share
from tests.laws.views import categories, numbers

RNG = np.random.default_rng(1)
ROWS = RowClasses(np.array([0, 1, 2, 2]), np.array([1, 1, 2]), np.array([0, 1, 2]))
LIKELIHOODS = RNG.gamma(1.0, size=(2, 5, 3))
TABLES = tuple(
    Table((name,), np.log(each), np.arange(5), np.arange(3)) for name, each in zip("ab", LIKELIHOODS, strict=True)
)
BOX = Intervals(("a",), np.full((5, 1), 0.0), np.full((5, 1), 1.0), np.array([[0.5], [2.0], [0.7]]))


def test_what_anybody_has_is_the_product_of_the_mean_likelihoods_of_the_blocks():
    law = ReleaseLaw(5, ROWS, (*TABLES, BOX), {})
    assert np.exp(law.log_margin()) == pytest.approx(LIKELIHOODS.mean(axis=1).prod(axis=0))


def test_the_candidates_are_those_of_the_product_of_all_blocks():
    found = ReleaseLaw(5, ROWS, (*TABLES, BOX), {}).candidates(3)
    product = LIKELIHOODS.prod(axis=0)
    for record in range(5):
        listed = slice(found.starts[record], found.starts[record + 1])
        assert found.classes[listed].tolist() == sorted([0, 2], key=lambda group: -product[record, group])
        assert np.exp(found.log_likelihood[listed]) == pytest.approx(product[record, found.classes[listed]])


def random_law(seed: int) -> ReleaseLaw:
    """Tiny blocks of every sort, many of them equal, with values that are not known and rows that are impossible."""
    rng = np.random.default_rng(seed)
    records, classes = rng.integers(1, 8, 2)
    sizes = rng.integers(1, 4, classes)
    of = np.repeat(np.arange(classes), sizes)
    rows = RowClasses(of, sizes, np.concatenate([[0], np.cumsum(sizes)[:-1]]))
    with np.errstate(divide="ignore"):
        entries = np.log(rng.integers(0, 3, (3, 3)) + (rng.random() < 0.5))

    def column(length: int, low: int, high: int) -> np.ndarray:
        return rng.integers(low, high, (length, 1)).astype(float)

    nothing = np.full(classes, -np.inf)
    every = [
        Table(("t",), entries, rng.integers(-1, 3, records), rng.integers(0, 3, classes)),
        Equality(("e",), rng.integers(0, 2, records), rng.integers(0, 2, classes), nothing),
        Equality(("e",), rng.integers(0, 2, records), rng.integers(0, 3, classes), nothing),
        Equality(("f",), rng.integers(-1, 2, records), rng.integers(0, 2, classes), np.log(rng.random(classes))),
        Equality(("g",), rng.integers(-1, 2, records), rng.integers(0, 2, classes), nothing),
        Deviations(
            ("d",), rng.integers(0, 3, (records, 1)).astype(float), rng.integers(0, 3, (classes, 1)).astype(float)
        ),
        Intervals(
            ("i",),
            rng.integers(0, 2, (records, 1)).astype(float),
            rng.integers(1, 3, (records, 1)).astype(float),
            rng.integers(0, 3, (classes, 1)).astype(float),
        ),
    ]
    return ReleaseLaw(int(records), rows, tuple(each for each in every if rng.random() < 0.5), {})


@pytest.mark.parametrize("indexed", [False, True])
@pytest.mark.parametrize("fewer", [0.0, 0.8, 2.0])
def test_lists_are_the_likeliest_classes_of_all_pairs(indexed, fewer, monkeypatch):
    """However records and rows are searched: in the order of their likelihood, with the share of what is left out."""
    monkeypatch.setattr(release_law, "FEWER", fewer)
    if indexed:
        monkeypatch.setattr(release_law, "INDEXED", 0)
    for seed in range(10 if indexed else 25):
        law = random_law(seed)
        classes = len(law.rows.sizes)
        rng = np.random.default_rng(seed)
        among = None if seed % 2 else rng.integers(0, law.records, 3)
        wanted = np.arange(law.records) if among is None else among
        most = int(rng.integers(1, classes + 2))
        found = law.candidates(most, among, thorough=True)
        assert len(found.starts) == len(wanted) + 1
        for line, record in enumerate(wanted):
            parts = law.of_pairs(np.full(classes, record), np.arange(classes))
            total = sum(parts.values(), np.zeros(classes))
            possible = np.flatnonzero(total > -np.inf)
            expected = sorted(total[possible].tolist(), reverse=True)
            listed = slice(found.starts[line], found.starts[line + 1])
            assert found.log_likelihood[listed] == pytest.approx(expected[:most], abs=1e-9)
            assert total[found.classes[listed]] == pytest.approx(found.log_likelihood[listed], abs=1e-9)
            assert len(set(found.classes[listed].tolist())) == len(found.classes[listed])
            left = np.exp(expected[most:]).sum() / np.exp(expected).sum() if expected else 0.0
            assert found.left_out[line] == pytest.approx(left, abs=1e-9)
            assert found.unlisted[line] == pytest.approx(left, abs=1e-9)


def test_records_in_a_tree_are_found_by_rows():
    for seed in range(6):
        law = random_law(seed)
        classes = len(law.rows.sizes)
        found = release_law.compressed(
            law.index_of_records().likeliest(np.arange(classes), law.records, 10_000, 10_000)
        )
        for group in range(classes):
            total = sum(
                law.of_pairs(np.arange(law.records), np.full(law.records, group)).values(), np.zeros(law.records)
            )
            listed = slice(found.starts[group], found.starts[group + 1])
            assert found.log_likelihood[listed] == pytest.approx(sorted(total[total > -np.inf])[::-1], abs=1e-9)


def test_a_tree_is_for_many_rows(monkeypatch):
    law = ReleaseLaw(5, ROWS, TABLES, {})
    assert law.tree is None
    monkeypatch.setattr(release_law, "INDEXED", 2)
    assert law.tree is law.index.tree
    monkeypatch.setattr(release_law, "INDEXED", 3)
    assert law.tree is None


def test_classes_of_rows_are_numbered_by_their_values():
    file = numbers({"x": [2.0, 1.0, 2.0, None, 1.0, 2.0], "y": [0.0, 5.0, 0.0, 1.0, 4.0, 0.0]})
    rows = RowClasses.by(file, ["x", "y"])
    assert (rows.of.tolist(), rows.sizes.tolist(), rows.first.tolist()) == (
        [3, 2, 3, 0, 1, 3],
        [1, 1, 1, 3],
        [3, 4, 1, 0],
    )
    letters = RowClasses.by(categories({"x": "cab-a"}), ["x"])
    assert (letters.of.tolist(), letters.sizes.tolist(), letters.first.tolist()) == (
        [3, 1, 2, 0, 1],
        [1, 2, 1, 1],
        [3, 1, 2, 0],
    )


def test_what_is_compared_with_anybody_already_is_left_out_of_the_margin():
    margin = Margin(("a",), np.zeros((1, 3)), np.zeros(5, dtype=np.int64), np.arange(3))
    law = ReleaseLaw(5, ROWS, (*TABLES, margin), {})
    assert np.exp(law.log_margin()) == pytest.approx(LIKELIHOODS[1].mean(axis=0))


def test_the_margin_is_that_of_evenly_spaced_records(monkeypatch):
    monkeypatch.setattr(release_law, "MARGIN_SAMPLE", 3)
    law = ReleaseLaw(5, ROWS, TABLES[:1], {})
    assert np.exp(law.log_margin()) == pytest.approx(LIKELIHOODS[0][[0, 2, 4]].mean(axis=0))


def test_blocks_that_lift_are_left_out():
    lift = Table(("c",), np.zeros((1, 3)), np.zeros(5, dtype=np.int64), np.arange(3), lift=True)
    law = ReleaseLaw(5, ROWS, (*TABLES, lift, BOX), {})
    assert law.without_lifts().blocks == (*TABLES, BOX)


def test_parts_of_the_same_attributes_add_up():
    law = ReleaseLaw(5, ROWS, (*TABLES, TABLES[0]), {})
    parts = law.of_pairs(np.array([1, 4]), np.array([2, 0]))
    assert parts[("a",)] == pytest.approx(2 * np.log(LIKELIHOODS[0][[1, 4], [2, 0]]))
    assert parts[("b",)] == pytest.approx(np.log(LIKELIHOODS[1][[1, 4], [2, 0]]))


def test_buckets_are_the_combinations_that_rows_have():
    nothing = np.full(3, -np.inf)
    one = Equality(("a",), np.array([0, 1, 1, 2]), np.array([1, 0, 1]), nothing)
    other = Equality(("b",), np.array([5, 5, 6, 5]), np.array([6, 5, 6]), nothing)
    of_record, of_row = _buckets([one, other], 4, 3)
    assert of_row[0] == of_row[2] != of_row[1]
    assert of_record.tolist() == [of_row[1], -1, of_row[0], -1]
    unknown = Equality(("c",), np.array([0, -1, 0, 0]), np.array([0, 0, 1]), nothing)
    soft, *_ = _divided([one, unknown, BOX], 4, 3)
    assert soft == [unknown, BOX]
    assert [each.tolist() for each in _buckets([], 2, 3)] == [[0, 0], [0, 0, 0]]


def test_shares_and_sums_of_logarithms():
    inf = np.inf
    assert _log_sum(np.array([[0.0, np.log(3), -inf], [-inf, -inf, -inf], [-2000, -2000, -inf]])) == pytest.approx(
        [np.log(4), -inf, -2000 + np.log(2)]
    )
    assert _share(np.array([-inf, 0.0, -inf]), np.array([0.0, np.log(3), -inf])).tolist() == pytest.approx([0, 0.25, 0])
