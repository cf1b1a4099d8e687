import numpy as np
import pytest
from tests.methods.files import correlated, numeric

from sdckit import Release, assess, build, protect

RISK = build("risk", "disclosure-risk")
PARTS = ("distance-linkage", "probabilistic-linkage", "interval-disclosure")


def test_it_is_a_quarter_a_quarter_and_a_half_of_its_parts():
    release = protect(numeric(correlated(100, 3, seed=1)), "additive-noise", seed=1)
    score = RISK.measure(release, seed=1)
    alone = {name: assess(release, name, seed=1)[name].value for name in PARTS}
    assert score.details["parts"] == alone
    assert score.value == pytest.approx(0.25 * alone[PARTS[0]] + 0.25 * alone[PARTS[1]] + 0.5 * alone[PARTS[2]])
    assert score.value == pytest.approx(np.mean(score.by_record))


def test_microaggregated_census_gives_the_golden_parts(census):
    """MDAV in threes, everything known: linkage 28.642 and 7.1 % by another program; intervals as measured alone."""
    release = protect(numeric(census), "mdav:group_size=3", seed=1)
    score = RISK.measure(release, seed=1)
    inside = 100 * build("risk", "interval-disclosure").measure(release, seed=1).value
    assert 100 * score.value == pytest.approx(0.25 * 28.642 + 0.25 * 7.1 + 0.5 * inside, abs=0.03)


def test_a_file_released_as_it_is_is_disclosed_by_distance_and_interval():
    data = numeric(correlated(60, 3, seed=2))
    parts = RISK.measure(Release.in_order(data, data)).details["parts"]
    assert parts["distance-linkage"] == parts["interval-disclosure"] == 1


def test_without_linkage_it_is_interval_disclosure():
    release = protect(numeric(correlated(60, 3, seed=3)), "additive-noise", seed=1)
    score = build("risk", "disclosure-risk", linkage=0).measure(release, seed=1)
    assert score.value == pytest.approx(score.details["parts"]["interval-disclosure"])


def test_more_noise_is_less_risk():
    data = numeric(correlated(200, 3, seed=4))
    releases = [protect(data, f"additive-noise:variance_share={share}", seed=1) for share in (0.001, 0.05, 1)]
    found = [RISK.measure(release, seed=1).value for release in releases]
    assert found[0] > found[1] > found[2]
