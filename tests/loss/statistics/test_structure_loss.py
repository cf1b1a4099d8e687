"""Structure loss: sees marginals and relations of every kind; shuffled keys lose all relations and nothing else."""

import numpy as np
import polars
import pytest

from sdckit import Release, build, protect
from sdckit.evaluation.baselines import shuffled
from sdckit.evaluation.relations import keys_are_related, loses_like_shuffled
from sdckit.microdata import Microdata

STRUCTURE, ASSOCIATION, MARGINALS = (
    build("loss", name) for name in ("structure-loss", "association-loss", "marginal-distance")
)


def people(size: int = 400) -> Microdata:
    rng = np.random.default_rng(4)
    town = rng.choice(["north", "south", "west"], size)
    age = rng.normal(40, 10, size) + 15 * (town == "north")
    frame = polars.DataFrame(
        {"town": town, "home": np.where(rng.random(size) < 0.9, town, "abroad"), "age": age, "pay": age**2}
    )
    return Microdata.from_frame(frame, roles=dict.fromkeys(["town", "home", "age", "pay"], "key"))


def test_two_correlations_by_hand():
    """r = 1 becomes −1: lost altogether, though the distributions are unchanged."""
    x = np.arange(20.0)
    before, after = (polars.DataFrame({"x": x, "y": y}) for y in (x, x[::-1]))
    score = STRUCTURE.measure(Release.in_order(Microdata.from_frame(before), Microdata.from_frame(after)))
    assert score.details["marginals"] == 0
    assert score.details["relations"] == 1
    assert score.value == 0.5


def test_shuffled_keys_lose_the_relations_and_no_distribution():
    data = people()
    score = STRUCTURE.measure(shuffled(data, 3))
    assert score.details["marginals"] == 0
    assert score.details["relations"] == pytest.approx(1, abs=0.1)
    assert loses_like_shuffled(ASSOCIATION.measure(shuffled(data, 3)))


def test_the_figure_is_the_mean_of_its_parts():
    release = protect(people(), ["mdav:group_size=5"], seed=1)
    parts = MARGINALS.measure(release).value, ASSOCIATION.measure(release).value
    assert STRUCTURE.measure(release).value == pytest.approx(sum(parts) / 2)


def test_a_light_masking_loses_less_than_a_strong_one_and_far_less_than_shuffling():
    data = people()
    light, strong = (STRUCTURE.measure(protect(data, f"mdav:group_size={size}", seed=1)).value for size in (3, 50))
    assert 0 < light < strong < STRUCTURE.measure(shuffled(data, 3)).value


def test_the_strongest_relations_come_in_order_of_the_original():
    found = ASSOCIATION.measure(shuffled(people(), 3)).details["strongest"]
    assert {(found[0]["first"], found[0]["second"]), (found[1]["first"], found[1]["second"])} == {
        ("age", "pay"),
        ("town", "home"),
    }
    assert [abs(each["before"]) for each in found] == sorted((abs(each["before"]) for each in found), reverse=True)
    assert {each["measure"] for each in found} == {"correlation", "correlation ratio", "Cramér's V"}
    assert all(abs(each["after"]) < 0.2 for each in found)


def test_unrelated_keys_have_nothing_that_shuffling_could_lose():
    rng = np.random.default_rng(1)
    data = Microdata.from_frame(polars.DataFrame({"a": rng.permutation(200), "b": rng.permutation(200)}))
    assert not keys_are_related(data)
    assert keys_are_related(people())


def test_one_attribute_counts_by_its_marginal_distance():
    data = Microdata.from_frame(polars.DataFrame({"a": np.arange(12.0)}))
    release = protect(data, "mdav:group_size=3", seed=1)
    assert STRUCTURE.measure(release).value == MARGINALS.measure(release).value > 0


def test_numbers_released_as_bands_have_moved_altogether():
    before = people()
    bands = before.to_frame("polars").with_columns(polars.lit("20-60").alias("age"))
    after = Microdata.from_frame(bands, roles=dict.fromkeys(bands.columns, "key"))
    assert MARGINALS.measure(Release.in_order(before, after)).by_attribute["age"] == 1
