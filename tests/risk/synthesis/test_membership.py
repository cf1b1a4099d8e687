import numpy as np
import pytest
from tests.risk.synthesis.stand_ins import CopyOrDraw, population, release_of

from sdckit import Intruder, Microdata, Release, build, protect
from sdckit.attribute import Attribute, Role
from sdckit.errors import NotApplicableError
from sdckit.kernels.membership_scores import _significant, area_under, held_out_ratios, roc, true_rate_at
from sdckit.microdata import Kind
from sdckit.recipe import Recipe
from sdckit.risk.synthesis.closed_ratio import closed_ratios
from sdckit.risk.synthesis.membership import advantage_of
from sdckit.rows import Unrelated

GAME = build("risk", "membership", files=16, targets=100)


def test_a_roc_curve_by_hand():
    false, true = roc(np.array([3.0, 2.0, 1.0]), np.array([2.0, 0.0]))
    assert false.tolist() == [0, 0, 0.5, 0.5, 1]
    assert true.tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1, 1])
    # Of the six pairs four are in order, one ties.
    assert area_under(false, true) == pytest.approx(4.5 / 6)
    assert true_rate_at(false, true, 0.1) == pytest.approx(1 / 3)


def test_a_clear_shift_is_called_and_noise_is_not():
    """A value is called by the side of the middle of both means that it is on.

    The model has 9 values of the one kind and 10 of the other, so that the middle has a variance of (1/9 + 1/10) / 4
    in those of a value: a shift of 2 z √(1 + variance) deviations is called wrongly with the probability Φ(−z).
    """
    from scipy.stats import norm

    rng = np.random.default_rng(1)
    inside = np.tile(np.arange(20)[:, None] % 2 == 0, (1, 50))
    noise = rng.normal(size=(20, 50, 1))
    one_in_a_million_at_all = norm.isf(1e-6 / inside.size)
    clear = 2 * one_in_a_million_at_all * np.sqrt(1 + (1 / 9 + 1 / 10) / 4)
    shifted = held_out_ratios(noise + clear * inside[:, :, None], inside)
    assert ((shifted > 0) == inside).all()
    calls = (held_out_ratios(noise, inside) > 0).astype(float)
    advantage, (low, _) = advantage_of(calls, inside)
    assert low == 0
    assert advantage < 4 * np.sqrt(2 * 0.25 / (inside.size / 2))  # of calls that have nothing to do with who is inside


def test_a_shift_against_some_people_only_is_seen():
    """Outliers may be given away where others are not: their shift is their own."""
    rng = np.random.default_rng(2)
    inside = rng.random((24, 60)) < 0.5
    exposed = np.arange(60) < 10
    features = rng.normal(size=(24, 60, 1)) + 6.0 * (inside & exposed)[:, :, None]
    ratios = held_out_ratios(features, inside)
    right = (ratios > 0) == inside
    assert right[:, exposed].mean() > 0.95
    assert right[:, ~exposed].mean() == pytest.approx(0.5, abs=0.08)


def test_the_game_needs_the_recipe():
    release = Release(population(60, 1), population(60, 2), rows=Unrelated())
    with pytest.raises(NotApplicableError, match="recipe"):
        GAME.measure(release)
    with pytest.raises(NotApplicableError, match="does not know"):
        GAME.measure(release_of(0.5, 60), Intruder(knows_method=False))


def test_the_game_is_played_without_a_control_too():
    assert GAME.measure(release_of(1.0, 100, control=0), seed=1).value == 1
    assert GAME.measure(release_of(0.0, 100, control=0), seed=1).interval[0] == 0


def test_masked_rows_are_a_sign_of_membership_and_noise_hides_them():
    figures = [
        GAME.measure(
            protect(population(200, 1), f"additive-noise:variance_share={share}", list("abcd"), seed=1), seed=1
        )
        for share in (0.0001, 0.3, 5)
    ]
    assert figures[0].value > 0.95
    assert figures[0].value > figures[1].value > figures[2].value


def test_a_recipe_that_does_not_run_on_half_the_records_is_no_crash():
    release = protect(population(12, 1), "mdav:group_size=6", seed=1)
    assert GAME.measure(release, seed=1).details["files"] == 16
    few = protect(population(9, 1), "mdav:group_size=9", list("abcd"), seed=1)
    with pytest.raises(NotApplicableError, match="half of the records"):
        GAME.measure(few, seed=1)


def test_the_figure_of_a_person_is_an_advantage_against_that_person():
    score = GAME.measure(protect(population(150, 1), CopyOrDraw(copied=1.0), seed=1), seed=1)
    judged = score.by_record[~np.isnan(score.by_record)]
    assert len(judged) == 100 and (judged == 1).all()


def test_a_closed_ratio_by_hand():
    """Three of four answers are true: a row "no" is 0.75 / 0.5 times as likely with a person who says no."""
    attribute = Attribute("answer", Kind.UNORDERED, Role.KEY, categories=("no", "yes"))
    one, both = (Microdata((attribute,), {"answer": np.array(codes)}) for codes in ([0], [0, 1]))
    recipe = Recipe.of(build("masking", "randomised-response", epsilon=float(np.log(3))), ["answer"])
    assert closed_ratios(recipe, one, both, both) == pytest.approx(np.log([1.5, 0.5]))


def test_what_later_steps_changed_has_no_closed_ratio():
    data = population(20, 1).only(("a", "b"))
    names = ["a", "b"]
    noise = Recipe.of("additive-noise", names)
    assert closed_ratios(noise, data, data, data) is not None
    assert closed_ratios(Recipe.of(["additive-noise", "mdav"], names), data, data, data) is None
    assert closed_ratios(Recipe.of("mdav", names), data, data, data) is None
    assert closed_ratios(Recipe.of(CopyOrDraw(), names), data, data, data) is None


def test_the_unit_of_a_feature_without_noise_does_not_matter():
    inside = np.tile(np.arange(8)[:, None] % 2 == 0, (1, 5))
    features = 3.0 + 2.0 * inside[:, :, None]
    one, other = (held_out_ratios(unit * features, inside) for unit in (1.0, 1000.0))
    assert ((one > 0) == inside).all()
    assert other == pytest.approx(one)


@pytest.mark.parametrize("error", [1e-4, 1.0, 100.0])
def test_a_common_shift_counts_from_two_of_its_standard_errors_on(error):
    beyond, within = 2.01 * np.sqrt(error), 1.99 * np.sqrt(error)
    assert (_significant(beyond, error), _significant(-beyond, error)) == (beyond, -beyond)
    assert _significant(within, error) == _significant(-within, error) == 0


def test_the_ratio_of_a_normal_shift_has_the_mean_of_its_law():
    """A shift of δ deviations gives a log-likelihood ratio of ± δ²/2 on average, with the standard deviation δ."""
    rng = np.random.default_rng(5)
    inside = rng.random((40, 200)) < 0.5
    ratios = held_out_ratios(7.0 * (rng.normal(size=(40, 200, 1)) + 3.0 * inside[:, :, None]), inside)
    assert ratios[inside].mean() == pytest.approx(4.5, rel=0.1)
    assert ratios[~inside].mean() == pytest.approx(-4.5, rel=0.1)
    assert ratios[inside].std() == pytest.approx(3.0, rel=0.1)
