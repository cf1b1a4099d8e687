"""The score of Domingo-Ferrer and Torra (2001): information loss and disclosure risk in one figure, with its parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sdckit.errors import NotApplicableError, ParameterError
from sdckit.evaluation.assess import Assessment
from sdckit.formatting import figure, html_table, percent
from sdckit.risk.composite.disclosure_risk import PARTS

DOMINGO_TORRA = (
    "il1",
    "il2",
    "il3",
    "il4",
    "il5",
)  # as first defined: near-zero values can dominate IL1, and the score
YANCEY = ("il1s", "il2", "il3", "il4", "il5")  # IL1 in standard deviations (Yancey, Winkler and Creecy, 2002)


def information_loss(losses: Sequence[float]) -> float:
    """IL: the mean of the losses, 0.2 · (IL1 + … + IL5) for the five of the literature.

    >>> information_loss([1.0, 0.0, 0.5, 0.5, 0.5])
    0.5
    """
    if not losses:
        raise ParameterError("no loss is named; the score takes IL1 to IL5")
    return sum(losses) / len(losses)


def disclosure_risk(distance_linkage: float, probabilistic_linkage: float, interval_disclosure: float) -> float:
    """DR = 0.25 · DLD + 0.25 · PLD + 0.5 · ID: re-identification and interval disclosure have equal weight."""
    return 0.25 * distance_linkage + 0.25 * probabilistic_linkage + 0.5 * interval_disclosure


def trade_off(loss: float, risk: float) -> float:
    """The score, 0.5 · IL + 0.5 · DR: the lower, the better the compromise."""
    return 0.5 * loss + 0.5 * risk


@dataclass(frozen=True)
class TradeOff:
    """The score with its parts; fractions in, fractions out (the papers print percentages)."""

    losses: Mapping[str, float]
    risks: Mapping[str, float]

    @property
    def information_loss(self) -> float:
        """IL."""
        return information_loss(tuple(self.losses.values()))

    @property
    def disclosure_risk(self) -> float:
        """DR."""
        return disclosure_risk(*(self.risks[name] for name in PARTS))

    @property
    def value(self) -> float:
        """The score."""
        return trade_off(self.information_loss, self.disclosure_risk)

    def _repr_html_(self) -> str:
        """What a notebook shows: the score and all of its parts."""
        parts = [*((name, figure(value)) for name, value in self.losses.items())]
        parts += [(name, percent(value)) for name, value in self.risks.items()]
        whole = [("IL", figure(self.information_loss)), ("DR", percent(self.disclosure_risk))]
        return html_table(("score", figure(self.value)), [*whole, *parts])

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "score": self.value,
            "information_loss": self.information_loss,
            "disclosure_risk": self.disclosure_risk,
            "losses": dict(self.losses),
            "risks": dict(self.risks),
        }


def score(assessment: Assessment, *, losses: Sequence[str] = YANCEY) -> TradeOff:
    """The score of a release that was assessed by these losses and by the three risks.

    Parameters
    ----------
    losses
        The losses to average: by default `il1s` and `il2` to `il5`; `DOMINGO_TORRA` has `il1` instead of `il1s`.

    Returns
    -------
    The score, 0.5 · IL + 0.5 · DR, with its parts.
    """
    needed = (*losses, *PARTS)
    absent = [name for name in needed if name not in assessment]
    if absent:
        why = "; ".join(f"{name}: {assessment.skipped.get(name, 'not among the measures computed')}" for name in absent)
        raise NotApplicableError(f"the score needs {', '.join(needed)}; there is no {why}")
    return TradeOff(
        {name: assessment[name].value for name in losses},
        {name: assessment[name].value for name in PARTS},
    )
