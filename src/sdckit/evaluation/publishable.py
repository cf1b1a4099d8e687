"""Publishable: a dossier with only what may be published, so that no section of a report can disclose more.

It has the masked file without edits, index, hierarchies and unused categories; the recipe; the figures, rounded; and
figures by record without the order of the records. The original is replaced by the masked file. For the map and the
gate see `publishable_map` and `publishable_gate`.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from sdckit.errors import SdcError
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.attack import Attack
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.known_sets import Found
from sdckit.evaluation.publishable_claims import CLAIMS, FEWEST, publishable_details
from sdckit.evaluation.publishable_gate import publishable_gate
from sdckit.evaluation.publishable_map import publishable_map
from sdckit.evaluation.published_rounding import rounded
from sdckit.intruder import Intruder
from sdckit.measure import Score
from sdckit.microdata import Kind, Microdata, Role
from sdckit.occurring_values import only_occurring
from sdckit.release import Release
from sdckit.rows import Unrelated

READINGS = ("by_holes", "holes_counted_as", "smallest_class_by_holes", "suppressed_records")
DETAILS = frozenset({"certain_matches", "smallest_class", *READINGS, *CLAIMS})  # may be published: of the whole file
FEW = frozenset({"sure_claims_correct"})  # may be a figure of few records


def publishable(dossier: Dossier) -> Dossier:
    """The dossier without records, original values and whatever they could be computed from."""
    release = dossier.release
    if min(len(release.original), len(release.masked)) < FEWEST:
        raise SdcError(
            f"a public report on fewer than {FEWEST} records would describe single ones; write the internal edition"
        )
    masked = only_occurring(release.masked.without(release.masked.names(role=Role.IDENTIFIER)))
    by_attribute = _every_attribute_has_enough_values(release)
    attack, swept, verdict = dossier.attack, dossier.map, dossier.gate
    return Dossier(
        Assessment(
            Release(masked, masked, release.recipe, Unrelated()),
            _published_intruder(dossier.intruder, release, masked),
            _published_scores(dossier.assessment.scores, masked, by_attribute),
            _published_scores(dossier.assessment.before, masked, by_attribute),
            dict.fromkeys(dossier.assessment.skipped, "it does not apply to this file"),
        ),
        attack=None if attack is None else _published_attack(attack, masked),
        map=None if swept is None else publishable_map(swept, masked),
        gate=None if verdict is None else publishable_gate(verdict, masked, DETAILS - FEW, by_attribute=by_attribute),
        corrections=dossier.corrections,  # anybody with the release and the recipe can compute them
        sampled_from=dossier.sampled_from,
    )


def _published_attack(attack: Attack, masked: Microdata) -> Attack:
    curve = (
        Found(each.known, rounded(each.ordinary), None if each.informed is None else rounded(each.informed))
        for each in attack.curve
    )
    informed = attack.informed
    return Attack(
        tuple(name for name in attack.attributes if name in masked),
        _published_score(attack.ordinary, masked, by_attribute=False),
        None if informed is None else _published_score(informed, masked, by_attribute=False),
        tuple(curve),
        impossible=rounded(attack.impossible),
        curve_records=attack.curve_records,
        extensions=tuple(_published_score(each, masked, by_attribute=False) for each in attack.extensions),
    )


def _published_scores(scores: Mapping[str, Score], masked: Microdata, by_attribute: bool) -> dict[str, Score]:
    return {name: _published_score(score, masked, by_attribute) for name, score in scores.items()}


def _published_score(score: Score, masked: Microdata, by_attribute: bool) -> Score:
    figures = score.by_attribute if by_attribute else None
    return replace(
        score,
        value=rounded(score.value),
        by_record=None if score.by_record is None else np.sort(score.by_record),
        by_attribute={name: rounded(value) for name, value in figures.items() if name in masked} if figures else None,
        interval=None if score.interval is None else (rounded(score.interval[0]), rounded(score.interval[1])),
        baseline=None if score.baseline is None else rounded(score.baseline),
        bound=None if score.bound is None else rounded(score.bound),
        details=MappingProxyType(publishable_details(score.details, DETAILS, masked)),
    )


def _published_intruder(intruder: Intruder, release: Release, masked: Microdata) -> Intruder:
    records = intruder.records
    if isinstance(records, tuple):
        records = float(f"{len(records) / len(release.original):.3g}")
    names = None if intruder.attributes is None else tuple(name for name in intruder.attributes if name in masked)
    return replace(intruder, attributes=names, records=records)


def _every_attribute_has_enough_values(release: Release) -> bool:
    """Whether a figure by attribute is always of several records.

    A mean over one value is that value. One attribute left out could be computed from the total and the others, so
    either all are published or none.
    """
    for name in release.shared_attributes(Kind.ORDERED):
        column = release.original.matrix([name])[:, 0]
        if np.count_nonzero(np.nan_to_num(column)) < FEWEST:
            return False
    return True
