"""Which fuzziness suits a file: risk and loss of fuzzy microaggregation over a grid of its two exponents."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sdckit.errors import NotApplicableError, ParameterError
from sdckit.evaluation.risk_utility_map import RiskUtilityMap, Setting
from sdckit.evaluation.sweep import sweep
from sdckit.formatting import figure, html_table, percent
from sdckit.fuzzy.clusterings import Clustering, FuzzyCMeans
from sdckit.progress import NoProgress, Progress

METHOD = "fuzzy-microaggregation"
OF_CENTRES = (1.02, 1.05, 1.1, 1.2, 1.3)  # above, centres drift together
OF_ASSIGNMENT = (1.05, 1.1, 1.2, 1.5, 2.0)


@dataclass(frozen=True)
class FuzzinessPoint:
    """The mean risk and loss of one pair of exponents over the draws."""

    centres: float
    assignment: float
    risk: float
    loss: float


@dataclass(frozen=True, eq=False)
class FuzzinessMap:
    """Every pair that was tried, and the recommended one; None where no pair keeps the risk within the limit."""

    points: tuple[FuzzinessPoint, ...]
    recommended: FuzzinessPoint | None
    max_risk: float | None
    map: RiskUtilityMap

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        rows = [
            (f"{each.centres:g}", f"{each.assignment:g}", percent(each.risk), figure(each.loss)) for each in self.points
        ]
        best = self.recommended
        caption = "no pair keeps the risk within the limit"
        if best is not None:
            caption = f"recommended: {best.centres:g} for the centres and {best.assignment:g} for the assignment"
        return html_table(("fuzziness of the centres", "of the assignment", "risk", "loss"), rows, caption)


def fuzziness_map(
    data: Any,
    *,
    group_size: int = 3,
    clustering: Clustering = FuzzyCMeans(),
    centres: Iterable[float] = OF_CENTRES,
    assignment: Iterable[float] = OF_ASSIGNMENT,
    max_risk: float | None = None,
    risk: str = "informed-intruder",
    loss: str = "il1s",
    seeds: int = 3,
    workers: int | None = None,
    progress: Progress = NoProgress(),
) -> FuzzinessMap:
    """Mask a file by fuzzy microaggregation with every pair of exponents (m₁, m₂), and measure risk and loss.

    The recommended pair has the least loss of those whose risk, at every draw, is at most `max_risk`; without a limit,
    the least sum of mean risk and mean loss.

    Parameters
    ----------
    clustering: how centres are found; its fuzziness is replaced by each of `centres`
    centres, assignment: the exponents m₁ and m₂ to try
    seeds: the number of draws of each pair

    Example
    -------
    >>> from sdckit.datasets import simulate_business
    >>> found = fuzziness_map(
    ...     simulate_business(60, seed=1), centres=[1.1], assignment=[1.1, 2.0], risk="distance-linkage", seeds=1,
    ...     workers=1, max_risk=1.0,
    ... )
    >>> found.recommended.assignment  # any risk is accepted, so the pair of least loss
    1.1
    """
    try:
        tried = {str(clustering.with_fuzziness(each)): float(each) for each in centres}
    except ValueError as problem:
        raise ParameterError(str(problem)) from None
    grid: Mapping[str, Mapping[str, Any]] = {
        METHOD: {
            "group_size": [group_size],
            "clustering": list(tried),
            "assignment_fuzziness": [float(each) for each in assignment],
        }
    }
    swept = sweep(data, [METHOD], grid=grid, seeds=seeds, measures=[risk, loss], workers=workers, progress=progress)
    pairs = [each for each in swept.settings if not each.baseline]
    if not pairs:
        raise NotApplicableError(f"no pair can be tried: {swept.skipped[METHOD]}")
    for name in (risk, loss):
        if not all(name in each.mean for each in pairs):
            raise NotApplicableError(f"{name} cannot be measured on this file; choose another risk or loss")
    settings = {_point(each, tried, risk, loss): each for each in pairs}
    accepted = [point for point, each in settings.items() if max_risk is None or each.highest[risk] <= max_risk]
    key = (lambda point: point.risk + point.loss) if max_risk is None else (lambda point: point.loss)
    return FuzzinessMap(tuple(settings), min(accepted, key=key) if accepted else None, max_risk, swept)


def _point(setting: Setting, tried: Mapping[str, float], risk: str, loss: str) -> FuzzinessPoint:
    step = setting.steps[0]
    return FuzzinessPoint(
        tried[str(step["clustering"])], float(step["assignment_fuzziness"]), setting.mean[risk], setting.mean[loss]
    )
