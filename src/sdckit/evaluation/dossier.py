"""Dossier: the scores of a release and further results, gathered for a report."""

from dataclasses import dataclass
from typing import Any

from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.attack import Attack
from sdckit.evaluation.corrections import Estimate
from sdckit.evaluation.gate import Verdict
from sdckit.evaluation.risk_utility_map import RiskUtilityMap
from sdckit.intruder import Intruder
from sdckit.release import Release


@dataclass(frozen=True, eq=False)
class Dossier:
    """The results on one release.

    `attack`       what publishing the method costs (`sdckit.attack`)
    `map`          what other maskings of the same file would give (`sdckit.sweep`)
    `gate`         whether a policy is met (`sdckit.gate`)
    `corrections`  statistics that researchers can correct with the recipe (`sdckit.corrected_statistics`)
    `sampled_from`  the number of released records, where the release has a sample of them; the scores are of all
    """

    assessment: Assessment
    attack: Attack | None = None
    map: RiskUtilityMap | None = None
    gate: Verdict | None = None
    corrections: tuple[Estimate, ...] = ()
    sampled_from: int | None = None

    @classmethod
    def of(cls, result: "Assessment | Dossier") -> "Dossier":
        """The dossier itself, or a dossier of an assessment alone."""
        return result if isinstance(result, Dossier) else cls(result)

    @property
    def release(self) -> Release:
        """The release that all results are about."""
        return self.assessment.release

    @property
    def records(self) -> int:
        """The number of released records."""
        return len(self.release.masked) if self.sampled_from is None else self.sampled_from

    @property
    def intruder(self) -> Intruder:
        """The intruder that the scores are about."""
        return self.assessment.intruder

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; the map is left out, since a map contains seeds."""
        return self.assessment.to_dict() | {
            "attack": None if self.attack is None else self.attack.to_dict(),
            "gate": None if self.gate is None else self.gate.to_dict(),
            "corrections": [each.to_dict() for each in self.corrections],
        }
