"""A run goes into one TOML document and comes back the same."""

import tomllib
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings

import sdckit
from sdckit import Intruder, Policy, Recipe, Run, Schema
from sdckit.errors import SdcError
from sdckit.evaluation.policy import Rule
from sdckit.losses import UserAnalysisLoss
from sdckit.methods import Mdav, RankSwapping
from sdckit.risks import DistanceLinkage, KAnonymity
from tests.run_documents import runs

SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


@SLOW
@given(runs())
def test_a_run_survives_its_document(document):
    run = Run.from_dict(document)
    again = Run.from_dict(tomllib.loads(run.to_toml()))
    assert again == run
    assert again.to_toml() == run.to_toml()


def test_a_run_made_in_python_is_written_and_read(tmp_path: Path):
    intruder = Intruder(attributes=["age"], records=(0, 3), knows_method=False)
    run = Run(
        Schema().updated({"age": "key"}, {}, {}, None),
        Recipe.of([RankSwapping(window=0.1), Mdav(group_size=5)], ["age"]),
        measures=(DistanceLinkage(), KAnonymity(group_size=4)),
        policy=Policy((Rule(DistanceLinkage(), max=0.05, given=()),), intruder),
    )
    path = tmp_path / "run.toml"
    path.write_text(run.to_toml(), encoding="utf-8")
    assert Run.from_toml(path) == run
    assert run.intruder == intruder
    assert Schema.from_toml(path) == run.schema
    assert Recipe.from_toml(path) == run.recipe
    assert Policy.from_toml(path) == run.policy


def test_the_parts_of_a_run_can_be_in_files_of_their_own(tmp_path: Path):
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(Recipe.of(Mdav()).to_toml(), encoding="utf-8")
    assert Run.from_toml(recipe) == Run(recipe=Recipe.of(Mdav()))
    assert Run.from_dict({}) == Run()
    assert Run().to_toml().strip() == ""


def test_old_names_of_parameters_are_read():
    document = {"measures": [{"measure": "posterior-attack", "most": 7}]}
    assert Run.from_dict(document).measures[0].parameters()["max_records"] == 7


def test_one_run_has_one_intruder():
    rule = (Rule(DistanceLinkage(), max=1),)
    one, other = Intruder(noise=0.1), Intruder(noise=0.2)
    assert Run(policy=Policy(rule, one)).intruder == one
    assert Run(intruder=one, policy=Policy(rule)).policy == Policy(rule, one)
    with pytest.raises(SdcError, match="different intruders"):
        Run(intruder=one, policy=Policy(rule, other))


def test_an_analysis_is_sought_from_the_folder_of_the_document(tmp_path: Path):
    (tmp_path / "model.py").write_text("def fit(frame):\n    return 1\n", encoding="utf-8")
    path = tmp_path / "run.toml"
    path.write_text('[[measures]]\nmeasure = "user-analysis-loss"\nanalysis = "model.py:fit"\n', encoding="utf-8")
    allowed = [tmp_path / "model.py"]
    run = Run.from_toml(path, allow_code=allowed)
    assert Run.from_dict(tomllib.loads(run.to_toml()), folder=tmp_path, allow_code=allowed) == run


def test_what_no_file_can_contain_is_refused(tmp_path: Path):
    with pytest.raises(SdcError, match=r"name a function as FILE.py:NAME"):
        Run(measures=(UserAnalysisLoss(analysis=len),)).to_toml()
    file = sdckit.External(pl.DataFrame({"age": [1, 2]}))
    with pytest.raises(SdcError, match="pass it in Python"):
        Run(intruder=Intruder(file=file)).to_toml()


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"step": []}, "no table 'step'; did you mean 'steps'"),
        ({"measures": "il1"}, r"write \[\[measures\]\]"),
        ({"measures": [{"max": 1}]}, "measure 1 has no name"),
        ({"measures": [{"measure": "mdav"}]}, "measure 1: there is no risk or loss 'mdav'"),
        ({"measures": [{"measure": "il1"}, {"measure": "il1", "capp": 1}]}, "measure 2: il1 has no parameter 'capp'"),
        ({"intruder": {"noise": "much"}}, "wrong type; give a number"),
        ({"intruder": {"knows_method": "no"}}, "give true or false"),
        ({"intruder": {"knowledge": "first-subset(3)"}}, "did you mean 'first-subsets'"),
    ],
)
def test_a_mistake_is_an_error_with_the_cure(document, message):
    with pytest.raises(SdcError, match=message):
        Run.from_dict(document)


def test_a_policy_is_read_from_every_document_that_is_a_run():
    from sdckit.evaluation.policy import FILE_WORDS
    from sdckit.run import TABLES

    assert set(FILE_WORDS) == set(TABLES)
