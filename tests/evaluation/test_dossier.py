"""A dossier gathers results; an assessment has scores only."""

from dataclasses import fields

import numpy as np
import polars

import sdckit
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.most_exposed import most_exposed_records
from sdckit.evaluation.release_warnings import release_warnings
from sdckit.measure import Score
from sdckit.release import Release


def test_an_assessment_has_scores_only() -> None:
    assert {each.name for each in fields(Assessment)} == {"release", "intruder", "scores", "before", "skipped"}


def test_a_dossier_of_an_assessment_has_its_release_and_intruder() -> None:
    file = polars.DataFrame({"x": [1.0, 2.0, 3.0]})
    result = Assessment(Release.in_order(file, file), sdckit.Intruder(), {"il1": Score(0.0, name="il1", kind="loss")})  # type: ignore[arg-type]
    dossier = sdckit.Dossier.of(result)
    assert dossier.release is result.release and dossier.intruder is result.intruder
    assert sdckit.Dossier.of(dossier) is dossier
    document = dossier.to_dict()
    assert document["attack"] is None and document["gate"] is None and document["corrections"] == []
    assert document["scores"] == result.to_dict()["scores"]


def test_the_most_exposed_are_ranked_by_the_sum_of_risks_that_differ() -> None:
    scores = [
        Score(0.4, by_record=np.array([0.2, 1.0, 0.0, 0.2]), name="r", kind="risk"),
        Score(1.0, by_record=np.ones(4), name="same", kind="risk"),
    ]
    exposed = most_exposed_records(scores, limit=2)
    assert exposed is not None and exposed.records == (1, 0) and list(exposed.risks) == ["r"] and exposed.tied == 1


def test_what_no_measure_examines_is_a_warning() -> None:
    original = sdckit.Microdata.from_frame(
        polars.DataFrame({"name": ["a", "b"], "age": [1, 2], "region": ["N", "S"]}), roles={"name": "identifier"}
    )
    masked = polars.DataFrame({"name": ["a", "b"], "age": ["1-2", "1-2"], "regions": ["N", "S"]})
    identifier, column, number = release_warnings(Release(original, masked))  # type: ignore[arg-type]
    assert "identifier 'name'" in identifier and "did you mean 'region'" in column and "'age'" in number
    assert release_warnings(Release(original, original.without(["name"]))) == []
