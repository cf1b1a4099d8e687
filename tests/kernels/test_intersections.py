import numpy as np
import pytest

from sdckit.kernels import intersections, intersections_of_few
from sdckit.kernels.intersections import intersection_links, intersection_rows, intersection_sizes
from sdckit.kernels.mixed_tree import MixedRecords, Trees
from sdckit.kernels.row_constraints import Sets

TREES = Trees.of([([[0], [1], [2]], 1)])


def random_case(seed: int, sets: int, missing: bool):
    rng = np.random.default_rng(seed)
    m, n, d = rng.integers(1, 8), rng.integers(1, 12), rng.integers(0, 3)
    values = rng.integers(0, 6, (n, d)).astype(float)
    lower = rng.integers(0, 6, (m, d)).astype(float)
    upper = lower + rng.integers(0, 4, (m, d))
    unknown = rng.random((m, d)) < 0.2
    lower[unknown], upper[unknown] = -np.inf, np.inf
    if missing:
        values[rng.random((n, d)) < 0.2] = np.nan
    drawn = []
    for _ in range(sets):
        members = [np.flatnonzero(rng.random(4) < 0.6) for _ in range(m)]
        starts = np.concatenate([[0], np.cumsum([len(each) for each in members])]).astype(np.int64)
        drawn.append(Sets(rng.integers(0, 4, n), starts, np.concatenate(members).astype(np.int64)))
    categories = rng.integers(0, 2)
    known, released = (
        MixedRecords(
            rng.integers(0, 3, (size, 2)).astype(float), rng.integers(-1, 3, (size, categories)).astype(np.int32)
        )
        for size in (m, n)
    )
    for records in (known, released):
        if missing and rng.random() < 0.5:
            records.numbers[rng.random(records.numbers.shape) < 0.3] = np.nan
    return lower, upper, values, drawn, known, released, rng.integers(-1, n, m)


@pytest.mark.parametrize("sets", [0, 1, 2])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("spared", [False, True])
def test_sets_and_links_are_those_of_a_plain_search(sets, missing, spared, monkeypatch):
    """Also where all pairs are looked at in blocks instead of by the kernel."""
    monkeypatch.setattr(intersections, "spared", lambda *_: spared)
    for seed in range(25):
        monkeypatch.setattr(intersections_of_few, "PAIRS", 1 + 3 * seed)
        check_search(seed, sets, missing)


def test_comparing_all_pairs_takes_an_eighth_of_adding_up_squares(monkeypatch):
    asked = []
    monkeypatch.setattr(intersections, "spared", lambda _, work: asked.append(work) or True)
    sets = Sets(np.zeros(8, np.int64), np.arange(6), np.zeros(5, np.int64))
    bounds = np.full((5, 1), -1.0), np.full((5, 1), 1.0)
    assert intersection_sizes(*bounds, np.zeros((8, 1)), [sets], np.array([False])).tolist() == [8] * 5
    assert asked == [5 * 8 * 2 // 8]


def check_search(seed, sets, missing):
    lower, upper, values, drawn, known, released, truth = random_case(seed, sets, missing)
    holes = np.random.default_rng(seed).random(values.shape[1]) < 0.5
    links = intersection_links(lower, upper, values, drawn, known, released, TREES, truth, holes)
    assert (intersection_sizes(lower, upper, values, drawn, holes) == links.count).all()
    starts, admitted = intersection_rows(lower, upper, values, drawn, holes)
    assert starts[0] == 0 and starts[-1] == len(admitted)
    for i in range(len(truth)):
        present = np.where(np.isnan(values), np.inf, values)
        inside = (present >= lower[i]) & (present <= upper[i])
        fits = (inside | (np.isnan(values) & holes)).all(axis=1)
        for each in drawn:
            fits &= np.isin(each.of_row, each.listed[each.starts[i] : each.starts[i + 1]])
        rows = np.flatnonzero(fits)
        assert links.count[i] == len(rows)
        assert admitted[starts[i] : starts[i + 1]].tolist() == rows.tolist()
        assert links.truth_covered[i] == (truth[i] in rows)
        if len(rows):
            distance = np.zeros(len(rows))
            for mine, theirs in zip(known.numbers[i], released.numbers.T, strict=True):
                if mine == mine:  # a hole is a tenth of the expected squared difference away
                    seen = theirs[~np.isnan(theirs)]
                    hole = 0.1 * ((mine - seen.mean()) ** 2 + seen.var(ddof=len(seen) > 1)) if len(seen) else 0.0
                    distance += np.where(np.isnan(theirs[rows]), hole, (mine - theirs[rows]) ** 2)
            if known.nodes.shape[1] and known.nodes[i, 0] >= 0:
                differ = (known.nodes[i, 0] != released.nodes[:, 0]).astype(float)
                seen = released.nodes[:, 0] >= 0
                differ[~seen] = differ[seen].mean() / 5 if seen.any() else 0.0
                distance = distance + 2 * differ[rows]
            best = rows[np.isclose(distance, distance.min(), rtol=1e-9, atol=0)]
            assert links.ties[i] == len(best)
            assert links.nearest[i] == best.min()
            assert links.truth_tied[i] == (truth[i] in best)
