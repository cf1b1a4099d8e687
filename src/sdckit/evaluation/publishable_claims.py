"""Publishable claims: how confident an intruder is, in figures of many records each."""

from collections.abc import Mapping, Set
from typing import Any

from sdckit.evaluation.published_rounding import rounded
from sdckit.microdata import Microdata

FEWEST = 10  # records behind a published figure
CLAIMS = frozenset(
    {
        "records_attacked",
        "expected_found",
        "expected_found_is_bound",
        "sure_claims",
        "sure_claims_correct",
        "calibration",
        "calibrated",
        "rows_left_open",
        "laws",
    }
)


def publishable_details(details: Mapping[str, Any], allowed: Set[str], masked: Microdata) -> dict[str, Any]:
    """The details that may be published, rounded; shares of few claims are left out."""
    published: dict[str, Any] = {}
    for name in sorted(allowed & {*details}):
        value = details[name]
        if name == "laws":
            published[name] = {attribute: law for attribute, law in value.items() if attribute in masked}
        elif name == "calibration":
            published[name] = [_rounded_bin(each) for each in value if each["count"] >= FEWEST]
        elif name == "sure_claims_correct" and details.get("sure_claims", 0) < FEWEST:
            continue
        else:
            published[name] = _rounded(value)
    return published


def _rounded_bin(each: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _rounded(value) for name, value in each.items()}


def _rounded(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [rounded(end) for end in value]
    if isinstance(value, Mapping):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, bool | str):
        return value
    return int(rounded(value)) if isinstance(value, int) else rounded(value)
