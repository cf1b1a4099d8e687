"""Where a rule is not met, the gate says what to change, and changing it meets the rule."""

import re

import numpy as np
import polars as pl
import pytest

from sdckit import protect
from sdckit.evaluation.cures import cures
from sdckit.evaluation.gate import gate
from sdckit.evaluation.policy import Policy
from sdckit.microdata import Microdata

SUGGESTED = re.compile(r"as (\S+) does")


def survey(numbers: bool, holes: bool) -> Microdata:
    rng = np.random.default_rng(3)
    columns: dict[str, object] = {
        "home town": rng.choice(["Ely", "Rye", "Hay", "Wem"], 120, p=[0.6, 0.2, 0.15, 0.05]),
        "sex": rng.choice(["f", "m"], 120),
        "status": rng.choice(["single", "married", "widowed"], 120, p=[0.5, 0.4, 0.1]),
        "job": rng.choice(["none", "part", "full", "own"], 120),
    }
    if numbers:
        columns["age"] = rng.integers(16, 90, 120)
    frame = pl.DataFrame(columns)
    if holes:
        frame = frame.with_columns(
            pl.when(pl.int_range(120) % 11 == 0).then(None).otherwise(pl.col(name)).alias(name)
            for name in ("job", *(["age"] if numbers else []))
        )
    return Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "key"))


def policy(**rule: object) -> Policy:
    return Policy.from_dict({"rules": [rule]})


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("limit", [0.25, 0.1])
def test_the_method_that_is_suggested_meets_the_limit(numbers: bool, holes: bool, limit: float) -> None:
    data, rule = survey(numbers, holes), policy(measure="informed-intruder", max=limit)
    release = protect(data, "pram:stay=0.95", ["sex"], seed=1)
    verdict = gate(release, rule, seed=1)
    assert not verdict.met
    [cure] = cures(release, verdict)
    suggested = SUGGESTED.search(cure)
    assert suggested is not None
    better = protect(data, suggested.group(1), seed=1)
    assert gate(better, rule, seed=1).met


def test_a_limit_that_is_met_needs_nothing() -> None:
    release = protect(survey(False, False), "local-generalisation:group_size=4", seed=1)
    verdict = gate(release, policy(measure="informed-intruder", max=0.25), seed=1)
    assert verdict.met and cures(release, verdict) == []


def test_a_step_that_is_applied_already_is_not_suggested_again() -> None:
    release = protect(survey(False, False), "local-generalisation:group_size=4", seed=1)
    upper = gate(release, policy(measure="informed-intruder", max=0.25, figure="upper"), seed=1)
    lower = gate(release, policy(measure="informed-intruder", max=0.05), seed=1)
    assert not upper.met and cures(release, upper) == []
    assert not lower.met and "group_size=20" in cures(release, lower)[0]


def test_suppression_that_agrees_with_every_value_is_named() -> None:
    data = survey(False, False)
    release = protect(data, "local-suppression:group_size=5", seed=1)
    rule = policy(measure="k-anonymity", group_size=5, max=0)
    verdict = gate(release, rule, seed=1)
    assert not verdict.met and "holes=own-value" in cures(release, verdict)[0]
    assert gate(protect(data, "local-suppression:group_size=5,holes=own-value", seed=1), rule, seed=1).met


def test_families_that_are_found_are_cured_by_dropping_their_number() -> None:
    frame = pl.DataFrame({"home": [1, 1, 2, 2, 3, 3, 4, 4], "sex": list("fmfmffmm"), "town": list("aabbccdd")})
    roles = {"home": "household", "sex": "key", "town": "key"}
    release = protect(Microdata.from_frame(frame, roles=roles), "pram:stay=0.9", ["sex"], seed=1)
    verdict = gate(release, policy(measure="household-intruder", max=0.01), seed=1)
    assert not verdict.met and "'home' shows who lives together" in cures(release, verdict)[0]


def test_a_broken_sum_leads_to_the_record_in_error() -> None:
    frame = pl.DataFrame({"net": [1.0, 2.0, 3.0, 9.0], "tax": [1.0, 1.0, 1.0, 1.0], "pay": [2.0, 3.0, 4.0, 90.0]})
    data = Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "key"), edits=["pay == net + tax"])
    release = protect(data, "mdav:group_size=2", seed=1)
    verdict = gate(release, policy(measure="edit-violations", max=0), seed=1)
    assert not verdict.met and "correct it first" in cures(release, verdict)[0]
