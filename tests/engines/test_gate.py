"""The gate of a file beyond memory is green for the figure itself, never for a bound below it."""

import pytest

from sdckit import build
from sdckit.engines.exactness import Exactness
from sdckit.engines.gate import _checked
from sdckit.evaluation.gate import Finding, Verdict
from sdckit.evaluation.policy import Rule


@pytest.mark.parametrize("optional", [True, False])
@pytest.mark.parametrize("exactness", Exactness)
def test_a_lower_bound_within_the_limit_does_not_meet_it(exactness: Exactness, optional: bool) -> None:
    rule = Rule(build("risk", "informed-intruder"), max=0.1, optional=optional)
    within, beyond = (_checked(Finding(rule, value), exactness) for value in (0.05, 0.5))
    assert within.met == (exactness is not Exactness.BOUNDED)
    assert Verdict((within,)).met == within.met and not within.left_out
    assert not beyond.met and beyond.value == 0.5
