"""Noise added several times to several numbers: covariances by hand, forwards and backwards."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.edits import Edits
from sdckit.laws import composed_noise as steps
from sdckit.laws.composed_noise import composed_noise
from sdckit.laws.release_law import RowClasses
from sdckit.normal_law import NormalLaw
from sdckit.recipe import Recipe
from tests.laws.views import numbers, of_all_pairs, view_of

NAMES = ("a", "b")
BEFORE = {"a": [1.0, 2.0, 4.0, 9.0, 3.0, 0.0], "b": [2.0, 1.0, 5.0, 7.0, 1.0, 2.0]}
AFTER = {"a": [1.5, 2.0, 5.0, 8.0, 4.0, 1.0], "b": [2.5, 0.0, 5.0, 9.0, 1.0, 3.0]}


def matrix(columns: dict[str, list[float]]) -> np.ndarray:
    return np.array([columns[name] for name in NAMES]).T


def quadratic_forms(noise: np.ndarray, slope: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """−½ of the squared distance of each row from the image of each record, by the covariances of the noise."""
    gaps = matrix(AFTER)[None, :, :] - centre - ((matrix(BEFORE) - centre) @ slope)[:, None, :]
    return -0.5 * np.einsum("rci,ij,rcj->rc", gaps, np.linalg.inv(noise), gaps)


def composed(*chain: str, whole: bool = True, masked: dict | None = None, edits: Edits = Edits(), **declared):
    original = numbers(BEFORE, edits, **declared)
    recipe = Recipe.of(list(chain), NAMES).resolve(original)
    view = view_of(original, numbers(AFTER if masked is None else masked, edits, **declared), recipe)
    rows = RowClasses.by(view.released, NAMES)
    found = composed_noise(view, recipe.steps, NAMES, rows, whole=whole)
    return None if found is None else sum(of_all_pairs(each, 6, len(rows.sizes)) for each in found)[:, rows.of]


def test_covariances_add_up_forwards_from_the_known_file():
    own = np.cov(matrix(BEFORE).T)
    found = composed("correlated-noise:variance_share=0.2", "correlated-noise:variance_share=0.5")
    noise = (0.2 + 0.5 * 1.2) * own
    assert found == pytest.approx(quadratic_forms(noise, np.eye(2), matrix(BEFORE).mean(axis=0)), rel=1e-6)


def test_covariances_add_up_backwards_from_the_release():
    after = np.cov(matrix(AFTER).T)
    found = composed("correlated-noise:variance_share=0.2", "correlated-noise:variance_share=0.5", whole=False)
    second = 0.5 / 1.5 * after
    noise = 0.2 / 1.2 * (after - second) + second
    assert found == pytest.approx(quadratic_forms(noise, np.eye(2), matrix(AFTER).mean(axis=0)), rel=1e-6)


def test_independent_noise_after_correlated_noise():
    own = np.cov(matrix(BEFORE).T)
    found = composed("correlated-noise:variance_share=0.3", "additive-noise:variance_share=0.2")
    noise = 0.3 * own + np.diag(0.2 * np.diag(1.3 * own))
    assert found == pytest.approx(quadratic_forms(noise, np.eye(2), matrix(BEFORE).mean(axis=0)), rel=1e-6)


def test_a_slope_shrinks_the_noise_before_it():
    """Corrected noise shrinks values by 1 / √1.5 and adds a share of what it shrunk."""
    own = np.cov(matrix(BEFORE).T)
    found = composed("correlated-noise:variance_share=0.2", "corrected-noise:variance_share=0.5")
    noise = (0.2 * own + 0.5 * 1.2 * own) / 1.5
    expected = quadratic_forms(noise, np.eye(2) / np.sqrt(1.5), matrix(BEFORE).mean(axis=0))
    assert found == pytest.approx(expected, rel=1e-6)


def test_two_laws_are_joined_by_hand():
    first = NormalLaw(np.diag([1.0, 4.0]), np.zeros(2), np.array([[2.0, 1.0], [0.0, 1.0]]))
    second = NormalLaw(np.diag([0.5, 0.25]), np.zeros(2), np.array([[3.0, 0.0], [0.0, 5.0]]))
    both = steps._joined(first, second)
    assert both.noise.tolist() == [[9.5, 0.0], [0.0, 100.25]]
    assert both.slope.tolist() == [[6.0, 5.0], [0.0, 5.0]]


def test_a_file_is_given_the_covariances_after_noise_and_before_it():
    file = numbers(BEFORE)
    slope = np.array([[0.5, 0.2], [0.0, 2.0]])
    law = NormalLaw(np.array([[2.0, 0.5], [0.5, 1.0]]), np.zeros(2), slope)
    after = steps._after(file, NAMES, law)
    own = np.cov(matrix(BEFORE).T)
    assert np.cov(after.matrix(NAMES).T) == pytest.approx(slope.T @ own @ slope + law.noise)
    assert after.matrix(NAMES).mean(axis=0) == pytest.approx(matrix(BEFORE).mean(axis=0))
    before = steps._before(after, NAMES, law)
    assert np.cov(before.matrix(NAMES).T) == pytest.approx(own)


def test_a_direction_without_variance_keeps_a_little():
    wanted = np.array([[4.0, 2.0], [2.0, 1.0]])  # along one line
    moved = steps._with_covariances(numbers(BEFORE), NAMES, wanted)
    values = np.linalg.eigvalsh(np.cov(moved.matrix(NAMES).T))
    assert values == pytest.approx([5e-9, 5.0], rel=1e-3)
    flat = steps._with_covariances(numbers(BEFORE), NAMES, -np.eye(2))
    assert np.cov(flat.matrix(NAMES).T) == pytest.approx(np.zeros((2, 2)), abs=1e-12)


def test_a_step_on_some_of_the_numbers_leaves_the_others():
    file = numbers(BEFORE)
    step = Recipe.of("additive-noise:variance_share=0.5", ["b"]).steps[0]
    law = steps._law(file, step, NAMES, whole=True)
    variance = np.array(BEFORE["b"]).var(ddof=1)
    assert law.noise == pytest.approx(np.diag([0.0, 0.5 * variance]), rel=1e-9)
    assert law.slope.tolist() == [[1, 0], [0, 1]]
    assert law.centre == pytest.approx(matrix(BEFORE).mean(axis=0))
    shrunk = steps._law(file, replace(Recipe.of("corrected-noise", ["b"]).steps[0]), NAMES, whole=False)
    assert shrunk.slope[0, 0] == 1 and shrunk.slope[1, 1] < 1
    assert steps._law(file, Recipe.of("bounded-noise", ["b"]).steps[0], NAMES, whole=True) is None


def test_chains_without_such_a_law_have_none():
    noise = "correlated-noise:variance_share=0.2"
    assert composed(noise, "bounded-noise") is None
    assert composed(noise, "rounding") is None
    holes = AFTER | {"a": [None, 2.0, 5.0, 8.0, 4.0, 1.0]}
    assert composed(noise, noise, masked=holes, whole=False) is None
    assert composed(noise, noise, masked=holes) is not None
    assert composed(noise, "correlated-noise:variance_share=0") is not None
    assert composed("correlated-noise:variance_share=0", "additive-noise:variance_share=0,attributes=a") is not None


def test_rounding_between_the_steps_must_not_matter():
    """The noise of the first step is about √0.2 · 3: eight units of a tenth, and less than eight whole ones."""
    noise = "correlated-noise:variance_share=0.2"
    assert composed(noise, noise, decimals=1) is not None
    assert composed(noise, noise, decimals=0) is None
    assert composed(noise, noise, edits=Edits.bounds(a=(0, np.inf))) is None
    view = view_of(numbers(BEFORE, decimals=0), numbers(AFTER, decimals=0))
    step = Recipe.of(noise, ["a"]).steps[0]
    law = NormalLaw(np.diag([64.0, 1.0]), np.zeros(2), np.eye(2))
    assert steps._fine(view, step, law, NAMES)  # of the number that the step masks
    assert not steps._fine(view, Recipe.of(noise, ["b"]).steps[0], law, NAMES)


def test_matrices_that_cannot_be_turned_round_are_refused():
    assert steps._regular(np.diag([1.0, 1e-8]))
    assert not steps._regular(np.diag([1.0, 1e-10]))


def test_numbers_along_one_line_have_no_joint_law():
    before = {"a": BEFORE["a"], "b": [2 * each for each in BEFORE["a"]]}
    original = numbers(before)
    recipe = Recipe.of(["correlated-noise", "correlated-noise"], NAMES).resolve(original)
    view = view_of(original, original, recipe)
    rows = RowClasses.by(view.released, NAMES)
    assert composed_noise(view, recipe.steps, NAMES, rows, whole=True) is None


def test_households_are_not_masked_number_by_number():
    original = numbers(BEFORE)
    recipe = Recipe.of(["additive-noise", "additive-noise"], NAMES).resolve(original).at_level("household")
    view = view_of(original, numbers(AFTER))
    assert composed_noise(view, recipe.steps, NAMES, RowClasses.by(view.released, NAMES), whole=True) is None
