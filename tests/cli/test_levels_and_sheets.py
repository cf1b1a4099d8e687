"""`--level household`, and `--sheet` of a workbook."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit.cli.inputs import RowOptions, release_of
from sdckit.document_check import problems_in

from .conftest import Run

HOUSEHOLDS = np.repeat(np.arange(1, 31), 3)
FRAME = pl.DataFrame(
    {"hid": HOUSEHOLDS, "rent": (HOUSEHOLDS * 37 % 11) * 100, "age": np.random.default_rng(1).integers(18, 90, 90)}
)
SCHEMA = '[attributes.hid]\nrole = "household"\n[attributes.rent]\nrole = "key"\n[attributes.age]\nrole = "key"\n'
NOISE = ("--method", "additive-noise", "--attributes", "rent")


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    FRAME.write_csv(tmp_path / "survey.csv")
    (tmp_path / "schema.toml").write_text(SCHEMA, encoding="utf-8")
    return tmp_path / "survey.csv"


def values_in_a_household(path: Path) -> int:
    """The largest number of different rents in one household."""
    return int(pl.read_csv(path).group_by("hid").agg(pl.col("rent").n_unique())["rent"].max())


def test_a_level_holds_for_the_methods_named(run: Run, survey: Path) -> None:
    out, schema = survey.with_name("out.csv"), survey.with_name("schema.toml")
    apart = run("protect", survey, out, "--schema", schema, *NOISE)
    assert apart.code == 0 and "differ within" in apart.err
    assert values_in_a_household(out) > 1
    recipe = survey.with_name("recipe.toml")
    words = ("--schema", schema, "--level", "household", "--recipe-out", recipe, "--force")
    together = run("protect", survey, out, *words, *NOISE)
    assert together.code == 0 and "differ within" not in together.err
    assert values_in_a_household(out) == 1
    assert 'level = "household"' in recipe.read_text("utf-8")
    again = run("protect", survey, out, "--schema", schema, "--recipe", recipe, "--force")
    assert again.code == 0 and values_in_a_household(out) == 1
    assert "into the recipe" in run("protect", survey, out, "--recipe", recipe, "--level", "household", "-f").err
    assert 'write "record" or "household"' in run("protect", survey, out, *NOISE, "--level", "person", "-f").err


def test_a_wrong_level_of_a_recipe_is_a_problem() -> None:
    (problem,) = problems_in({"steps": [{"method": "mdav", "level": "person"}]})
    assert problem.key == "level" and "no level 'person'" in str(problem)
    assert problems_in({"steps": [{"method": "mdav", "level": "household"}]}) == []


def test_a_sheet_is_named_where_several_have_records(run: Run, tmp_path: Path) -> None:
    import xlsxwriter

    book = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(book) as workbook:
        for name in ("persons", "notes"):
            page = workbook.add_worksheet(name)
            page.write_row(0, 0, ["income", "x"])
            for row in range(1, 31):
                page.write_row(row, 0, [100.5 + row * row, name])
    out = tmp_path / "out.xlsx"
    refused = run("protect", book, out, "--method", "mdav")
    assert refused.code == 2 and "'persons', 'notes'" in refused.err
    described = run("describe", book, "--sheet", "notes", "--schema-out", tmp_path / "schema.toml")
    assert "OUT --sheet notes --schema" in " ".join(described.out.split())
    assert run("protect", book, out, "--method", "mdav", "--sheet", "persons").code == 0
    release = release_of(book, out, None, None, RowOptions(rows_in_order=True, sheet="persons"))
    assert release.original.values("x").tolist() == ["persons"] * 30
    text = tmp_path / "in.csv"
    text.write_text("income\n1\n2\n", encoding="utf-8")
    assert "not an option for reading .csv files" in run("describe", text, "--sheet", "persons").err
