import numpy as np
import polars as pl
import pytest

from sdckit import Microdata, protect
from sdckit.household_masking import on_households
from sdckit.methods.differential_privacy.laplace_noise import LaplaceNoise
from sdckit.methods.differential_privacy.randomised_response import RandomisedResponse
from sdckit.microdata import Kind, Role
from sdckit.privacy import PrivacyBudget, privacy_budget
from sdckit.recipe import Recipe, Step
from sdckit.schema import Declared, Schema


def people(*names: str) -> Microdata:
    columns = {"age": np.arange(6.0), "income": np.arange(6.0), "town": list("xyxyxz"), "illness": list("aabbcc")}
    frame = pl.DataFrame({name: columns[name] for name in names or columns})
    edits = [f"0 <= {name} <= 10" for name in frame.columns if name in ("age", "income")]
    return Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "key"), edits=edits)


def budget(data: Microdata, *steps: tuple[object, tuple[str, ...]]) -> PrivacyBudget | None:
    recipe = Recipe(tuple(Step(masking, names) for masking, names in steps))
    return privacy_budget(recipe, data, data)


LAPLACE, RESPONSE = LaplaceNoise(epsilon=0.5), RandomisedResponse(epsilon=1.5)


def test_the_losses_of_steps_and_attributes_add_up():
    total = budget(people(), (LAPLACE, ("age", "income")), (RESPONSE, ("town",)), (RESPONSE, ("illness",)))
    assert total.epsilon == 2 * 0.5 + 1.5 + 1.5
    assert total.of_whole_release
    assert "ε = 4 and δ = 0 for age, income, town, illness" in total.statement
    assert "age 0 to 10" in total.statement and "same length that differ in one record" in total.statement


def test_what_no_private_step_touched_is_named():
    total = budget(people("age", "town"), (LAPLACE, ("age",)))
    assert total.covered == ("age",) and total.not_covered == ("town",)
    assert "as a whole is not differentially private, as town" in total.statement


def test_a_recipe_without_a_private_step_has_no_budget():
    from sdckit.recipe import masking_from_text

    assert budget(people("age"), (masking_from_text("mdav"), ("age",))) is None


@pytest.fixture
def mdav():
    from sdckit.recipe import masking_from_text

    return masking_from_text("mdav")


def test_later_steps_on_private_values_alone_cost_nothing(mdav):
    total = budget(people("age", "income"), (LAPLACE, ("age", "income")), (mdav, ("age", "income")))
    assert total.epsilon == 1.0 and total.of_whole_release


def test_a_later_step_that_also_reads_other_values_ends_the_guarantee(mdav):
    total = budget(people("age", "income"), (LAPLACE, ("age",)), (mdav, ("age", "income")))
    assert total.not_covered == ("age", "income")
    assert total.statement.startswith("No attribute of the release is differentially private")


def test_an_earlier_step_that_is_not_private_ends_the_guarantee(mdav):
    """After microaggregation one record changes several values, and the bounds of one value say nothing."""
    total = budget(people("age"), (mdav, ("age",)), (LAPLACE, ("age",)))
    assert total.covered == ()


def test_categories_have_to_be_public_and_the_statement_says_so():
    total = budget(people("age", "town"), (LAPLACE, ("age",)), (RESPONSE, ("town",)))
    assert "given the bounds age 0 to 10 and that the categories of town (3) are public" in total.statement
    assert total.to_dict()["steps"][1]["categories"] == {"town": 3}


def test_categories_that_were_read_off_the_file_make_the_statement_conditional():
    """With one more answer in the file the matrix is another: without declared categories nothing is guaranteed."""
    frame = pl.DataFrame({"town": ["Ely", "Rye"]})
    declared = (
        Declared(Kind.UNORDERED, Role.KEY),
        Declared(Kind.UNORDERED, Role.KEY, categories=("Ely", "Rye", "Wells")),
    )
    read_off, listed = (Microdata.from_frame(frame, schema=Schema({"town": each})) for each in declared)
    conditional, guaranteed = (budget(data, (RESPONSE, ("town",))) for data in (read_off, listed))
    assert conditional.read_off == ("town",) and conditional.to_dict()["categories_read_off"] == ["town"]
    assert "The categories of town are those that occur in this file and were not declared" in conditional.statement
    assert guaranteed.read_off == () and guaranteed.steps[0].categories == {"town": 3}
    assert guaranteed.statement.endswith("given that the categories of town (3) are public.")


def test_members_of_a_household_share_one_draw_which_is_not_private():
    """Equal values show households of two and two, or of one and three, whatever the noise."""
    data = Microdata.from_frame(
        pl.DataFrame({"home": [1, 1, 2, 2], "answer": list("xxyy")}), roles={"home": "household", "answer": "key"}
    )
    release = protect(data, on_households(RESPONSE), ["answer"], seed=1)
    assert privacy_budget(release.recipe, release.original, release.masked) is None
    assert any("not differentially private" in note for note in release.notes())


def test_the_budget_is_plain_json():
    import json

    document = budget(people("age", "town"), (LAPLACE, ("age",))).to_dict()
    assert json.loads(json.dumps(document)) == document
    assert document["steps"][0]["bounds"] == {"age": [0, 10]}
