"""`sdckit correct`: estimates in a table that can be read, or one line that says why there are none."""

import pytest

NOISE = '[[steps]]\nmethod = "additive-noise"\nvariance_share = 0.1\n'


@pytest.fixture
def recipe(tmp_path):
    path = tmp_path / "recipe.toml"
    path.write_text(NOISE, encoding="utf-8")
    return path


def written(path, head, *rows):
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


def test_long_names_do_not_squeeze_the_figures(run, recipe, tmp_path):
    long = "the income of the household last year"
    rows = [f"{1000 * number * number},{(number * 37) % 101}" for number in range(1, 60)]
    done = run("correct", written(tmp_path / "m.csv", f"{long},share of it", *rows), "--recipe", recipe, "--seed", 1)
    assert done.code == 0, done.err
    assert "…" not in done.out
    assert "household last year and share of it" in " ".join(done.out.split())


def test_a_file_without_numbers_is_one_line(run, recipe, tmp_path):
    done = run("correct", written(tmp_path / "m.csv", "sex,town", "m,Ely", "f,Rye", "m,Rye"), "--recipe", recipe)
    assert done.code == 2
    assert "no ordered column that the recipe masks" in done.err and done.err.count("\n") == 1


def test_a_constant_column_is_not_blamed_on_the_recipe(run, recipe, tmp_path):
    rows = [f"{number},5" for number in range(40)]
    done = run("correct", written(tmp_path / "m.csv", "a,b", *rows), "--recipe", recipe, "--seed", 1)
    assert "nan" not in done.out
    line = next(line for line in done.out.splitlines() if "correlation of a and b" in line)
    assert "does not vary" in line


@pytest.fixture
def firms(tmp_path):
    """Firms with an identifier, of which turnover is masked and costs are not."""
    rows = [f"firm {number},{100 + 7 * number % 53},{50 + 3 * number % 29},{number % 4}" for number in range(60)]
    written(tmp_path / "firms.csv", "firm,turnover,costs,size", *rows)
    (tmp_path / "schema.toml").write_text(
        '[attributes.firm]\nrole = "identifier"\n\n[attributes.turnover]\nrole = "key"\n\n'
        '[attributes.costs]\nrole = "confidential"\n\n[attributes.size]\nkind = "unordered"\n',
        encoding="utf-8",
    )
    return tmp_path


@pytest.mark.parametrize("with_schema", [True, False])
def test_the_workflow_of_its_own_recipe_corrects_masked_attributes_alone(run, firms, with_schema):
    schema = ("--schema", firms / "schema.toml")
    noise = ("--method", "additive-noise:variance_share=0.2", "--recipe-out", firms / "recipe.toml")
    assert run("protect", firms / "firms.csv", firms / "safe.csv", *schema, *noise).code == 0
    done = run(
        *("correct", firms / "safe.csv", "--recipe", firms / "recipe.toml", "--seed", 1, "--json"),
        *(schema if with_schema else ()),
    )
    assert done.code == 0, done.out
    assert [each["name"] for each in done.json["estimates"]] == ["mean of turnover", "variance of turnover"]
    assert done.json["estimates"][1]["corrected"] < done.json["estimates"][1]["released"]


def test_a_recipe_that_names_no_columns_is_warned_of(run, firms):
    (firms / "recipe.toml").write_text(NOISE, encoding="utf-8")
    done = run("correct", firms / "firms.csv", "--recipe", firms / "recipe.toml", "--seed", 1)
    assert done.code == 0 and "give --schema" in done.err
