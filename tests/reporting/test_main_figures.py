"""The main figures: the strongest of each sort, by hand."""

from dataclasses import replace

from sdckit.evaluation.assess import Assessment
from sdckit.measure import Score
from sdckit.reporting.main_figures import ATTACKS, FEW, LOSSES, main_losses, main_risks


def scored(result: Assessment, kind: str, **values: float) -> Assessment:
    names = {name.replace("_", "-"): value for name, value in values.items()}
    return replace(result, scores={name: Score(value, name=name, kind=kind) for name, value in names.items()})


MANY = {
    "rank_linkage": 0.1,
    "distance_linkage": 0.3,
    "global_linkage": 0.2,
    "posterior_attack": 0.4,
    "intersection_attack": 0.6,
    "owa_linkage": 0.5,
    "uniqueness": 0.9,
    "k_anonymity": 1.0,
    "suda2": 0.8,
    "prosecutor_risk": 1.0,
}


def test_the_strongest_attack_of_each_sort_of_intruder_stands_for_it(result: Assessment) -> None:
    shown = [risk.score.name for risk in main_risks(scored(result, "risk", **MANY))]
    assert shown == ["distance-linkage", "intersection-attack", "owa-linkage", "uniqueness"]


def test_what_is_asked_for_by_name_is_shown_too_and_first(result: Assessment) -> None:
    shown = [risk.score.name for risk in main_risks(scored(result, "risk", **MANY), {"suda2", "uniqueness"})]
    assert set(shown[:2]) == {"suda2", "uniqueness"} and len(shown) == 5


def test_few_risks_are_all_shown(result: Assessment) -> None:
    few = dict(list(MANY.items())[-FEW:])
    assert len(main_risks(scored(result, "risk", **few))) == FEW
    assert main_risks(scored(result, "loss", il1=0.5)) == ()


def test_where_none_of_the_main_risks_is_measured_all_are_shown(result: Assessment) -> None:
    own = {f"own_{number}": 0.1 for number in range(FEW + 3)}
    assert len(main_risks(scored(result, "risk", **own))) == FEW + 3


def test_certain_matches_and_the_smallest_group_belong_to_their_risks(result: Assessment) -> None:
    told = {risk.heading: [value for _, value in risk.more] for risk in main_risks(result)}
    assert told[ATTACKS["transparency"]] == [result["intersection-attack"].details["certain_matches"]]
    assert told["Alone with their keys"] == [result["uniqueness"].details["smallest_class"]]


def test_the_main_losses_are_one_of_each_sort(result: Assessment) -> None:
    shown = [score.name for score in main_losses(result)]
    assert shown == [name for name in LOSSES if name in result] and len(shown) < len(result.of_kind("loss"))
    assert "il2" in [score.name for score in main_losses(result, {"il2"})]
    few = replace(result, scores={name: result[name] for name in ("il2", "il3")})
    assert [score.name for score in main_losses(few)] == ["il2", "il3"]
