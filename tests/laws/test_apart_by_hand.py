"""What a release that was shuffled apart adds, each part beside its definition on a few records and rows."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from sdckit.laws import apart
from sdckit.laws.apart import (
    LawBesideOthers,
    Lines,
    LinkThroughAnother,
    _by_attributes,
    _by_partner,
)
from sdckit.laws.ball import Ball
from sdckit.laws.blocks import Table
from sdckit.laws.release_law import ReleaseLaw, RowClasses
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares

LIFTS = np.array([[2.0, 0.0, 1.0], [0.0, 4.0, 3.0]])


def classes_of(codes: list[int]) -> RowClasses:
    of = np.array(codes)
    return RowClasses(of, np.bincount(of), np.array([codes.index(each) for each in range(of.max() + 1)]))


def table(name: str, likelihood: np.ndarray) -> Table:
    with np.errstate(divide="ignore"):
        entries = np.log(likelihood)
    return Table((name,), entries, np.arange(len(entries)), np.arange(entries.shape[1]))


def dense(law: ReleaseLaw) -> np.ndarray:
    """The likelihood of each row for each record."""
    records, rows = np.divmod(np.arange(law.records * len(law.rows.of)), len(law.rows.of))
    return np.exp(sum(law.of_pairs(records, law.rows.of[rows]).values())).reshape(law.records, -1)


def test_lines_are_a_matrix_again():
    lines = Lines.of(csr_matrix(LIFTS))
    assert lines.starts.tolist() == [0, 2, 4] and lines.columns.tolist() == [0, 2, 1, 2]
    assert lines.matrix(4).toarray().tolist() == [[2, 0, 1, 0], [0, 4, 3, 0]]


def test_records_point_at_ten_rows_of_their_ten_likeliest_links():
    many = Lines.of(csr_matrix(np.arange(1.0, 13)[None])), Lines.of(csr_matrix(np.eye(12)))
    _, rows = LinkThroughAnother(*many, np.zeros(1), 12).pointed_at(np.array([0]))
    assert sorted(rows.tolist()) == list(range(2, 12))
    fits = Lines.of(csr_matrix(np.ones((1, 1)))), Lines.of(csr_matrix(np.arange(1.0, 13)[:, None]))
    _, rows = LinkThroughAnother(*fits, np.zeros(1), 1).pointed_at(np.array([0]))
    assert sorted(rows.tolist()) == list(range(2, 12))


def test_classes_that_another_release_points_at_are_listed_beside_the_likeliest():
    """Record 0 is likeliest in class 0 by itself; the other release points it at class 2, and never at class 3."""
    likelihood = np.array([[0.9, 0.5, 0.1, 0.0], [0.2, 0.8, 0.4, 0.3]])
    posterior = Lines.of(csr_matrix(np.array([[1.0, 1.0], [0.0, 0.0]])))
    lifts = Lines.of(csr_matrix(np.array([[0.0, 0], [0, 0], [20, 0], [0, 30]])))
    through = LinkThroughAnother(posterior, lifts, np.array([0.0, 1.0]), 2)
    plain = ReleaseLaw(2, classes_of([0, 1, 2, 3]), (table("x", likelihood),), {})
    law = LawBesideOthers(plain.records, plain.rows, plain.blocks, {}, links=(through,))
    ratio = np.array([[0.02, 0.02, 0.98 * 20 + 0.02, 0.98 * 30 + 0.02], [1, 1, 1, 1]])
    assert dense(law) == pytest.approx(likelihood * ratio)
    found = law.candidates(1)
    assert found.starts.tolist() == [0, 2, 3] and found.classes.tolist() == [2, 0, 1]
    assert np.exp(found.log_likelihood) == pytest.approx([0.1 * 19.62, 0.9 * 0.02, 0.8])
    second = law.candidates(1, np.array([1]))
    assert second.classes.tolist() == [1] and second.starts.tolist() == [0, 1]
    twice = LawBesideOthers(plain.records, plain.rows, plain.blocks, {}, links=(through, through))
    assert dense(twice) == pytest.approx(likelihood * ratio**2)
    labels = [set(each.of_pairs(np.array([0]), np.array([0]))) - {("x",)} for each in (law, twice)]
    assert labels == [{(apart.OTHER_RELEASE,)}, {(apart.OTHER_RELEASES,)}]


def test_a_law_by_some_attributes_has_their_blocks():
    one, other = np.array([[0.9, 0.5, 0.5], [0.2, 0.8, 0.8]]), np.array([[0.3, 0.6, 0.1], [0.7, 0.2, 0.4]])
    law = ReleaseLaw(2, classes_of([0, 1, 2, 1]), (table("x", one), table("y", other)), {})
    some = _by_attributes(law, ["x", "z"], classes_of([0, 1, 1, 1]))
    assert len(some.blocks) == 1 and dense(some) == pytest.approx(one[:, [0, 1, 2, 1]])


def test_the_posterior_of_a_ball_is_that_of_its_records_and_classes():
    known, partners = classes_of([0, 1, 2, 3]), classes_of([0, 1, 0, 1])
    law = ReleaseLaw(5, known, (), {})
    graph = CandidateGraph.of(np.array([0, 2]), np.array([0, 1]), np.log([0.75, 0.25]), np.array([1, 1]), strangers=1)
    ball = Ball(np.array([3]), np.array([1, 2]), graph, np.zeros(1), np.zeros(2))
    one, other = balanced_shares(graph)
    found = _by_partner(ball, law, partners).toarray()
    assert found[3] == pytest.approx([other, one]) and not found[[0, 1, 2, 4]].any()
