import numpy as np
import pytest

from sdckit.errors import ParameterError
from sdckit.randomness import child, generator


def draws(rng):
    return rng.integers(10**9, size=4).tolist()


def test_a_seed_gives_the_same_draws_and_another_seed_others():
    assert draws(generator(1)) == draws(generator(1)) != draws(generator(2))


def test_no_seed_gives_draws_that_do_not_repeat():
    assert draws(generator()) != draws(generator())


def test_a_child_does_not_depend_on_what_was_drawn_before():
    fresh, used = generator(1), generator(1)
    used.random(100)
    child(used, "other").random(3)
    assert draws(child(fresh, "noise", "age")) == draws(child(used, "noise", "age"))


def test_children_of_other_labels_parents_or_depth_differ():
    root = generator(1)
    families = [
        child(root, "a"),
        child(root, "b"),
        child(root, "a", "b"),
        child(root, "b", "a"),
        child(root, 1),
        child(root, "1"),
        child(generator(2), "a"),
    ]
    assert len({tuple(draws(rng)) for rng in families}) == len(families)


def test_a_child_of_a_child_is_the_child_of_both_labels():
    assert draws(child(child(generator(1), "a"), "b")) == draws(child(generator(1), "a", "b"))


def test_a_generator_goes_through():
    rng = np.random.default_rng(5)
    assert generator(rng) is rng
    assert draws(child(rng, "a")) == draws(child(np.random.default_rng(5), "a"))


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(ParameterError, match="seed"):
        generator(seed)


def test_numpys_whole_numbers_are_seeds():
    assert draws(generator(np.int64(7))) == draws(generator(7))
