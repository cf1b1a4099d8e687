"""The table of edges answers as a set does, and its numbers are those of the published generator."""

import numpy as np
import pytest

from sdckit.kernels.edge_table import drawn_below, edge_key, edge_table, holds, insert, random_state, remove

# The first numbers of splitmix64 from the seed 1234567, as published with the generator.
SPLITMIX = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]


@pytest.mark.parametrize("seed", range(5))
def test_a_crowded_table_answers_as_a_set_does(seed):
    rng = np.random.default_rng(seed)
    present = set(rng.choice(40, 5, replace=False).tolist())
    table = edge_table(np.array(sorted(present)))
    for _ in range(150):
        key = int(rng.integers(0, 40))
        if key in present:
            remove(table, key)
            present.discard(key)
        elif len(present) < len(table) - 2:
            insert(table, key)
            present.add(key)
        assert [each for each in range(40) if holds(table, each)] == sorted(present)
        assert (table >= 0).sum() == len(present)


@pytest.mark.parametrize(("edges", "more"), [(0, 0), (1, 0), (6, 0), (7, 100), (300, 300)])
def test_a_table_has_room_for_the_edges_announced(edges, more):
    table = edge_table(np.arange(edges), more)
    assert len(table) & (len(table) - 1) == 0
    assert 2.5 * (edges + more) <= len(table) <= max(16, 5 * (edges + more))
    assert sorted(table[table >= 0].tolist()) == list(range(edges))


def test_an_edge_has_one_number_from_both_ends():
    assert edge_key(10, 3, 7) == edge_key(10, 7, 3) == 37


def test_the_numbers_drawn_are_those_of_the_published_generator():
    state = np.array([1234567], dtype=np.uint64)
    with np.errstate(over="ignore"):
        assert [int(drawn_below(state, 1 << 62)) for _ in SPLITMIX] == [each // 2 % (1 << 62) for each in SPLITMIX]


def test_every_number_below_the_limit_is_drawn_equally_often():
    state = random_state(np.random.default_rng(3))
    with np.errstate(over="ignore"):
        seen = np.bincount([int(drawn_below(state, 5)) for _ in range(5000)], minlength=5)
    assert len(seen) == 5
    assert (np.abs(seen - 1000) < 5 * np.sqrt(5000 * 0.2 * 0.8)).all()
