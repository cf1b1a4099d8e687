import numpy as np
import pytest
from tests.methods.files import correlated, numeric

from sdckit import Intruder, Release, build, protect
from sdckit.catalogue import entries
from sdckit.errors import NotApplicableError
from sdckit.measure import Composite, Cost, Finds, Need, Score
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.risk.composite.worst_case import ON_SINGLE_STEPS
from sdckit.testing.files import a_file

WORST = build("risk", "worst-case")
CHAIN = ("rank-swapping:window=0.05", "additive-noise:variance_share=0.02")


def test_its_parts_are_the_quick_attacks_that_an_intruder_can_carry_out():
    names = {part.name for part in WORST.parts()}
    assert {"distance-linkage", "mixed-linkage", "intersection-attack", "posterior-attack"} <= names
    assert "worst-case" not in names
    attacks = [entry.component for entry in entries("risk", Microdata) if entry.component.finds is Finds.RECORDS]
    expected = {
        attack.name
        for attack in attacks
        if attack.cost is Cost.QUICK and Need.TRUTH not in attack.needs and not issubclass(attack, Composite)
    }
    assert names == expected | {
        attack.name + ON_SINGLE_STEPS for attack in attacks if attack.name in expected and Need.RECIPE in attack.needs
    }


@pytest.mark.parametrize("recipe", ["mdav", "rank-swapping:window=0.1", CHAIN])
def test_it_is_the_largest_of_its_parts(recipe):
    release = protect(a_file(80), recipe, seed=1)
    score = WORST.measure(release, seed=1)
    figures = {}
    for part in WORST.parts():
        try:
            figures[part.name] = part.measure(release, seed=1).value
        except NotApplicableError:
            continue
    assert score.details["by_attack"] == figures
    assert score.value == max(figures.values()) == figures[score.details["strongest"]]


def test_interval_baseline_and_records_are_those_of_the_strongest_attack():
    release = protect(numeric(correlated(100, 3, seed=1)), "rank-swapping:window=0.1", seed=1)
    score = WORST.measure(release, seed=1)
    strongest = build("risk", score.details["strongest"]).measure(release, seed=1)
    assert (score.interval, score.baseline) == (strongest.interval, strongest.baseline)
    assert score.by_record.tolist() == strongest.by_record.tolist()


@pytest.mark.slow
def test_an_attack_on_the_recipe_is_also_tried_on_each_step_of_a_chain():
    release = protect(numeric(correlated(200, 4, seed=2)), CHAIN, seed=1)
    score = WORST.measure(release, seed=1)
    attack = build("risk", "intersection-attack")
    by_step = [
        attack.measure(Release(release.original, release.masked, Recipe((step,)), release.rows), seed=1).value
        for step in release.recipe.steps
    ]
    assert score.details["by_attack"]["intersection-attack" + ON_SINGLE_STEPS] == max(by_step)
    assert score.value >= max(by_step)


def test_a_single_step_is_attacked_once():
    release = protect(numeric(correlated(50, 3, seed=3)), "rank-swapping", seed=1)
    assert not [name for name in WORST.measure(release).details["by_attack"] if name.endswith(ON_SINGLE_STEPS)]


def test_it_combines_scores_that_were_measured_before():
    low, high = Score(0.2, interval=(0.1, 0.3)), Score(0.4, interval=(0.3, 0.5), baseline=0.01)
    score = WORST.combine({"one": low, "two": high, "three": NotApplicableError("it does not apply")})
    assert (score.value, score.interval, score.baseline) == (0.4, (0.3, 0.5), 0.01)
    assert score.details["strongest"] == "two"
    with pytest.raises(NotApplicableError, match="it does not apply"):
        WORST.combine({"three": NotApplicableError("it does not apply")})


def test_distinct_records_released_unchanged_are_all_found():
    data = numeric(correlated(50, 2, seed=4))
    assert WORST.measure(Release.in_order(data, data)).value == 1


def test_an_intruder_who_does_not_know_the_method_uses_the_other_attacks():
    release = protect(numeric(correlated(100, 3, seed=5)), "rank-swapping:window=0.1", seed=1)
    found = WORST.measure(release, Intruder(knows_method=False), seed=1)
    assert "intersection-attack" not in found.details["by_attack"]
    assert found.value <= WORST.measure(release, seed=1).value
    assert np.isfinite(found.by_record).all()
