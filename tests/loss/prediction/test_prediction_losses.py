"""Classification and regression loss: models of the masked file, judged on original records held out."""

import numpy as np
import polars as pl
import pytest
from tests.methods.files import correlated, numeric

from sdckit import Microdata, Release, build, protect
from sdckit.errors import NotApplicableError, UnknownNameError
from sdckit.loss.prediction.held_out import Skill, interval_of
from sdckit.rows import Unrelated

NAMES = ("classification-loss", "regression-loss")


def lost(name, original, masked, **values):
    return build("loss", name, **values).measure(Release.in_order(original, masked), seed=1)


@pytest.fixture(scope="module")
def related():
    return numeric(correlated(300, 4, seed=1))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_lost_where_nothing_changed(name, related):
    assert lost(name, related, related).value == 0


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_lost_by_a_constant_file(name, related):
    values = related.matrix(related.names())
    constant = related.with_matrix(related.names(), np.tile(values.mean(axis=0), (300, 1)))
    assert lost(name, related, constant).value == pytest.approx(1)


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_lost_where_columns_are_shuffled_on_their_own(name):
    related, rng = numeric(correlated(3000, 3, seed=2)), np.random.default_rng(2)
    alone = related.with_columns({each: rng.permutation(related.columns[each]) for each in related.names()})
    assert lost(name, related, alone).value > 0.9


@pytest.mark.parametrize("name", NAMES)
def test_more_noise_loses_more(name, related):
    shares = (0.001, 0.5, 30)
    releases = [protect(related, f"additive-noise:variance_share={share}", seed=2) for share in shares]
    figures = [build("loss", name).measure(release, seed=1).value for release in releases]
    assert figures[0] < figures[1] < figures[2] <= 1


@pytest.mark.parametrize("name", NAMES)
def test_a_dropped_target_and_dropped_predictors_are_lost(name, related):
    assert lost(name, related, related.without(["a"]), target="a").value == 1
    fewer = lost(name, related, related.without(["b", "c"]), target="a")
    assert 0 < fewer.value < 1


@pytest.mark.parametrize("name", NAMES)
def test_where_nothing_can_be_predicted_it_does_not_apply(name):
    rng = np.random.default_rng(3)
    noise = numeric(rng.standard_normal((40, 2)))
    constant = numeric(np.ones((40, 2)))
    for file in (constant, noise.only(("a",))):
        with pytest.raises(NotApplicableError, match="cannot be predicted"):
            lost(name, file, file)


def test_a_linear_law_is_known_exactly():
    """b = 2a + 1: the skill is 1, and halving a alone doubles the slope that is learnt."""
    a = np.arange(60.0)
    original, masked = (numeric(np.column_stack([first, 2 * a + 1])) for first in (a, a / 2))
    score = lost("regression-loss", original, masked, target="b")
    assert score.details["skill_original"]["b"] == pytest.approx(1, abs=1e-9)
    # the masked model says b = 4a + 1: off by 2a, and the variance of b is that of 2a
    assert score.details["skill_masked"]["b"] < 0
    assert score.value == 1


def test_a_shift_of_the_target_costs_its_square_by_hand():
    a = np.arange(60.0)
    original, masked = (numeric(np.column_stack([a, second])) for second in (a, a + 5))
    score = lost("regression-loss", original, masked, target="b")
    assert score.value == pytest.approx(5**2 / a.var(), rel=1e-4)


def test_the_confidential_attribute_is_predicted_before_others():
    values = correlated(200, 3, seed=4)
    file = numeric(values).with_roles(b="confidential")
    assert set(lost("regression-loss", file, file).by_attribute) == {"b"}
    assert set(lost("regression-loss", file, file, target="a").by_attribute) == {"a"}
    every = numeric(values)
    assert set(lost("regression-loss", every, every).by_attribute) == {"a", "b", "c"}
    assert set(lost("regression-loss", every, every, max_attributes=2).by_attribute) == {"a", "b"}


def test_categories_are_predicted_and_predict():
    rng = np.random.default_rng(5)
    town = np.repeat(["Ely", "Rye"], 150)
    rent = np.where(town == "Ely", 1.0, 5.0) + 0.3 * rng.standard_normal(300)
    file = Microdata.from_frame(pl.DataFrame({"town": town, "rent": rent})).with_roles(town="key", rent="key")
    everywhere = file.with_columns({"town": np.zeros(300)})
    for name, target in (("classification-loss", "town"), ("classification-loss", "rent"), ("regression-loss", "rent")):
        assert lost(name, file, everywhere, target=target).value == pytest.approx(1)
        assert lost(name, file, file, target=target).details["skill_original"][target] > 0.9


@pytest.mark.filterwarnings("error")
def test_a_text_of_its_own_for_everybody_is_predicted_only_when_asked(related):
    names = pl.Series("name", [f"person {number}" for number in range(300)])
    frame = related.to_frame().with_columns(names)
    file = Microdata.from_frame(frame)
    assert "name" not in lost("classification-loss", file, file).by_attribute
    with pytest.raises(NotApplicableError, match="name cannot be predicted"):
        lost("classification-loss", file, file, target="name")


def test_an_unknown_target_is_an_error_with_the_near_miss():
    file = Microdata.from_frame(pl.DataFrame({"rent": [1.0, 2.0, 3.0], "town": ["a", "b", "a"]}))
    with pytest.raises(UnknownNameError, match="did you mean 'rent'"):
        lost("regression-loss", file, file, target="rnet")
    with pytest.raises(NotApplicableError, match="no ordered attribute"):
        lost("regression-loss", file, file, target="town")


def test_a_row_of_a_held_out_record_is_never_learnt_from():
    """One row says all of b, and only its own record needs it."""
    a = np.arange(40.0)
    b = np.where(a == 39, 1000.0, a)
    original, masked = (numeric(np.column_stack([a, each])) for each in (a, b))
    held_out_alone = lost("regression-loss", original, masked, target="b", folds=40)
    others = np.polyfit(a[:39], b[:39], 1)
    # the record itself is predicted by the 39 true rows alone, so its error is none, while the others suffer
    errors = [np.polyval(np.polyfit(np.delete(a, i), np.delete(b, i), 1), a[i]) - a[i] for i in range(40)]
    assert errors[39] == pytest.approx(np.polyval(others, 39) - 39, abs=1e-9)
    skill = 1 - np.square(errors).sum() / (40 * a.var())
    assert held_out_alone.details["skill_masked"]["b"] == pytest.approx(skill, rel=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_rows_that_came_from_nobody_are_learnt_from_too(name, related):
    synthetic = numeric(correlated(200, 4, seed=9))
    score = build("loss", name).measure(Release(related, synthetic, None, Unrelated()), seed=1)
    assert score.value < 0.5


@pytest.mark.parametrize("name", NAMES)
def test_a_part_of_a_large_file_is_enough(name):
    file = numeric(correlated(3000, 3, seed=7))
    release = protect(file, "additive-noise:variance_share=0.5", seed=1)
    whole, part = (build("loss", name, records=most).measure(release, seed=1).value for most in (5000, 1000))
    assert part == pytest.approx(whole, abs=0.1)


@pytest.mark.parametrize("name", NAMES)
def test_the_interval_of_the_untouched_file_is_nothing_but_0(name, related):
    assert lost(name, related, related).interval == (0, 0)


@pytest.mark.parametrize("name", NAMES)
def test_a_loss_that_random_variation_explains_has_0_in_its_interval(name, related):
    again = numeric(correlated(300, 4, seed=8))  # other records of the same law
    low, high = lost(name, related, again).interval
    assert low == 0 <= high < 0.5


@pytest.mark.parametrize("name", NAMES)
def test_what_is_surely_lost_has_not(name, related):
    low, high = build("loss", name).measure(protect(related, "additive-noise:variance_share=3", seed=2)).interval
    assert 0 < low < high <= 1


@pytest.mark.parametrize("name", NAMES)
def test_more_records_make_it_narrower(name):
    ends = []
    for records in (100, 1600):
        file = numeric(correlated(records, 3, seed=6))
        ends.append(build("loss", name).measure(protect(file, "additive-noise:variance_share=1", seed=1)).interval)
    assert ends[1][1] - ends[1][0] < (ends[0][1] - ends[0][0]) / 2  # four times narrower in theory


@pytest.mark.slow
def test_the_interval_covers_the_truth_of_two_given_models_as_often_as_it_says():
    """y = x + e with variances 4 and 1; the models say x and 0.7 x, so R² is 0.8 and 0.728, and 9 % are lost."""
    rng, simulations = np.random.default_rng(10), 300
    covered = 0
    for _ in range(simulations):
        x, e = 2 * rng.standard_normal(200), rng.standard_normal(200)
        y = x + e
        errors = np.column_stack([(y - y.mean()) ** 2, e**2, (0.3 * x + e) ** 2])
        low, high = interval_of([Skill(errors)], rng)
        covered += low <= 0.072 / 0.8 <= high
    assert 0.91 <= covered / simulations <= 0.99


def test_records_that_are_not_judged_do_not_matter():
    errors = np.random.default_rng(1).uniform(0, 1, (50, 3)) * [3, 1, 1.5]
    with_holes = np.vstack([errors, np.zeros((10, 3))])
    assert Skill(errors).lost == pytest.approx(Skill(with_holes).lost)
    one, other = (interval_of([Skill(each)], np.random.default_rng(2)) for each in (errors, with_holes))
    assert one == pytest.approx(other, abs=0.05)
