import numpy as np
import polars as pl
import pytest

from sdckit import Microdata, assess, protect
from sdckit.evaluation.dossier import Dossier
from sdckit.reporting.document import describe_dossier
from sdckit.reporting.page import render
from sdckit.reporting.sections.differential_privacy import content


@pytest.fixture(scope="module")
def data() -> Microdata:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({name: rng.choice(list("xyz"), 60) for name in ("town", "branch")})
    return Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "key"))


def dossier(data: Microdata, *attributes: str) -> Dossier:
    return Dossier(assess(protect(data, "randomised-response:epsilon=0.5", attributes, seed=2**127), ["uniqueness"]))


@pytest.mark.parametrize("public", [False, True])
def test_the_guarantee_is_in_both_editions(data, public):
    document = describe_dossier(dossier(data, "town", "branch"), public=public)
    (section,) = [each for each in document.sections if each.name == "differential_privacy"]
    assert section.content["epsilon"] == 1.0 and section.content["whole"]
    assert section.content["advantage"] == pytest.approx((np.e - 1) / (np.e + 1))
    assert "ε = 1 and δ = 0 for town, branch" in render(document)


def test_a_file_that_is_private_in_part_is_not_called_private(data):
    shown = content(dossier(data, "town"), public=False)
    assert not shown["whole"] and shown["advantage"] is None
    assert "not differentially private, as branch" in shown["statement"]


def test_a_recipe_without_a_guarantee_has_no_section(data):
    result = assess(protect(data, "pram", seed=1), ["uniqueness"])
    assert content(Dossier(result), public=False) is None
