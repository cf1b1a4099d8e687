"""The household intruder against all matchings of a small file, its limits, and what it adds on families."""

from itertools import permutations, product

import numpy as np
import polars as pl
import pytest

from sdckit import Microdata, assess, protect
from sdckit.catalogue import build
from sdckit.errors import NotApplicableError
from sdckit.evaluation.attack import attack
from sdckit.evaluation.gate import gate
from sdckit.evaluation.policy import Policy
from sdckit.evaluation.tune import default_risk
from sdckit.evaluation.verdict import headline_risk, risk_before
from sdckit.intruder import Intruder
from sdckit.laws import informed
from sdckit.laws.household_inference import household_claims
from sdckit.laws.informed import informed_law
from sdckit.release import Release
from sdckit.risk.intruder.household_intruder import HouseholdIntruder
from sdckit.rows import Matched, Sampled

NAME = "household-intruder"


def families(households: int, seed: int = 1, largest: int = 4) -> Microdata:
    """Persons in households, with a town of the household, a sex, and a job."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, largest + 1, households)
    number = np.repeat(np.arange(households), sizes)
    frame = pl.DataFrame(
        {
            "household": number,
            "town": rng.choice(list("abcd"), households)[number],
            "sex": rng.choice(["f", "m"], len(number)),
            "job": rng.choice(list("uvwxyz"), len(number)),
        }
    )
    roles = {"household": "household", "town": "key", "sex": "key", "job": "key"}
    return Microdata.from_frame(frame, roles=roles)


def all_household_matchings(release: Release) -> np.ndarray:
    """The posterior of every row for every record, over all ways to give each released household a known one."""
    view = Intruder().view(release)
    law = informed_law(view, np.random.default_rng(0))
    records, rows = len(view), len(view.released)
    pairs = law.of_pairs(np.repeat(np.arange(records), rows), np.tile(law.rows.of, records))
    likelihood = np.exp(sum(pairs.values()).reshape(records, rows))
    known, released = view.original.units(), view.released.units()
    groups, others = ([np.flatnonzero(units == each) for each in np.unique(units)] for units in (known, released))
    posterior, total = np.zeros((records, rows)), 0.0
    for owners in permutations(groups, len(others)):
        if any(len(owner) != len(other) for owner, other in zip(owners, others, strict=True)):
            continue
        for within in product(*(permutations(other) for other in others)):
            pairs_made = [(owner, list(order)) for owner, order in zip(owners, within, strict=True)]
            weight = np.prod([likelihood[owner, order].prod() for owner, order in pairs_made])
            total += weight
            for owner, order in pairs_made:
                posterior[owner, order] += weight
    return posterior / total


@pytest.mark.parametrize("seed", range(4))
def test_posteriors_are_those_of_all_matchings_of_a_small_file(seed):
    data = families(5, seed=seed, largest=2)
    release = protect(data, "pram:stay=0.6", ["town", "sex", "job"], seed=seed)
    expected = all_household_matchings(release)
    view = Intruder().view(release)
    law = informed_law(view, np.random.default_rng(0))
    claims, of_row = household_claims(view, law, np.random.default_rng(1), None)
    np.testing.assert_allclose(claims.confidence, expected.max(axis=1), atol=0.03)
    for record, household, rows in zip(claims.records, claims.household, claims.rows, strict=True):
        same = (of_row == household) & (law.rows.of == rows)
        assert expected[record][same].max() >= expected[record].max() - 0.03


@pytest.mark.parametrize("seed", range(3))
def test_posteriors_are_those_of_all_matchings_where_households_are_sampled(seed):
    """Within four standard errors of the mean over the chains: absent households are drawn, never enumerated."""
    data = families(6, seed=seed, largest=2)
    release = protect(data, ["simple-sampling:share=0.6", "pram:stay=0.6"], seed=seed)
    assert len(release.masked) < len(data)
    view = Intruder().view(release)
    law = informed_law(view, np.random.default_rng(0))
    chains = [household_claims(view, law, np.random.default_rng(draw), None)[0] for draw in range(16)]
    np.testing.assert_array_equal(chains[0].records, np.arange(len(data)), "a record without a row is attacked, too")
    stated = np.array([each.confidence for each in chains])
    error = np.abs(stated.mean(axis=0) - all_household_matchings(release).max(axis=1))
    assert (error <= 4 * stated.std(axis=0, ddof=1) / np.sqrt(len(chains)) + 1e-9).all(), error


def test_where_families_are_sampled_they_are_found_more_often_than_persons_as_well():
    release = protect(families(150), ["simple-sampling:share=0.7", "pram:stay=0.8"], seed=5)
    scores = assess(release, measures=["informed-intruder", NAME])
    assert scores[NAME].value > scores["informed-intruder"].value + 0.1
    assert scores[NAME].details["records_attacked"] == len(release.original)
    assert scores[NAME].details["calibrated"]


def test_persons_who_live_alone_are_found_as_by_the_informed_intruder():
    data = families(120, largest=1)
    release = protect(data, "pram:stay=0.8", ["town", "sex", "job"], seed=3)
    scores = assess(release, measures=["informed-intruder", "household-intruder"])
    alone, together = scores["informed-intruder"], scores["household-intruder"]
    assert together.value == pytest.approx(alone.value, abs=0.03)
    assert together.details["expected_found"] == pytest.approx(alone.details["expected_found"], abs=0.03)


def test_families_are_found_far_more_often_than_persons():
    release = protect(families(150), "pram:stay=0.8", ["town", "sex", "job"], seed=5)
    scores = assess(release, measures=["informed-intruder", "household-intruder"])
    family = scores["household-intruder"]
    assert family.value > scores["informed-intruder"].value + 0.2
    assert family.details["calibrated"]
    assert abs(family.details["expected_found"] - family.value) < 0.08


def test_of_equal_families_one_is_picked_at_random():
    """Four couples of the same composition: one in four is right, and who of two equal members is one in two."""
    frame = pl.DataFrame({"household": np.repeat(range(4), 2), "job": ["u"] * 8})
    data = Microdata.from_frame(frame, roles={"household": "household", "job": "key"})
    score = HouseholdIntruder().measure(protect(data, "pram:stay=1", ["job"], seed=1))
    assert score.value == pytest.approx(1 / 8) and score.details["expected_found"] == pytest.approx(1 / 8)


def test_the_order_of_rows_and_the_truth_change_no_claim():
    release = protect(families(60), "pram:stay=0.8", ["town", "sex", "job"], seed=7)
    order = np.random.default_rng(3).permutation(len(release.masked))
    shuffled = Release(release.original, release.masked.take(order), release.recipe, Matched(order))
    one, other = (HouseholdIntruder().measure(each) for each in (release, shuffled))
    assert one.value == pytest.approx(other.value, abs=1e-9)
    garbage = Release(release.original, release.masked, release.recipe, Matched(order))
    details = HouseholdIntruder().measure(garbage).details
    assert details["expected_found"] == one.details["expected_found"]


def test_it_declines_where_the_release_shows_no_households_or_not_everybody():
    data = families(40)
    release = protect(data, "pram:stay=0.8", ["job"], seed=1)
    without = Release.in_order(data, release.masked.without(["household"]), release.recipe)
    with pytest.raises(NotApplicableError, match="does not show who lives together"):
        HouseholdIntruder().measure(without)
    with pytest.raises(NotApplicableError, match="every record is known"):
        HouseholdIntruder().measure(release, Intruder(records=0.5))
    member_left_out = release.masked.take(np.flatnonzero(np.arange(len(data)) != np.argmax(data.units())))
    kept = np.delete(np.arange(len(data)), np.argmax(data.units()))
    with pytest.raises(NotApplicableError, match="members were left out"):
        HouseholdIntruder().measure(Release(data, member_left_out, release.recipe, Sampled(kept)))


def test_a_household_of_twelve_is_matched_too():
    rng = np.random.default_rng(4)
    frame = pl.DataFrame(
        {
            "household": np.repeat([0, 1, 2], 12),
            "job": rng.choice(list("uvwxyz"), 36),
            "age": rng.integers(20, 80, 36),
        }
    )
    data = Microdata.from_frame(frame, roles={"household": "household", "job": "key", "age": "key"})
    release = protect(data, "pram:stay=0.9", ["job"], seed=1)
    assert HouseholdIntruder().measure(release).details["in_the_right_household"] > 0.9


def masked_families() -> Release:
    return protect(families(60), "pram:stay=0.7", ["town", "sex", "job"], seed=1)


def test_where_families_are_found_they_are_the_headline():
    result = assess(masked_families(), ["informed-intruder", "household-intruder"], seed=1)
    found = headline_risk(result)
    assert found.name == "household-intruder"
    assert found.value > result["informed-intruder"].value


def test_a_limit_of_the_informed_intruder_is_one_of_the_household_intruder():
    release = masked_families()
    persons, whole = (build("risk", name).measure(release, seed=1).value for name in ("informed-intruder", NAME))
    between = (persons + whole) / 2
    limit = {"measure": "informed-intruder", "max": between}
    verdict = gate(release, Policy.from_dict({"rules": [limit]}), seed=1)
    assert [(each.rule.measure.name, each.met) for each in verdict.findings] == [
        ("informed-intruder", True),
        (NAME, False),
    ]
    own = gate(release, Policy.from_dict({"rules": [limit, {"measure": NAME, "max": 1}]}), seed=1)
    assert own.met and len(own.findings) == 2


def test_without_a_household_number_in_the_release_the_limit_is_of_persons_alone():
    release = masked_families()
    without = Release(release.original, release.masked.without(["household"]), release.recipe, release.rows)
    verdict = gate(without, Policy.from_dict({"rules": [{"measure": "informed-intruder", "max": 1}]}), seed=1)
    assert [each.rule.measure.name for each in verdict.findings] == ["informed-intruder"]


def test_a_search_bounds_families_by_default_where_there_are_some():
    assert default_risk(families(5)).name == NAME
    assert default_risk(families(5).without(["household"])).name == "informed-intruder"


def test_before_masking_a_person_is_found_among_equal_members_of_equal_families():
    """By hand: one over the number of equal families, times one over the number of equal members of the family."""
    data = families(80, seed=9)
    persons = list(zip(*(data.columns[name].tolist() for name in ("town", "sex", "job")), strict=True))
    members = {unit: [persons[i] for i in np.flatnonzero(data.units() == unit)] for unit in set(data.units().tolist())}
    families_like = [tuple(sorted(each)) for each in members.values()]
    expected = [
        1 / families_like.count(tuple(sorted(members[unit]))) / members[unit].count(person)
        for unit, person in zip(data.units().tolist(), persons, strict=True)
    ]
    result = assess(
        protect(data, "pram:stay=0.8", ["town", "sex", "job"], seed=1), measures=[NAME, "informed-intruder"]
    )
    assert result.before[NAME].value == pytest.approx(np.mean(expected))
    assert result.before[NAME].value > result[NAME].value
    assert risk_before(result, result["informed-intruder"]) is None, "no attack without a recipe was measured"


def test_holes_of_the_unmasked_file_are_known_as_well():
    frame = pl.DataFrame({"household": [1, 2, 3, 4], "job": ["u", None, "u", "v"], "age": [30.0, 30.0, None, None]})
    data = Microdata.from_frame(frame, roles={"household": "household", "job": "key", "age": "key"})
    score = HouseholdIntruder().measure(protect(data, "pram:stay=0.9", ["job"], seed=1).untouched())
    assert score.value == 1.0, "every person is the only one with these values and these holes"


def test_an_attack_shows_what_families_add():
    found = attack(masked_families(), sets=False)
    assert [each.name for each in found.extensions] == [NAME]
    assert found.strongest.name == NAME and found.leading.name == "informed-intruder"
    assert found.to_dict()["extensions"][0]["value"] == found.strongest.value
    assert found.strongest.details["also_uses"] == ("household",)


@pytest.mark.parametrize(("kept", "times"), [(50_000, 1), (0, 2)])
def test_the_law_is_computed_once_for_families_and_persons_and_changes_no_figure(kept, times, monkeypatch):
    names = ["household-intruder", "informed-intruder"]
    expected = [
        build("risk", name).measure(protect(families(40), "pram:stay=0.8", ["town", "job"], seed=1)) for name in names
    ]
    computed = []

    def counted(*arguments):
        computed.append(arguments)
        return informed_law(*arguments)

    monkeypatch.setattr(informed, "informed_law", counted)
    monkeypatch.setattr(informed, "KEPT", kept)
    release = protect(families(40), "pram:stay=0.8", ["town", "job"], seed=1)
    found = [build("risk", name).measure(release) for name in names]
    assert len(computed) == times
    assert [score.value for score in found] == [score.value for score in expected]
    assert [score.details for score in found] == [score.details for score in expected]


def test_a_law_is_not_kept_for_an_intruder_who_knows_something_else(monkeypatch):
    release = protect(families(40), "pram:stay=0.8", ["town", "job"], seed=1)
    measure = build("risk", "informed-intruder")
    fewer = Intruder(attributes=("town", "sex"))
    expected = measure.measure(protect(families(40), "pram:stay=0.8", ["town", "job"], seed=1), fewer)
    assert measure.measure(release).details["laws"].keys() == {"town", "sex", "job"}
    assert measure.measure(release, fewer).details == expected.details
