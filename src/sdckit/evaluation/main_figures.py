"""Main figures: of all that was measured, the few that matter most; terminal and report show these first.

A measure is a main figure where it declares a position, its `headline`: first the intruders who combine all that
is known. Any other attack that re-identifies records is of one of three sorts, and the strongest of each sort is shown
for comparison.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.component_descriptions import describe_component
from sdckit.evaluation.measure_traits import (
    attacks_synthesis,
    domain,
    finds_records,
    is_composite,
    measure_class,
    needs_recipe,
    needs_true_links,
)
from sdckit.evaluation.most_exposed import key_values, most_exposed_records
from sdckit.measure import Score, number
from sdckit.rows import Unrelated

ALL_SHOWN_UP_TO = 8  # so few figures of a kind are all main figures
WITHOUT_RECIPE = "Re-identified by linkage alone"
WITH_RECIPE = "Re-identified by another attack"
WITH_TRUE_LINKS = "Re-identified, best distance (true links known)"


@dataclass(frozen=True)
class MainRisk:
    """A risk under a heading that says what it is a share of; `more` are labelled figures that belong to it."""

    heading: str
    score: Score
    more: tuple[tuple[str, float], ...] = ()


def main_risks(result: Assessment, named: Container[str] = ()) -> tuple[MainRisk, ...]:
    """The main attacks, the strongest other attack of each sort, the other prominent risks; first those in `named`.

    Where few risks were measured, or none of these, all of them. Where all rows were synthesised, the attacks on
    synthetic data: that a row is unique concerns nobody.
    """
    risks = result.of_kind("risk")
    if is_synthesised(result):
        chosen = [each for each in risks if each.name in named or attacks_synthesis(each.name)] or risks
        return tuple(MainRisk(_heading(each.name), each) for each in chosen)
    main = prominent(risks)
    attacks = [score for score in main if finds_records(score.name) and not needs_true_links(score.name)]
    headings = {score.name: _heading(score.name) for score in attacks}
    headings |= _strongest_attacks(score for score in risks if score.name not in headings)
    headings |= {score.name: _heading(score.name) for score in main if score.name not in headings}
    if len(risks) <= ALL_SHOWN_UP_TO or not headings:
        headings = {score.name: headings.get(score.name) or _heading(score.name) for score in risks}
    asked = {score.name: _heading(score.name) for score in risks if score.name in named}
    return tuple(MainRisk(heading, result[name], _more(result, name)) for name, heading in (asked | headings).items())


def exposed_records(result: Assessment, limit: int) -> list[dict[str, Any]]:
    """The records with the highest mean of the main risks, numbered as in the file, with their keys: private."""
    exposed = most_exposed_records((risk.score for risk in main_risks(result)), limit)
    if exposed is None:
        return []
    keys = key_values(result.release, exposed.records)
    return [
        {
            "record": record + 1,
            "keys": values,
            "risks": {name: number(figures[record]) for name, figures in exposed.risks.items()},
        }
        for record, values in zip(exposed.records, keys, strict=True)
    ]


def is_synthesised(result: Assessment) -> bool:
    """Whether no released row belongs to a record."""
    return isinstance(result.release.rows, Unrelated)


def main_losses(result: Assessment, named: Container[str] = ()) -> tuple[Score, ...]:
    """The prominent losses after those in `named`; where few losses were measured, or none of these, all of them."""
    losses = result.of_kind("loss")
    asked = [score for score in losses if score.name in named]
    main = prominent(losses)
    if len(losses) <= ALL_SHOWN_UP_TO or not main:
        return losses
    return tuple({score.name: score for score in (*asked, *main)}.values())


def headline_loss(result: Assessment) -> Score | None:
    """The most prominent loss that was measured, else the first; None where there is none."""
    losses = result.of_kind("loss")
    return next(iter((*prominent(losses), *losses)), None)


def prominent(scores: Iterable[Score]) -> tuple[Score, ...]:
    """The scores whose measures declare a position among the main figures, in that order."""
    ranked = [(found, score) for score in scores if (found := position(score.name)) is not None]
    return tuple(score for _, score in sorted(ranked, key=lambda pair: pair[0]))


def attack_heading(name: str) -> str:
    """The sort of attack that a risk is, in words; empty where it re-identifies no records."""
    if not finds_records(name) or is_composite(name):
        return ""
    return WITH_RECIPE if needs_recipe(name) else WITH_TRUE_LINKS if needs_true_links(name) else WITHOUT_RECIPE


def _strongest_attacks(risks: Iterable[Score]) -> dict[str, str]:
    """Of each sort of attack the one that re-identifies most, with the heading of the sort."""
    strongest: dict[str, Score] = {}
    for score in risks:
        heading = attack_heading(score.name)
        if heading and (heading not in strongest or _strength(score) > _strength(strongest[heading])):
            strongest[heading] = score
    order = (WITHOUT_RECIPE, WITH_RECIPE, WITH_TRUE_LINKS)
    return {strongest[heading].name: heading for heading in order if heading in strongest}


def _strength(score: Score) -> tuple[float, float]:
    return score.value, score.bound or 0.0


def _heading(name: str) -> str:
    measure = measure_class(name)
    return (measure.heading if measure else "") or describe_component(name).title


def position(name: str) -> float | None:
    """The position that a measure declares; what extends another one and declares none comes right after it."""
    measure = measure_class(name)
    if measure is None or not measure.extends or measure.headline is not None:
        return measure.headline if measure else None
    before = position(measure.extends)
    return None if before is None else before + 0.5


def certain_share(score: Score) -> float | None:
    """The share of the records attacked that have exactly one possible row; None where the attack gives none.

    An attack gives it as a share, or as a count of the records attacked.

    >>> certain_share(Score(0.5, details={"certain_matches": 1, "records_attacked": 4}))
    0.25
    >>> certain_share(Score(0.5, details={"certain_matches": 1.0, "records_attacked": 4}))
    1.0
    """
    certain = score.details.get("certain_matches")
    if certain is None:
        return None
    if isinstance(certain, int) and "records_attacked" in score.details:
        return float(certain / max(score.details["records_attacked"], 1))
    return float(certain)


def _more(result: Assessment, name: str) -> tuple[tuple[str, float], ...]:
    """Of an attack on the method, the share re-identified with certainty; else the smallest equivalence class."""
    if needs_recipe(name):
        certain = [
            share
            for score in result.of_kind("risk")
            if needs_recipe(score.name)
            and domain(score.name) is domain(name)
            and (share := certain_share(score)) is not None
        ]
        return (("with certainty", max(certain)),) if certain else ()
    smallest = result[name].details.get("smallest_class")
    return () if smallest is None else (("smallest class (k)", float(smallest)),)
