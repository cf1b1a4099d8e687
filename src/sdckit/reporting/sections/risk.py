"""Risk: the main risks with interval, guessing and before, how they are spread over records, and then all others."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sdckit.charts.chart import Chart
from sdckit.charts.exposure import exposure
from sdckit.charts.risk_before_after import risk_before_after
from sdckit.evaluation.assess import Assessment
from sdckit.measure import Score
from sdckit.reporting.main_figures import main_risks
from sdckit.reporting.words import figure, percent, words

TITLE = "Risk before and after"
ORDER = 40


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """None where no risk was measured."""
    every, main = result.of_kind("risk"), main_risks(result)
    chart = risk_before_after(result, {risk.score.name: risk.heading for risk in main})
    if chart is None:
        return None
    told = {risk.score.name for risk in main}
    others = [score for score in every if score.name not in told]
    return {
        "chart": chart,
        "main": [_row(result, risk.score, risk.heading, risk.more if others else None) for risk in main],
        "every": [_row(result, score) for score in every] if others else (),
        "guessing": any(risk.score.baseline is not None for risk in main),
        "exposure": _spread(risk.score for risk in main),
        "more_exposure": _spread(others),
    }


def _spread(scores: Iterable[Score]) -> list[Chart]:
    return [replace(chart, title=words(chart.title).title) for chart in exposure(scores)]


def _row(result: Assessment, score: Score, heading: str = "", more: Iterable[tuple[str, float]] | None = None) -> Any:
    """A risk with what it was before; of its details those in `more`, in words, else all that are numbers."""
    if more is not None:
        told = [f"{word}: {figure(value) if value >= 1 else percent(value)}" for word, value in more]
    else:
        numbers = {key: value for key, value in score.details.items() if isinstance(value, int | float)}
        told = [
            f"{key.replace('_', ' ')}: {figure(value)}" for key, value in numbers.items() if type(value) is not bool
        ]
    return {"score": score, "before": result.before.get(score.name), "heading": heading, "more": " · ".join(told)}
