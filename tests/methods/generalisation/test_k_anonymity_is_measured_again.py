"""What promises k-anonymity is measured by the risk of that name: on all keys, on subsets, with missing values."""

from itertools import combinations

import pytest

from sdckit.datasets import simulate_billing, simulate_survey
from sdckit.holes import Holes
from sdckit.intruder import Intruder
from sdckit.microdata import Microdata, Role
from sdckit.release import protect
from sdckit.risk.uniqueness.k_anonymity import KAnonymity
from sdckit.testing.files import with_missing

FILES = {
    "billing": simulate_billing(400, seed=1),
    "billing with missing values": with_missing(simulate_billing(400, seed=2), share=0.03),
    "survey": simulate_survey(400, seed=1),
}


@pytest.mark.parametrize("method", ["local-suppression", "mondrian-strict", "mondrian-relaxed"])
@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
@pytest.mark.parametrize("group_size", [2, 5])
def test_nobody_is_left_with_fewer_than_k(method: str, data: Microdata, group_size: int) -> None:
    release = protect(data, f"{method}:group_size={group_size}", seed=1)
    measure = KAnonymity(group_size=group_size, holes=Holes.ANY_VALUE)  # the rule by which these methods count
    assert measure.measure(release.untouched()).value > 0
    keys = data.names(role=Role.KEY)
    for chosen in (subset for size in range(1, len(keys) + 1) for subset in combinations(keys, size)):
        assert measure.measure(release, Intruder(attributes=chosen)).value == 0, chosen


@pytest.mark.parametrize("known", [1, 2])
def test_nobody_is_left_with_fewer_than_k_by_the_subsets_asked_for(known: int) -> None:
    data = FILES["billing with missing values"]
    release = protect(data, f"local-suppression:group_size=4,known={known}", seed=1)
    for chosen in combinations(data.names(role=Role.KEY), known):
        measure = KAnonymity(group_size=4, holes=Holes.ANY_VALUE)
        assert measure.measure(release, Intruder(attributes=chosen)).value == 0


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_suppression_by_the_strict_rule_meets_the_stricter_figure(data: Microdata) -> None:
    release = protect(data, "local-suppression:group_size=3,holes=own-value", seed=1)
    assert KAnonymity(group_size=3).measure(release).value == 0


def test_keys_of_categories_are_generalised_together() -> None:
    release = protect(FILES["billing with missing values"], "optimal-generalisation:group_size=5", seed=1)
    assert KAnonymity(group_size=5).measure(release, Intruder(attributes=("Sex", "Zip"))).value == 0
