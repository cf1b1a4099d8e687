"""Each step of a chain of noise, rounding and maps of a number, beside its definition."""

import numpy as np
import pytest
from scipy.stats import norm

from sdckit.edits import Edits
from sdckit.laws import composed_numbers as steps
from sdckit.laws.composed_numbers import LEAST, Mixture, composed_numbers
from sdckit.laws.release_law import RowClasses
from sdckit.likelihood import NeighbourLaw
from sdckit.normal_law import NormalLaw
from sdckit.recipe import Recipe
from tests.laws.views import numbers, of_all_pairs, view_of

NOISE = Recipe.of("additive-noise").steps[0].masking
SHARES = np.array([[0.25, 0.75], [1.0, 0.0]])


def law(noise: float, centre: float = 2.0, slope: float = 0.5) -> NormalLaw:
    return NormalLaw(np.array([[noise]]), np.array([centre]), np.array([[slope]]))


def test_noise_moves_the_atoms_and_adds_to_the_variance():
    moved = Mixture(np.array([1.0, 4.0]), SHARES, 4.0).moved(2.0, 0.5, 3.0)
    assert (moved.atoms.tolist(), moved.variance, moved.deviation) == ([1.5, 3.0], 4.0, 2.0)
    assert moved.share is SHARES


def test_what_comes_of_a_value_is_the_mean_over_its_atoms():
    probability = np.array([[0.5, 0.5, 0.0], [0.0, 0.2, 0.8]])
    alone = Mixture(np.array([1.0, 4.0]), None, 1.0).spread(probability, np.array([7.0, 8.0, 9.0]))
    assert (alone.share is probability, alone.variance, alone.atoms.tolist()) == (True, 0.0, [7.0, 8.0, 9.0])
    mixed = Mixture(np.array([1.0, 4.0]), SHARES, 1.0).after(probability)
    assert mixed == pytest.approx(np.array([[0.125, 0.275, 0.6], [0.5, 0.5, 0.0]]))


def test_a_column_is_scaled_to_the_variance_after_noise_and_before_it():
    column = np.array([1.0, 3.0, 8.0, 4.0])
    after = steps._with_variance_after(column, law(3.0))
    assert after.mean() == pytest.approx(2 + 0.5 * (column.mean() - 2))
    assert after.var() == pytest.approx(0.25 * column.var() + 3)
    before = steps._with_variance_before(after, law(3.0))
    assert before.var() == pytest.approx(column.var())
    assert before.mean() == pytest.approx(after.mean())
    assert steps._with_variance_before(column, law(column.var() + 1)).var() == pytest.approx(0.0, abs=1e-9)
    assert steps._with_variance_after(np.full(3, 7.0), law(3.0)).tolist() == [4.5] * 3  # no direction to grow in


@pytest.mark.parametrize("share", [None, SHARES])
def test_random_rounding_after_noise_is_the_mean_of_the_nearness(share, monkeypatch):
    """The probability of a multiple is the mean of 1 − |value / base − multiple| where that is positive."""
    mixture, base = Mixture(np.array([0.4, 7.1]), share, 2.25), 3.0
    found = steps._rounded_at_random(base, mixture)
    first, last = np.floor((0.4 - 12) / 3), np.ceil((7.1 + 12) / 3)
    assert found.atoms.tolist() == (base * np.arange(first, last + 1)).tolist() and found.variance == 0
    points = np.linspace(-9, 9, 5_001)
    weight = norm.pdf(points) / norm.pdf(points).sum()
    by_atom = np.array(
        [
            [
                weight @ np.clip(1 - np.abs((atom + 1.5 * points) / base - multiple / base), 0, None)
                for multiple in found.atoms
            ]
            for atom in mixture.atoms
        ]
    )
    assert found.share == pytest.approx(by_atom if share is None else share @ by_atom, abs=1e-6)
    assert found.share.sum(axis=1) == pytest.approx([1.0, 1.0])
    cells = (last - first + 3) * 2
    monkeypatch.setattr(steps, "CELLS", cells)
    assert steps._rounded_at_random(base, mixture) is not None
    monkeypatch.setattr(steps, "CELLS", cells - 1)
    assert steps._rounded_at_random(base, mixture) is None


def test_random_rounding_of_exact_values_by_hand():
    found = steps._stepped(None, None, NeighbourLaw(10.0), "x", Mixture(np.array([12.0, 20.0, 25.0]), None, 0.0))
    assert found.atoms.tolist() == [10, 20, 30] and found.variance == 0
    assert found.share == pytest.approx(np.array([[0.8, 0.2, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]]))
    mixed = steps._stepped(None, None, NeighbourLaw(10.0), "x", Mixture(np.array([12.0, 25.0]), SHARES, 0.0))
    assert mixed.share == pytest.approx(SHARES @ np.array([[0.8, 0.2, 0.0], [0.0, 0.5, 0.5]]))
    disturbed = Mixture(np.array([12.0, 25.0]), SHARES, 4.0)
    expected = steps._rounded_at_random(10.0, disturbed)
    assert np.array_equal(steps._stepped(None, None, NeighbourLaw(10.0), "x", disturbed).share, expected.share)


@pytest.mark.parametrize("decimals", [0, 1])
@pytest.mark.parametrize("bounds", [(-np.inf, np.inf), (-0.33, 2.48), (0.5, np.inf), (-np.inf, 1.0)])
@pytest.mark.parametrize("share", [None, SHARES])
def test_a_drawn_value_is_published_rounded_and_in_its_range(decimals, bounds, share, monkeypatch):
    """Each published value has the probability of what is clipped to the range and rounded to it."""
    low, high = bounds
    data = numbers({"x": [1.0, 2.0]}, Edits.bounds(x=bounds), decimals=decimals)
    mixture, unit = Mixture(np.array([0.4, 1.7]), share, 0.25), 10.0**-decimals
    found = steps._published(view_of(data, data), NOISE, "x", mixture)
    every = np.round(unit * np.arange(-100, 101), decimals)
    possible = every[(every >= low) & (every <= high)]
    first = max(np.floor((0.4 - 4) / unit + 1e-9) * unit, possible[0])
    last = min(np.ceil((1.7 + 4) / unit - 1e-9) * unit, possible[-1])
    atoms = possible[(possible > first - unit / 4) & (possible < last + unit / 4)]
    assert found.atoms == pytest.approx(atoms, abs=1e-12) and found.variance == 0
    edges = np.concatenate([[-np.inf], (atoms[1:] + atoms[:-1]) / 2, [np.inf]])
    by_atom = np.diff(norm.cdf(edges[None, :], mixture.atoms[:, None], 0.5), axis=1)
    assert found.share == pytest.approx(by_atom if share is None else share @ by_atom, abs=1e-9)
    monkeypatch.setattr(steps, "CELLS", 2 * len(atoms))
    assert steps._published(view_of(data, data), NOISE, "x", mixture) is not None
    monkeypatch.setattr(steps, "CELLS", 2 * len(atoms) - 1)
    assert steps._published(view_of(data, data), NOISE, "x", mixture) is None


def test_fine_rounding_changes_nothing_and_a_range_of_exact_values_has_no_atoms():
    mixture = Mixture(np.array([0.4]), None, 0.64)
    fine = numbers({"x": [1.0, 2.0]}, decimals=1)  # eight units are one standard deviation
    assert steps._published(view_of(fine, fine), NOISE, "x", mixture) is mixture
    narrow = Mixture(np.array([0.4]), None, 0.63)
    assert steps._published(view_of(fine, fine), NOISE, "x", narrow) is not narrow
    bounded = numbers({"x": [1.0, 2.0]}, Edits.bounds(x=(0, np.inf)))
    assert steps._published(view_of(bounded, bounded), NOISE, "x", mixture) is None


def test_probabilities_of_intervals_are_exact_in_both_tails():
    mixture = Mixture(np.array([0.0, 10.0]), None, 4.0)
    lower, upper = np.array([-np.inf, -1.0, 16.0, -18.0]), np.array([-1.0, 3.0, 18.0, -16.0])
    found = steps._probability(mixture, lower, upper)
    expected = norm.cdf(upper, mixture.atoms[:, None], 2) - norm.cdf(lower, mixture.atoms[:, None], 2)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-16)
    assert found[0, 2] == pytest.approx(found[0, 3], rel=1e-12) and found[0, 2] > 0
    sharp = steps._probability(Mixture(np.array([1.0]), None, 0.0), np.array([0.5, 2.0]), np.array([2.0, 3.0]))
    assert sharp.tolist() == [[1.0, 0.0]]


def blocks(mixture: Mixture, released: list, *chain: str, lines: tuple[int, ...] = (0, 1, -1)) -> np.ndarray | None:
    """The law of released values for three records: of the first value, of the second, and of none that is known."""
    original, masked = numbers({"x": [1.0] * len(released)}), numbers({"x": released})
    recipe = Recipe.of(list(chain) or ["rounding"], ["x"])
    view = view_of(original, masked, recipe)
    rows = RowClasses.by(view.released, ["x"])
    maps = recipe.resolve(original).steps if chain else ()
    found = steps._blocks(view, maps, "x", rows, mixture, np.array(lines))
    if found is None:
        return None
    (block,) = found
    return of_all_pairs(block, 3, len(rows.sizes))[:, rows.of]


def test_rows_after_exact_steps_have_the_probability_of_their_atoms():
    released = [2.0, 5.0, None, 9.0, 2.0]
    found = blocks(Mixture(np.array([2.0, 5.0]), None, 0.0), released)
    never, no = -np.inf, np.log(LEAST)
    assert found.tolist() == [[0, no, never, never, 0], [no, 0, never, never, no], [0] * 5]
    mixed = blocks(Mixture(np.array([2.0, 5.0]), SHARES, 0.0), released)
    assert mixed[0].tolist() == pytest.approx([np.log(0.25), np.log(0.75), never, never, np.log(0.25)])
    assert mixed[1].tolist() == [0, no, never, never, 0]
    rounded = blocks(Mixture(np.array([1.6, 5.2]), None, 0.0), [2.0, 5.0, None], "rounding:base=1")
    assert rounded.tolist() == [[0, no, never], [no, 0, never], [0, 0, 0]]


def test_rows_after_noise_have_the_density_about_the_atoms(monkeypatch):
    released = [2.5, 5.0, None]
    gaps = (np.array([[2.5, 5.0]]) - np.array([[2.0], [4.0]])) / 2.0
    found = blocks(Mixture(np.array([2.0, 4.0]), None, 4.0), released)
    assert found[:2, :2] == pytest.approx(-0.5 * gaps**2)
    assert found[:2, 2].tolist() == [-np.inf] * 2 and found[2].tolist() == [0] * 3
    mixture = Mixture(np.array([2.0, 4.0]), SHARES, 4.0)
    mixed = blocks(mixture, released)
    assert mixed[:2, :2] == pytest.approx(np.log(SHARES @ np.exp(-0.5 * gaps**2)))
    assert mixed[:2, 2].tolist() == [-np.inf] * 2
    monkeypatch.setattr(steps, "CELLS", 6)
    assert blocks(mixture, released) is not None
    monkeypatch.setattr(steps, "CELLS", 5)
    assert blocks(mixture, released) is None


def test_the_size_of_the_noise_is_kept_beside_the_deviations():
    view = view_of(numbers({"x": [1.0, 2.0]}), numbers({"x": [1.0, 2.0]}))
    rows = RowClasses.by(view.released, ["x"])
    (block,) = steps._blocks(view, (), "x", rows, Mixture(np.array([1.0, 2.0]), None, 9.0), np.array([0, 1]))
    assert block.constant == pytest.approx(-np.log(3))


@pytest.mark.parametrize("share", [None, SHARES])
def test_rows_after_noise_and_rounding_have_the_probability_of_their_interval(share, monkeypatch):
    released = [2.0, 4.0, None, 6.0]
    mixture = Mixture(np.array([2.5, 4.0]), share, 1.0)
    found = blocks(mixture, released, "rounding:base=2")
    by_atom = np.array(
        [[norm.cdf(end + 1, atom) - norm.cdf(end - 1, atom) for end in (2.0, 4.0, 6.0)] for atom in (2.5, 4.0)]
    )
    expected = by_atom if share is None else share @ by_atom
    assert np.exp(found[:2][:, [0, 1, 3]]) == pytest.approx(expected, abs=1e-7)
    assert found[:2, 2].tolist() == [-np.inf] * 2 and found[2].tolist() == [0] * 4
    if share is not None:
        monkeypatch.setattr(steps, "CELLS", 8)
        assert blocks(mixture, released, "rounding:base=2") is not None
        monkeypatch.setattr(steps, "CELLS", 7)
        assert blocks(mixture, released, "rounding:base=2") is None


def composed(before: list, after: list, *chain: str, whole: bool = True, **knowledge):
    """The law of a chain on one number, and whether it is exact."""
    original = numbers({"x": before})
    recipe = Recipe.of(list(chain), ["x"]).resolve(original)
    view = view_of(original, numbers({"x": after}), recipe, **knowledge)
    rows = RowClasses.by(view.released, ["x"])
    found = composed_numbers(view, recipe.steps, "x", rows, whole=whole)
    if found is None:
        return None
    (block,), exact = found
    return of_all_pairs(block, len(view), len(rows.sizes))[:, rows.of], exact


BEFORE, AFTER = [1.0, 2.0, 4.0, 9.0, None], [1.5, 2.0, 5.0, 8.0, None]


def test_the_noise_of_a_later_step_is_a_share_of_the_expected_variance():
    """Forwards from the known file: of 4 values the first noise adds 0.2 of the variance, with divisor 3."""
    values = np.array(BEFORE[:4])
    first = 0.2 * values.var(ddof=1)
    second = 0.5 * (values.var() + first) * 4 / 3
    found, exact = composed(BEFORE, AFTER, "additive-noise:variance_share=0.2", "additive-noise:variance_share=0.5")
    gaps = np.array(AFTER)[None, :4].astype(float) - values[:, None]
    assert found[:4, :4] == pytest.approx(-0.5 * gaps**2 / (first + second), rel=1e-6)
    assert not exact and found[4].tolist() == [0] * 5 and found[:4, 4].tolist() == [-np.inf] * 4


def test_of_a_part_the_noise_is_estimated_backwards_from_the_release():
    released = np.array(AFTER[:4])
    second = 0.5 / 1.5 * released.var(ddof=1)
    entered = (released.var() - second) * 4 / 3
    first = 0.2 / 1.2 * entered
    chain = ("additive-noise:variance_share=0.2", "additive-noise:variance_share=0.5")
    found, exact = composed(BEFORE, AFTER, *chain, whole=False)
    gaps = released[None, :] - np.array(BEFORE[:4])[:, None]
    assert found[:4, :4] == pytest.approx(-0.5 * gaps**2 / (first + second), rel=1e-6)
    assert not exact


def test_a_chain_with_one_noise_is_exact_where_the_whole_file_is_known():
    values = np.array(BEFORE[:4])
    deviation = np.sqrt(0.2 * values.var(ddof=1))
    rounded = [2.0, 2.0, 4.0, 8.0, None]
    found, exact = composed(BEFORE, rounded, "additive-noise:variance_share=0.2", "rounding:base=2")
    ends = np.array(rounded[:4])[None, :]
    expected = norm.cdf(ends + 1, values[:, None], deviation) - norm.cdf(ends - 1, values[:, None], deviation)
    assert exact and np.exp(found[:4, :4]) == pytest.approx(expected, abs=1e-7)
    assert not composed(BEFORE, rounded, "additive-noise:variance_share=0.2", "rounding:base=2", whole=False)[1]
    maps, exact = composed(BEFORE, [1.0, 2.0, 4.0, 9.0, None], "rounding:base=1", "top-coding:share=0,limit=20")
    assert exact and (maps[:4, :4] == 0).tolist() == np.eye(4, dtype=bool).tolist()


def test_an_error_in_what_is_known_is_a_variance_before_the_first_step():
    found, _ = composed(BEFORE, AFTER, "additive-noise:variance_share=0.2", "rounding:base=0.5", whole=False, noise=0.3)
    view = view_of(numbers({"x": BEFORE}), numbers({"x": AFTER}), noise=0.3)
    known = view.known.columns["x"][:4]
    error = 0.09 / 1.09 * known.var()
    variance = error + 0.2 / 1.2 * np.array(AFTER[:4]).var(ddof=1)
    ends = np.array(AFTER[:4])[None, :]
    scale = np.sqrt(variance)
    expected = norm.cdf(ends + 0.25, known[:, None], scale) - norm.cdf(ends - 0.25, known[:, None], scale)
    assert np.exp(found[:4, :4]) == pytest.approx(expected, rel=1e-5)


def test_chains_without_such_a_law_have_none():
    assert composed(BEFORE, AFTER, "mdav:group_size=2", "additive-noise") is None
    assert composed(BEFORE, AFTER, "additive-noise", "bounded-noise") is None
    assert composed(BEFORE, AFTER, "additive-noise", "multiplicative-noise") is None
    assert (
        composed([None, None, 1.0], [None, None, 1.0], "additive-noise", "rounding") is None
    )  # one value has no variance
    assert composed(BEFORE, AFTER, "additive-noise", "rounding", missing=1.0, whole=False) is None
    original = numbers({"x": BEFORE})
    recipe = Recipe.of(["rounding", "rounding"], ["x"]).resolve(original).at_level("household")
    view = view_of(original, numbers({"x": AFTER}))
    assert composed_numbers(view, recipe.steps, "x", RowClasses.by(view.released, ["x"]), whole=True) is None


def test_a_step_after_noise_that_others_follow_is_summed_over():
    """Noise, rounding to multiples of 4, and noise again: a mixture about the multiples."""
    values = np.array(BEFORE[:4])
    chain = ("additive-noise:variance_share=0.2", "rounding:base=4", "additive-noise:variance_share=0.1")
    found, exact = composed(BEFORE, AFTER, *chain)
    first = 0.2 * values.var(ddof=1)
    second = 0.1 * (values.var() + first) * 4 / 3
    multiples = np.arange(-40.0, 60.0, 4.0)
    shares = norm.cdf(multiples + 2, values[:, None], np.sqrt(first)) - norm.cdf(
        multiples - 2, values[:, None], np.sqrt(first)
    )
    density = np.exp(-0.5 * (np.array(AFTER[:4])[None, :] - multiples[:, None]) ** 2 / second)
    assert np.exp(found[:4, :4]) == pytest.approx(shares @ density, rel=1e-6) and not exact


@pytest.mark.parametrize("share", [None, SHARES])
def test_a_map_after_noise_gives_each_image_the_probability_of_its_interval(share, monkeypatch):
    """Atoms far from each other, each with images of its own, which are looked for where values can be."""
    asked = []

    def image(view, maps, name, values, later):
        assert later
        asked.append((values.min(), values.max()))
        return 10.0 * np.searchsorted([-1.0, 2.5, 48.0, 51.5], values, side="right")

    monkeypatch.setattr(steps, "mapped_values", image)
    mixture = Mixture(np.array([0.0, 50.0]), share, 4.0)
    found = steps._mapped(None, None, "x", mixture)
    assert found.atoms.tolist() == [0, 10, 20, 30, 40] and found.variance == 0
    edges = np.array([-np.inf, -1.0, 2.5, 48.0, 51.5, np.inf])
    by_atom = np.diff(norm.cdf(edges[None, :], mixture.atoms[:, None], 2), axis=1)
    assert found.share == pytest.approx(by_atom if share is None else share @ by_atom, abs=1e-12)
    assert asked[0] == (-16.0, 66.0)
    monkeypatch.setattr(steps, "CELLS", 10)
    assert steps._mapped(None, None, "x", mixture) is not None
    monkeypatch.setattr(steps, "CELLS", 9)
    assert steps._mapped(None, None, "x", mixture) is None


def test_a_map_has_few_images_where_each_has_four_of_the_trials(monkeypatch):
    monkeypatch.setattr(steps, "TRIALS", 20)
    mixture = Mixture(np.array([0.0]), None, 1.0)
    for limits, few in (([-6.0, -3.0, 1.0, 5.0], True), ([-6.0, -3.0, 1.0, 5.0, 6.0], False)):
        monkeypatch.setattr(
            steps, "mapped_values", lambda v, s, n, values, later, at=limits: np.searchsorted(at, values) + 0.0
        )
        assert (steps._mapped(None, None, "x", mixture) is not None) is few
    monkeypatch.setattr(steps, "mapped_values", lambda *arguments, later: None)
    assert steps._mapped(None, None, "x", mixture) is None
    assert steps._mapped(None, None, "x", Mixture(np.array([0.0]), None, 0.0)) is None
