"""The main figures: the strongest of each sort, by hand."""

import numpy as np
import polars
import pytest

from sdckit.catalogue import build, entries
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.main_figures import (
    ALL_SHOWN_UP_TO,
    WITH_RECIPE,
    WITH_TRUE_LINKS,
    WITHOUT_RECIPE,
    certain_share,
    headline_loss,
    main_losses,
    main_risks,
)
from sdckit.evaluation.measurement import main_attacks, quick_measures, without_recipe
from sdckit.intruder import Intruder
from sdckit.measure import Score
from sdckit.microdata import Microdata
from sdckit.release import Release

RISKS = {
    "rank-linkage": 0.1,
    "distance-linkage": 0.3,
    "global-linkage": 0.2,
    "posterior-attack": 0.4,
    "intersection-attack": 0.6,
    "owa-linkage": 0.5,
    "uniqueness": 0.9,
    "k-anonymity": 1.0,
    "suda2": 0.8,
    "prosecutor-risk": 1.0,
}

INTRUDERS = {"ordinary-intruder": 0.05, "informed-intruder": 0.04}


def scored(*scores: Score) -> Assessment:
    file = polars.DataFrame({"x": [1.0, 2.0]})
    return Assessment(Release.in_order(file, file), Intruder(), {score.name: score for score in scores})  # type: ignore[arg-type]


def of_kind(kind: str, values: dict[str, float]) -> Assessment:
    return scored(*(Score(value, name=name, kind=kind) for name, value in values.items()))


def test_the_strongest_attack_of_each_sort_is_a_main_risk() -> None:
    shown = {risk.score.name: risk.heading for risk in main_risks(of_kind("risk", RISKS))}
    assert list(shown) == ["distance-linkage", "intersection-attack", "owa-linkage", "uniqueness"]
    assert list(shown.values())[:3] == [WITHOUT_RECIPE, WITH_RECIPE, WITH_TRUE_LINKS]


def test_the_intruders_come_first_and_then_the_strongest_classical_attack_of_each_sort() -> None:
    shown = [risk.score.name for risk in main_risks(of_kind("risk", RISKS | INTRUDERS))]
    intruders = ["informed-intruder", "ordinary-intruder"]
    assert shown == [*intruders, "distance-linkage", "intersection-attack", "owa-linkage", "uniqueness"]


def test_the_main_attacks_are_declared_one_with_the_recipe_and_one_without() -> None:
    assert [each.name for each in main_attacks()] == ["informed-intruder", "ordinary-intruder"]
    assert without_recipe(build("risk", "informed-intruder")) == build("risk", "ordinary-intruder")
    assert without_recipe(build("risk", "ordinary-intruder")) is None
    quick = {each.name for each in quick_measures()}
    assert quick >= {"informed-intruder", "ordinary-intruder", "distance-linkage", "mixed-linkage"}
    assert not quick & {"worst-case", "intersection-attack", "posterior-attack", "probabilistic-linkage"}


def test_a_count_of_certain_matches_is_divided_by_the_records_attacked_and_a_share_is_not() -> None:
    count = Score(0.5, details={"certain_matches": 1, "records_attacked": 50})
    share = Score(0.5, details={"certain_matches": 1.0, "records_attacked": 50})
    assert certain_share(count) == 0.02 and certain_share(share) == 1.0 and certain_share(Score(0.5)) is None


def test_scores_with_figures_by_record_are_distinguished_by_name() -> None:
    by_record = np.array([0.0, 1.0])
    names = [*INTRUDERS, *RISKS]
    result = scored(*(Score(0.5, by_record=by_record, name=name, kind="risk") for name in names))
    assert [risk.score.name for risk in main_risks(result)][:2] == ["informed-intruder", "ordinary-intruder"]


def test_what_is_asked_for_by_name_is_shown_too_and_first() -> None:
    shown = [risk.score.name for risk in main_risks(of_kind("risk", RISKS), {"suda2", "uniqueness"})]
    assert set(shown[:2]) == {"suda2", "uniqueness"} and len(shown) == 5


def test_few_risks_are_all_shown() -> None:
    few = dict(list(RISKS.items())[-ALL_SHOWN_UP_TO:])
    assert len(main_risks(of_kind("risk", few))) == ALL_SHOWN_UP_TO
    assert main_risks(of_kind("loss", {"il1": 0.5})) == ()


def test_where_none_of_the_main_risks_is_measured_all_are_shown() -> None:
    own = {f"own-{number}": 0.1 for number in range(ALL_SHOWN_UP_TO + 3)}
    assert len(main_risks(of_kind("risk", own))) == ALL_SHOWN_UP_TO + 3


def test_certain_matches_belong_to_the_attack_on_the_method_whichever_is_the_strongest() -> None:
    result = scored(
        Score(0.2, name="intersection-attack", kind="risk", details={"certain_matches": 0.1}),
        Score(0.4, name="posterior-attack", kind="risk"),
        Score(0.5, name="uniqueness", kind="risk", details={"smallest_class": 3}),
    )
    more = {risk.score.name: [value for _, value in risk.more] for risk in main_risks(result)}
    assert more == {"intersection-attack": [0.1], "posterior-attack": [0.1], "uniqueness": [3.0]}


@pytest.fixture(scope="module")
def losses() -> Assessment:
    return of_kind("loss", {entry.name: 0.5 for entry in entries("loss", Microdata)})


def test_the_main_losses_are_those_that_declare_a_position_in_that_order(losses: Assessment) -> None:
    declared = {entry.name: vars(entry.component).get("headline") for entry in entries("loss", Microdata)}
    shown = [score.name for score in main_losses(losses)]
    assert shown == sorted((name for name in declared if declared[name]), key=lambda name: declared[name])
    assert 1 < len(shown) < len(losses)
    assert headline_loss(losses) == losses[shown[0]]


def test_a_loss_asked_for_by_name_is_shown(losses: Assessment) -> None:
    assert main_losses(losses, {"il2"})[0].name == "il2"


def test_few_losses_are_all_shown_in_their_order() -> None:
    few = of_kind("loss", {"il3": 0.1, "il1s": 0.2, "il2": 0.3})
    assert [score.name for score in main_losses(few)] == ["il3", "il1s", "il2"]
    found = headline_loss(few)
    assert found is not None and found.name == "il1s"
    assert headline_loss(of_kind("risk", RISKS)) is None
