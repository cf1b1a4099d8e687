"""Calibration in words: whether an intruder's confidence can be relied on, and why not."""

from sdckit.formatting import percent
from sdckit.measure import Score


def describe_calibration(score: Score) -> str:
    """Whether the confidence of an intruder agrees with how often it is correct; if not, by how much and why."""
    reason = score.details.get("calibration_reason")
    if score.details.get("calibrated", True):
        doubt = f", but what it expects is uncertain: {reason}" if reason else ""
        return f"The confidence of the {score.name} agrees with how often it is correct{doubt}."
    expected = score.details.get("expected_found")
    figures = f": it expects to re-identify {percent(expected)} and re-identifies {percent(score.value)}"
    text = f"The {score.name} is not calibrated{figures if isinstance(expected, float) else ''}."
    laws = score.details.get("laws")
    learned = [name for name, source in laws.items() if source == "learned"] if isinstance(laws, dict) else []
    if reason:
        text += f" {str(reason)[0].upper()}{str(reason)[1:]}."
    elif learned:
        text += (
            f" How {', '.join(learned)} changed is estimated, and values that were exchanged between records or moved "
            "far can fit an estimate by chance."
        )
    return f"{text} Do not rely on its expected share and its sure claims."


def uncertain(score: Score) -> bool:
    """Whether there is a reason not to rely on what an intruder expects."""
    return not score.details.get("calibrated", True) or bool(score.details.get("calibration_reason"))
