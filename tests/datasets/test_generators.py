"""Generated files: reproducible, with the truth that their docstrings tell."""

import numpy as np
import pytest

from sdckit.datasets import simulate_billing, simulate_business, simulate_survey
from sdckit.datasets.billing import DISTRICTS
from sdckit.datasets.business import AMOUNTS, LOG_CORRELATION, LOG_DEVIATIONS
from sdckit.datasets.survey import RETURN_ON_EDUCATION
from sdckit.errors import ParameterError
from sdckit.kernels.equivalence_classes import class_of
from sdckit.microdata import Kind, Role

GENERATORS = (simulate_billing, simulate_survey, simulate_business)


@pytest.mark.parametrize("simulate", GENERATORS)
def test_a_seed_gives_the_same_file_again_and_another_seed_another(simulate):
    one, again, other = simulate(60, seed=4), simulate(60, seed=4), simulate(60, seed=5)
    assert one.to_frame().equals(again.to_frame())
    assert not one.to_frame().equals(other.to_frame())


@pytest.mark.parametrize("simulate", GENERATORS)
@pytest.mark.parametrize("n", [1, 2, 17])
def test_a_file_has_as_many_records_as_asked_for_and_keeps_its_edits(simulate, n):
    file = simulate(n)
    assert len(file) == n
    assert file.edits.violations(file.columns) == {}


@pytest.mark.parametrize("simulate", GENERATORS)
def test_no_records_are_refused(simulate):
    with pytest.raises(ParameterError, match="at least one"):
        simulate(0)


def test_billing_has_the_attributes_of_the_paper():
    file = simulate_billing(200)
    kinds = {name: file.attribute(name).kind for name in file.names(role=Role.KEY)}
    assert kinds == {"Age": Kind.DISCRETE, "Sex": Kind.UNORDERED, "Zip": Kind.PARTIALLY_ORDERED}
    assert file.names(role=Role.CONFIDENTIAL) == ("Amount_Billed",)


def test_billing_has_a_tree_of_postcodes_with_districts_of_three_digits():
    tree = simulate_billing(50).attribute("Zip").hierarchy
    assert all(len(leaf) == 5 and leaf[:3] in DISTRICTS for leaf in tree.leaves)
    assert tree.generalise(tree.leaves[0], 2) == tree.leaves[0][:3] + "**"


def test_postcodes_are_the_most_telling_key_of_billing():
    file = simulate_billing(5000)
    distinct = {name: len(np.unique(file.columns[name])) for name in ("Age", "Sex", "Zip")}
    assert distinct["Zip"] > distinct["Age"] > distinct["Sex"] == 2


def test_some_postcodes_are_crowded_and_many_are_rare():
    file = simulate_billing(5000)
    counts = np.bincount(file.columns["Zip"])
    assert counts.max() > 20 * np.median(counts[counts > 0])


def test_uniques_become_rarer_as_the_billing_file_grows():
    shares = []
    for n in (1000, 5000, 25_000):
        sizes = class_of(simulate_billing(n).codes(("Age", "Sex", "Zip"))).sizes
        shares.append((sizes == 1).sum() / n)
    assert shares[0] > shares[1] > shares[2]


def test_ages_and_amounts_are_in_range():
    file = simulate_billing(5000)
    assert file.columns["Age"].min() >= 0 and file.columns["Age"].max() <= 100
    assert file.columns["Amount_Billed"].min() > 0
    slope = np.polyfit(file.columns["Age"], np.log(file.columns["Amount_Billed"]), 1)[0]
    assert slope == pytest.approx(0.01, abs=0.003)


def test_members_of_a_household_share_region_and_weight():
    file = simulate_survey(2000)
    home = file.columns["household"]
    for name in ("region", "weight"):
        pairs = np.unique(np.column_stack([home, file.columns[name]]), axis=0)
        assert len(pairs) == len(np.unique(home))


def test_the_survey_has_every_kind_and_role_and_missing_values():
    file = simulate_survey(2000)
    assert {each.role for each in file.attributes} == set(Role) - {Role.OTHER}
    assert file.attribute("education").categories == ("none", "primary", "secondary", "tertiary")
    assert 0.03 < file.missing("income") / 2000 < 0.07
    assert file.missing("marital") > 0 and file.missing("education") > 0
    assert file.missing("age") == file.missing("weight") == 0


def test_income_rises_with_education_as_documented():
    file = simulate_survey(20_000)
    values = file.matrix(["education", "income", "age"])
    grown = values[(values[:, 2] >= 25) & ~np.isnan(values).any(axis=1)]
    slope = np.polyfit(grown[:, 0], np.log(grown[:, 1]), 1)[0]
    assert slope == pytest.approx(RETURN_ON_EDUCATION, abs=0.02)


def test_children_have_no_income_and_are_single():
    file = simulate_survey(5000)
    child = file.columns["age"] < 16
    assert np.nansum(file.columns["income"][child]) == 0
    assert set(file.values("marital")[child]) <= {"single", None}


def test_the_amounts_of_firms_add_up_exactly():
    file = simulate_business(3000)
    parts = file.matrix(["materials", "wages", "other_costs"]).sum(axis=1)
    np.testing.assert_array_equal(parts, file.columns["total_costs"])
    np.testing.assert_array_equal(file.columns["turnover"] - parts, file.columns["profit"])


def test_the_logarithms_of_amounts_have_the_documented_structure():
    file = simulate_business(20_000)
    logs = np.log(np.maximum(file.matrix(AMOUNTS), 0.5))
    np.testing.assert_allclose(np.corrcoef(logs.T), LOG_CORRELATION, atol=0.02)
    np.testing.assert_allclose(logs.std(axis=0), LOG_DEVIATIONS, rtol=0.03)


def test_firms_are_numbered_without_repeats():
    file = simulate_business(500)
    assert file.attribute("firm").role is Role.IDENTIFIER
    assert len(file.attribute("firm").categories) == 500
