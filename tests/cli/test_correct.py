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
    assert "no ordered column" in done.err and done.err.count("\n") == 1


def test_a_constant_column_is_not_blamed_on_the_recipe(run, recipe, tmp_path):
    rows = [f"{number},5" for number in range(40)]
    done = run("correct", written(tmp_path / "m.csv", "a,b", *rows), "--recipe", recipe, "--seed", 1)
    assert "nan" not in done.out
    line = next(line for line in done.out.splitlines() if "correlation of a and b" in line)
    assert "does not vary" in line
