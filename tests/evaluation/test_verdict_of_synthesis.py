"""The verdict on a synthetic file rests on attacks that need no row to be anybody's."""

from dataclasses import replace
from functools import cache

from sdckit import assess, protect
from sdckit.datasets import simulate_business
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.main_figures import is_synthesised, main_risks
from sdckit.evaluation.measure_traits import attacks_synthesis
from sdckit.evaluation.release_counts import release_counts
from sdckit.evaluation.verdict import headline_risk, judgement
from sdckit.methods import GaussianCopula, Mdav

MEASURES = ["k-anonymity", "uniqueness", "singling-out", "linkability"]


@cache
def result(synthesis: bool) -> Assessment:
    data = simulate_business(120, seed=1)
    return assess(protect(data, GaussianCopula() if synthesis else Mdav(), seed=7**40), measures=MEASURES)


def test_counts_of_keys_are_no_headline_of_a_synthetic_file() -> None:
    synthetic = result(synthesis=True)
    assert is_synthesised(synthetic) and "k-anonymity" in synthetic
    found = headline_risk(synthetic)
    assert found is not None and attacks_synthesis(found.name)
    assert {risk.score.name for risk in main_risks(synthetic)} == {"singling-out", "linkability"}


def test_the_attack_that_exceeds_guessing_most_counts() -> None:
    synthetic = result(synthesis=True)
    excess = {name: synthetic[name].value - (synthetic[name].baseline or 0) for name in ("singling-out", "linkability")}
    found = headline_risk(synthetic)
    assert found is not None and found.name == max(excess, key=excess.__getitem__)


def test_what_is_reached_on_control_records_is_not_blamed_on_the_release() -> None:
    """The control is the original's own people: nothing comes from being in the file."""
    data = simulate_business(120, seed=1)
    release = replace(protect(data, GaussianCopula(), seed=7**40), control=data)
    with_control = assess(release, measures=MEASURES)
    found = headline_risk(with_control)
    assert found is not None and found.details["excess"] == 0
    assert judgement(found, None).text == "No more than on people who are not in the file"


def test_equal_keys_of_synthetic_rows_are_not_counted() -> None:
    stages = {name: [each.stage for each in release_counts(result(name).release).stages] for name in (False, True)}
    assert stages == {False: ["before masking", "after masking"], True: ["before masking"]}


def test_a_masked_file_is_judged_by_its_keys_as_before() -> None:
    assert not is_synthesised(result(synthesis=False))
    assert {risk.score.name for risk in main_risks(result(synthesis=False))} >= {"k-anonymity", "uniqueness"}
