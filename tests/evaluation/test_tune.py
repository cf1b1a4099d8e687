"""The tuner: keeps the bound, repeats itself, is never worse than the sweep it starts from, and leaves a trail."""

import json
import sys

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.catalogue import entries, find
from sdckit.errors import ParameterError, SdcError, UnknownNameError
from sdckit.evaluation.search_clock import SearchClock
from sdckit.evaluation.search_space import Range, SearchSpace
from sdckit.evaluation.sweep import sweep
from sdckit.evaluation.tune import BATCH, tune
from sdckit.measure import Score
from sdckit.microdata import Microdata
from sdckit.progress import NoProgress
from sdckit.recipe import Recipe
from sdckit.release import protect

METHODS = ("mdav", "additive-noise", "rank-swapping")


@pytest.fixture(scope="module")
def firms() -> Microdata:
    rng = np.random.default_rng(3)
    size = rng.lognormal(3, 1, 40)
    return Microdata.from_frame(
        polars.DataFrame({"size": size, "turnover": size * rng.lognormal(0, 0.2, 40), "staff": size**0.5})
    )


def searched(data: Microdata, max_risk: float, trials: int, **options: object):
    return tune(
        data,
        max_risk,
        risk="distance-linkage",
        loss="il1s",
        methods=METHODS,
        trials=trials,
        workers=1,
        draws=2,
        **options,
    )


def test_the_recipe_found_keeps_the_bound_at_every_draw(firms):
    found = searched(firms, 0.3, 40)
    assert found.best is not None and found.recipe is not None
    assert found.best.seeds == 2
    measure = find("risk", "distance-linkage").build()
    for seed in range(2):
        assert measure.measure(protect(firms, found.recipe, seed=seed)).value <= 0.3


def test_the_search_is_at_least_as_good_as_the_sweep_it_starts_from(firms):
    swept = sweep(firms, METHODS, measures=["distance-linkage", "il1s"], seeds=2, workers=1)
    before = swept.best(0.3, "distance-linkage", "il1s")
    found = searched(firms, 0.3, len(swept.points))
    assert before is not None and found.best is not None
    assert found.best.mean["il1s"] <= before.mean["il1s"]


def test_the_same_seed_and_trials_find_the_same_by_the_same_way(firms):
    first, second = searched(firms, 0.3, 30, seed=4), searched(firms, 0.3, 30, seed=4)
    assert first.map.to_dict() == second.map.to_dict()
    assert first.to_dict() == second.to_dict()


def test_no_more_files_are_masked_than_allowed(firms):
    for trials in (1, 13):
        assert len(searched(firms, 0.3, trials).map.points) == trials


def test_a_bound_that_nothing_keeps_gives_the_lowest_risk_found(firms):
    found = tune(firms, 0.0, risk="distance-linkage", loss="il1s", methods=["mdav"], trials=5, workers=1)
    assert found.best is None and found.recipe is None
    assert found.to_dict()["best"] is None
    assert found.safest.highest["distance-linkage"] == min(each.scores["distance-linkage"] for each in found.map.points)


@pytest.fixture(scope="module")
def two_columns() -> Microdata:
    rng = np.random.default_rng(5)
    return Microdata.from_frame(polars.DataFrame({"a": rng.permutation(30) * 10.0, "b": rng.normal(size=30)}))


@pytest.mark.slow
def test_what_is_found_stands_up_to_the_best_weighted_distance(two_columns):
    found = tune(two_columns, 0.5, methods=["additive-noise"], trials=40, draws=2, workers=1)
    assert found.confirmed
    *before, last = found.confirmed.values()
    assert all(value > 0.5 for value in before)
    attack = find("risk", "weighted-mean-linkage").build()
    if found.best is None:
        assert last > 0.5
    else:
        assert last <= 0.5 and list(found.confirmed)[-1] == found.best.label
        assert found.recipe is not None
        for seed in range(2):
            release = protect(two_columns, found.recipe, seed=seed)
            assert attack.measure(release, seed=0).value <= 0.5
    lost = [each.mean[found.loss] for label in found.confirmed for each in found.map.settings if each.label == label]
    assert lost == sorted(lost)


@pytest.mark.slow
def test_a_setting_that_the_learned_distance_breaks_gives_way_to_the_next_best(firms, monkeypatch):
    measured: list[float] = []

    def measure(self, release, intruder=None, *, seed=None):
        measured.append(1.0 if len(measured) < 4 else 0.0)  # both draws of two settings
        return Score(measured[-1])

    monkeypatch.setattr(type(find("risk", "weighted-mean-linkage").build()), "measure", measure)
    options = {"loss": "il1s", "methods": METHODS, "trials": 40, "workers": 1, "draws": 2}
    found = tune(firms, 0.9, **options)
    assert list(found.confirmed.values()) == [1.0, 1.0, 0.0]
    kept = sorted(
        (each for each in found.map.settings if each.seeds == 2 and each.highest["informed-intruder"] <= 0.9),
        key=lambda each: each.mean["il1s"],
    )
    assert [each.label for each in kept[:3]] == list(found.confirmed)
    assert found.best is not None and found.best.label == kept[2].label and not found.unconfirmed


@pytest.mark.slow
def test_where_time_is_over_the_next_best_is_called_unconfirmed(firms, monkeypatch):
    attack = type(find("risk", "weighted-mean-linkage").build())
    monkeypatch.setattr(attack, "measure", lambda self, release, intruder=None, *, seed=None: Score(1.0))
    monkeypatch.setattr(SearchClock, "spent", lambda self: True)
    found = tune(firms, 0.9, loss="il1s", methods=METHODS, trials=40, workers=1, draws=2)
    assert found.unconfirmed and found.to_dict()["unconfirmed"]
    assert found.best is not None and list(found.confirmed.values()) == [1.0]
    assert found.best.label not in found.confirmed


@pytest.mark.slow
def test_a_file_of_categories_is_tuned_by_what_sees_them():
    rng = np.random.default_rng(7)
    names = ("town", "work", "home", "sex")
    people = polars.DataFrame({name: rng.choice(list("abcde"), 80) for name in names})
    data = Microdata.from_frame(people, roles=dict.fromkeys(names, "key"))
    found = tune(data, 0.3, methods=["pram", "value-flip"], trials=20, draws=2, workers=1)
    assert found.loss == "structure-loss"
    assert found.best is not None and found.best.mean["structure-loss"] > 0
    assert all("informed-intruder" in point.scores for point in found.map.points)


def test_a_bound_on_a_named_risk_is_put_to_that_risk_alone(firms):
    assert searched(firms, 0.3, 20).confirmed == {}


def test_a_space_that_is_exhausted_ends_the_search(firms):
    found = tune(firms, 0.5, risk="distance-linkage", loss="il1s", methods=["data-shuffling"], trials=200, workers=1)
    assert len(found.map.points) < 200


def test_the_trail_holds_every_point_in_order(firms, tmp_path):
    path = tmp_path / "trail.jsonl"
    found = searched(firms, 0.3, 15, trail=path)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["scores"] for line in lines] == [point.to_dict()["scores"] for point in found.map.points]
    assert [line["number"] for line in lines] == list(range(1, 16))


def test_an_interrupted_search_gives_the_best_so_far(firms):
    class Interrupting(NoProgress):
        done = 0

        def advance(self, label: str = "") -> None:
            self.done += 1
            if self.done > 12:
                raise KeyboardInterrupt

    found = searched(firms, 0.5, 500, progress=Interrupting())
    assert 12 <= len(found.map.points) < 500
    assert found.best is not None


def test_time_ends_the_search_after_the_first_batch_at_the_earliest(firms):
    found = tune(firms, 0.5, risk="distance-linkage", loss="il1s", methods=["mdav"], budget=1e-9, workers=1)
    assert 1 <= len({point.label for point in found.map.points}) <= BATCH


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"max_risk": 1.5}, ParameterError, "0 to 1"),
        ({"max_risk": 0.1, "trials": 0}, ParameterError, "at least one"),
        ({"max_risk": 0.1, "trials": 5, "budget": 5.0}, ParameterError, "both"),
        ({"max_risk": 0.1, "risk": "distance-linkag"}, UnknownNameError, "did you mean 'distance-linkage'"),
        ({"max_risk": 0.1, "loss": "il44"}, UnknownNameError, "did you mean"),
        ({"max_risk": 0.1, "loss": "distance-linkage"}, ParameterError, "is a risk"),
        ({"max_risk": 0.1, "seed": -1}, ParameterError, "out of range"),
    ],
)
def test_a_wrong_search_says_what_is_accepted(firms, options, error, words):
    with pytest.raises(error, match=words):
        tune(firms, **options)


def test_without_optuna_the_error_says_what_to_install(firms, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(SdcError, match="pip install"):
        searched(firms, 0.3, 5)


@given(st.integers(0, 2**32 - 1))
def test_a_variation_stays_in_the_space_and_makes_a_chain_of_two_at_most(seed):
    space = SearchSpace(tuple(find("masking", name) for name in METHODS))
    rng = np.random.default_rng(seed)
    recipe = Recipe.of("mdav:group_size=3")
    for _ in range(5):
        recipe = space.varied(recipe, rng)
        assert 1 <= len(recipe.steps) <= 2
        for step in recipe.steps:
            for each in space.ranges[step.masking.name]:
                assert each.low <= getattr(step.masking, each.name) <= each.high


@given(st.floats(0.001, 0.9), st.floats(0.001, 0.9))
def test_a_parameter_is_proposed_with_few_digits_and_in_its_range(first, second):
    low, high = sorted((first, second))
    for value in (low, high, (low + high) / 2):
        tidy = Range("share", low=low, high=high).tidy(value)
        assert low <= tidy <= high
        assert abs(tidy - value) <= 0.005 * value
        assert tidy in (low, high) or len(f"{tidy:.12g}".lstrip("0.")) <= 3


def test_every_grid_value_is_inside_the_range_that_is_searched():
    for entry in entries("masking", Microdata):
        for parameter in entry.parameters:
            if parameter.grid:
                found = Range.of(parameter)
                assert found.choices or all(found.low <= value <= found.high for value in parameter.grid), entry.name


def test_the_starts_are_the_grid_of_the_sweep_with_every_method_early():
    space = SearchSpace(tuple(find("masking", name) for name in METHODS))
    names = [recipe.steps[0].masking.name for recipe in space.starts()]
    assert set(names[:3]) == set(METHODS)
    assert len(names) == 3 + 4 + 4


@pytest.mark.filterwarnings("error")
def test_a_parameter_that_is_a_component_is_searched_without_a_warning() -> None:
    import optuna

    space = SearchSpace((find("masking", "fuzzy-microaggregation"),))
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    for start in list(space.starts())[:4]:
        study.enqueue_trial(space.parameters_of(start))
        assert str(space.suggested(study.ask())) == str(start)
    assert space.suggested(study.ask()).steps[0].masking.name == "fuzzy-microaggregation"
