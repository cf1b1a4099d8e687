"""Edge switching: what stays, and how many switches are made."""

import numpy as np
import pytest

from sdckit.kernels.edge_switching import switched
from sdckit.kernels.edge_table import drawn_below, random_state

NODES = 14


def edges(seed: int, *, directed: bool = False) -> np.ndarray:
    rng = np.random.default_rng(seed)
    pairs = [(a, b) for a in range(NODES) for b in range(NODES) if (a != b if directed else a < b)]
    chosen = rng.choice(len(pairs), 30, replace=False)
    return np.sort([pairs[each][0] * NODES + pairs[each][1] for each in chosen])


def ends(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return keys // NODES, keys % NODES


def degrees(keys: np.ndarray) -> list[int]:
    return np.bincount(np.concatenate(ends(keys)), minlength=NODES).tolist()


@pytest.mark.parametrize("seed", range(4))
def test_a_switch_replaces_two_edges_and_no_degree(seed):
    keys = edges(seed)
    changed, done = switched(NODES, keys, 1, np.random.default_rng(seed))
    assert done == 1
    assert len(np.setdiff1d(keys, changed)) == len(np.setdiff1d(changed, keys)) == 2
    many, done = switched(NODES, keys, 60, np.random.default_rng(seed))
    assert done == 60
    low, high = ends(many)
    assert (low < high).all() and (np.diff(many) > 0).all()
    assert degrees(many) == degrees(keys)
    assert many.tolist() != keys.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_directed_switches_keep_the_edges_from_and_to_every_node(seed):
    keys = edges(seed, directed=True)
    changed, done = switched(NODES, keys, 60, np.random.default_rng(seed), directed=True)
    assert done == 60
    source, target = ends(changed)
    assert (source != target).all() and (np.diff(changed) > 0).all()
    for before, after in zip(ends(keys), (source, target), strict=True):
        assert np.bincount(after, minlength=NODES).tolist() == np.bincount(before, minlength=NODES).tolist()
    assert changed.tolist() != keys.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_within_classes_the_edges_between_any_two_of_them_stay_as_many(seed):
    keys = edges(seed)
    classes = np.arange(NODES) % 3

    def between(keys):
        return sorted(
            tuple(sorted(pair)) for pair in zip(*(classes[each].tolist() for each in ends(keys)), strict=True)
        )

    changed, done = switched(NODES, keys, 20, np.random.default_rng(seed), classes)
    assert done == 20
    assert between(changed) == between(keys)
    assert degrees(changed) == degrees(keys)
    free = switched(NODES, keys, 20, np.random.default_rng(seed))[0]
    assert between(free) != between(keys)


def test_a_star_has_no_switches():
    star = np.arange(1, NODES)
    changed, done = switched(NODES, star, 5, np.random.default_rng(0))
    assert (changed.tolist(), done) == (star.tolist(), 0)


@pytest.mark.parametrize("trials", [None, 100])
def test_no_switches_change_nothing(trials):
    keys = edges(0)
    changed, done = switched(NODES, keys, 0, np.random.default_rng(0), trials=trials)
    assert (changed.tolist(), done) == (keys.tolist(), 0)


@pytest.mark.parametrize("number", [0, 1])
def test_one_edge_has_nothing_to_be_exchanged_with(number):
    changed, done = switched(NODES, edges(0)[:number], 3, np.random.default_rng(0))
    assert (changed.tolist(), done) == (edges(0)[:number].tolist(), 0)


def test_no_more_trials_are_made_than_allowed():
    assert switched(NODES, edges(0), 50, np.random.default_rng(0), trials=0)[1] == 0
    assert 0 < switched(NODES, edges(0), 50, np.random.default_rng(0), trials=20)[1] <= 20


def plainly_switched(nodes, keys, switches, rng, classes=None, trials=None, directed=False):
    """The same draws, applied to a set of pairs."""

    def normal(one, other):
        return (one, other) if directed else (min(one, other), max(one, other))

    edges = [(int(key) // nodes, int(key) % nodes) for key in keys]
    state, done, present = random_state(rng), 0, set(edges)
    for _ in range(100 * switches if trials is None else trials):
        if done == switches:
            break
        first, second = int(drawn_below(state, len(edges))), int(drawn_below(state, len(edges)))
        if first == second:
            continue
        (a, b), (c, d) = edges[first], edges[second]
        if not directed and drawn_below(state, 2):
            c, d = d, c
        if len({a, b, c, d}) < 4 or {normal(a, d), normal(c, b)} & present:
            continue
        if classes is not None and classes[a] != classes[c] and classes[b] != classes[d]:
            continue
        present = present - {normal(a, b), normal(c, d)} | {normal(a, d), normal(c, b)}
        edges[first], edges[second] = (a, d), (c, b)
        done += 1
    return sorted(one * nodes + other for one, other in present), done


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_switches_are_those_of_a_set_of_pairs(seed, directed):
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(4, 8))
    one, other = rng.integers(0, nodes, (2, 2 * nodes))
    pairs = {(a, b) if directed else (min(a, b), max(a, b)) for a, b in zip(one, other, strict=True) if a != b}
    keys = np.array(sorted(a * nodes + b for a, b in pairs), dtype=np.int64)
    if len(keys) < 2:
        return
    classes = np.arange(nodes) % 2 if seed % 2 else None
    for switches, trials in ((1, None), (3, None), (5, 7), (4, 40)):
        given = switches, np.random.default_rng(seed), classes, trials, directed
        changed, done = switched(nodes, keys, *given)
        given = switches, np.random.default_rng(seed), classes, trials, directed
        assert (changed.tolist(), done) == plainly_switched(nodes, keys, *given)
