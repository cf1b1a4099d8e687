"""The verdict: which risk comes first, what it is compared with, and the judgement on it."""

import polars
import pytest

from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.verdict import (
    headline_risk,
    judgement,
    judgement_of,
    risk_before,
    stronger_attack,
    uses_published_method,
    worst_attribute,
)
from sdckit.intruder import Intruder
from sdckit.measure import Score
from sdckit.release import Release


def risk(name: str, value: float) -> Score:
    return Score(value, name=name, kind="risk")


def scored(*scores: Score, before: tuple[Score, ...] = ()) -> Assessment:
    file = polars.DataFrame({"x": [1.0, 2.0]})
    release = Release.in_order(file, file)  # type: ignore[arg-type]
    return Assessment(release, Intruder(), {each.name: each for each in scores}, {each.name: each for each in before})


def headline(*scores: Score) -> str | None:
    found = headline_risk(scored(*scores))
    return None if found is None else found.name


@pytest.mark.parametrize(
    ("value", "interval", "before", "tone"),
    [
        (0.02, (0.005, 0.04), 1.0, "good"),
        (0.2, (0.1, 0.3), 1.0, "fair"),
        (0.6, (0.5, 0.7), 1.0, "bad"),
        (0.2, (0.1, 0.3), 0.3, "bad"),
        (0.0, (0.0, 0.01), 1.0, "good"),
    ],
)
def test_the_judgement_compares_with_guessing_and_with_before(
    value: float, interval: tuple[float, float], before: float, tone: str
) -> None:
    assert judgement(Score(value, interval=interval, baseline=0.01), Score(before)).tone == tone


def test_without_a_figure_before_masking_half_of_the_records_is_the_limit() -> None:
    assert judgement(Score(0.6), None).tone == "bad" and judgement(Score(0.4), None).tone == "fair"


def test_the_headline_is_the_informed_intruder_and_without_a_recipe_the_ordinary_one() -> None:
    others = (risk("worst-case", 0.9), risk("distance-linkage", 0.8), risk("uniqueness", 1.0))
    assert headline(*others, risk("ordinary-intruder", 0.2), risk("informed-intruder", 0.3)) == "informed-intruder"
    assert headline(*others, risk("ordinary-intruder", 0.2)) == "ordinary-intruder"


def test_without_these_the_headline_is_the_attack_that_re_identifies_most() -> None:
    attacks = (risk("distance-linkage", 0.2), risk("intersection-attack", 0.4), risk("rank-linkage", 0.3))
    assert headline(*attacks, risk("uniqueness", 0.9), risk("owa-linkage", 0.8)) == "intersection-attack"


def test_without_an_attack_the_headline_is_a_learnt_distance_and_then_any_risk() -> None:
    assert headline(risk("owa-linkage", 0.2), risk("uniqueness", 0.9)) == "owa-linkage"
    assert headline(risk("uniqueness", 0.9)) == "uniqueness"
    assert headline(Score(0.5, name="il1", kind="loss")) is None


def test_a_risk_that_re_identifies_nobody_is_no_headline_beside_an_attack() -> None:
    assert headline(risk("distance-linkage", 0.0), risk("k-anonymity", 1.0)) == "distance-linkage"


def test_an_attack_that_needs_a_recipe_is_compared_with_the_strongest_one_before() -> None:
    before = (risk("distance-linkage", 0.9), risk("rank-linkage", 0.8), risk("uniqueness", 1.0))
    assert risk_before(scored(before=before), risk("intersection-attack", 0.2)) == before[0]
    assert risk_before(scored(before=before), risk("rank-linkage", 0.2)) == before[1]
    assert risk_before(scored(), risk("intersection-attack", 0.2)) is None


def test_the_unmasked_file_has_no_method_so_the_ordinary_intruder_is_compared_with() -> None:
    before = (risk("ordinary-intruder", 0.7), risk("distance-linkage", 0.9))
    assert risk_before(scored(before=before), risk("informed-intruder", 0.2)) == before[0]
    assert risk_before(scored(before=before), risk("uniqueness", 0.2)) is None


def test_an_attack_that_finds_more_than_the_headline_s_interval_is_named() -> None:
    main = Score(0.3, name="informed-intruder", kind="risk", interval=(0.25, 0.35))
    assert stronger_attack(scored(main, risk("mixed-linkage", 0.34)), main) is None
    found = stronger_attack(scored(main, risk("mixed-linkage", 0.36), risk("owa-linkage", 0.9)), main)
    assert found is not None and found.name == "mixed-linkage"
    assert (
        stronger_attack(scored(risk("uniqueness", 0.1), risk("mixed-linkage", 0.36)), risk("uniqueness", 0.1)) is None
    )


def test_whether_the_published_method_was_attacked() -> None:
    assert uses_published_method(scored(risk("posterior-attack", 0.0)))
    assert not uses_published_method(scored(risk("distance-linkage", 0.5)))


def test_the_attribute_with_the_largest_loss_is_worst_by_most_losses() -> None:
    figures: list[dict[str, float]] = [
        {"a": 1.0, "b": 2.0},
        {"a": 0.1, "b": 0.3},
        {"a": 9.0, "b": 0.0},
        {"a": 0.0, "b": 0.0},
    ]
    scores = (Score(1.0, by_attribute=each, name=f"l{i}", kind="loss") for i, each in enumerate(figures))
    assert worst_attribute(scored(*scores)) == {"name": "b", "times": 2, "of": 3}


def test_the_judgement_is_on_the_stronger_attack() -> None:
    """An informed intruder who finds nobody is no green light where another attack finds everybody."""
    informed = Score(0.0, name="informed-intruder", kind="risk", interval=(0.0, 0.01), baseline=0.01)
    strong = Score(0.9, name="ordinary-intruder", kind="risk", interval=(0.85, 0.95), baseline=0.01)
    weak = Score(0.0, name="ordinary-intruder", kind="risk", interval=(0.0, 0.01), baseline=0.01)
    before = (risk("ordinary-intruder", 1.0),)
    found = judgement_of(scored(informed, strong, before=before))
    assert found is not None and found.tone == "bad"
    found = judgement_of(scored(informed, weak, before=before))
    assert found is not None and found.tone == "good"
    assert judgement_of(scored()) is None
