"""The publisher's payout by hand, in its limits, and in the directions of the game."""

import numpy as np
import polars as pl
import pytest

from sdckit.hierarchy import Hierarchy
from sdckit.measure import Score
from sdckit.microdata import Microdata
from sdckit.release import Release, protect
from sdckit.risk.uniqueness.publisher_payout import PublisherPayout

ZIPS = ["48201", "48202", "88201", "88202"]
TREE = Hierarchy.by_prefix(ZIPS, steps=(1,))


def people(zips: list[str | None]) -> Microdata:
    return Microdata.from_frame(pl.DataFrame({"zip": zips}), roles={"zip": "key"}, hierarchies={"zip": TREE})


def of(zips: list[str | None], **values: float) -> Score:
    return PublisherPayout(
        **{"benefit": 9.0, "damage": 6.0, "gain": 10.0, "effort": 4.0, "holes": "own-value", **values}
    ).measure(Release.in_order(people(ZIPS), people(zips)))


def test_by_hand():
    score = of(["4820*", "4820*", "88201", None])
    # classes of 2, 1 and no keys; NCP 1/3, 0 and 1; gain 5 and 10 exceed the effort of 4
    payout = 2 * (9 * 2 / 3 - 6 / 2) + (9 - 6) + 0
    assert score.details["payout"] == pytest.approx(payout)
    assert score.value == pytest.approx((2 * 6 / 2 + 6) / 36)
    assert score.details["payout_share"] == pytest.approx(payout / 36)
    assert score.details["attacked_records"] == 3
    assert score.details["intruders_profit"] == pytest.approx(2 * 1 + 6)


def test_where_the_effort_exceeds_the_gain_nobody_is_attacked_and_an_unmasked_file_loses_nothing():
    assert of(ZIPS, effort=11.0).value == 0
    assert of(ZIPS, effort=11.0).details["payout_share"] == 1
    assert of(ZIPS, effort=11.0).details["attacked_records"] == 0


def test_a_file_without_keys_brings_nothing():
    assert of([None] * 4).details["payout"] == of([None] * 4).value == 0


def test_publishing_can_cost_more_than_it_brings():
    score = of(ZIPS, damage=20.0)
    assert score.details["payout"] < 0 and score.details["unprofitable_records"] == 4


def test_the_model_of_no_attack_leaves_nobody_attacked():
    rng = np.random.default_rng(1)
    data = people(rng.choice(ZIPS, 60).tolist())
    for method in ("optimal-generalisation", "local-generalisation", "mondrian-strict"):
        release = protect(data, f"{method}:group_size=1,models=no-attack(100+4)", seed=1)
        assert PublisherPayout(gain=100, effort=4).measure(release).details["attacked_records"] == 0
        release = protect(data, f"{method}:group_size=1", seed=1)
        assert PublisherPayout(gain=100, effort=4).measure(release).details["attacked_records"] > 0
