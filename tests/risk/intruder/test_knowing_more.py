"""An intruder who knows more finds no fewer records in expectation: paired over files, one-sided."""

import numpy as np
import pytest

from sdckit.intruder import Intruder
from sdckit.release import protect
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.risk.intruder.ordinary_intruder import OrdinaryIntruder
from sdckit.testing.files import a_file

FILES = 6
STUDENT = 5.9  # one-sided quantile at 0.1 % with 5 degrees of freedom
RECIPES = pytest.mark.parametrize(
    "recipe",
    [
        "rank-swapping:window=0.3",
        "additive-noise:variance_share=1",
        ["pram:stay=0.6", "rank-swapping:window=0.3"],
        "mdav",
    ],
    ids=str,
)
KEYS = ("age", "yearly income", "grade", "town")


def releases(recipe):
    return [protect(a_file(100, seed=20 + number).only(KEYS), recipe, seed=number) for number in range(FILES)]


def assert_not_weaker(more: list[np.ndarray], less: list[np.ndarray]) -> None:
    """The differences by file are not significantly below 0; records that only one side knows do not count."""
    gaps = np.array([np.nanmean(one - other) for one, other in zip(more, less, strict=True)])
    assert gaps.mean() >= -STUDENT * max(gaps.std(ddof=1), 0.005) / np.sqrt(FILES)


def found(attack, release, **knowledge) -> np.ndarray:
    return attack.measure(release, Intruder(**{"attributes": KEYS} | knowledge)).by_record


@pytest.mark.slow
@RECIPES
@pytest.mark.parametrize("attack", [InformedIntruder(), OrdinaryIntruder()], ids=lambda attack: attack.name)
def test_knowing_more_attributes(attack, recipe):
    made = releases(recipe)
    assert_not_weaker(
        [found(attack, each) for each in made], [found(attack, each, attributes=KEYS[:2]) for each in made]
    )


@pytest.mark.slow
@RECIPES
@pytest.mark.parametrize("attack", [InformedIntruder(), OrdinaryIntruder()], ids=lambda attack: attack.name)
def test_knowing_more_records(attack, recipe):
    made = releases(recipe)
    assert_not_weaker([found(attack, each) for each in made], [found(attack, each, records=0.5) for each in made])


@pytest.mark.slow
@RECIPES
def test_knowing_the_method(recipe):
    made = releases(recipe)
    assert_not_weaker(
        [found(InformedIntruder(), each) for each in made], [found(OrdinaryIntruder(), each) for each in made]
    )


@pytest.mark.slow
@RECIPES
@pytest.mark.parametrize("less", [{"noise": 0.2}, {"missing": 0.3}], ids=str)
def test_knowing_the_values_better(recipe, less):
    made = releases(recipe)
    attack = InformedIntruder()
    assert_not_weaker([found(attack, each) for each in made], [found(attack, each, **less) for each in made])
