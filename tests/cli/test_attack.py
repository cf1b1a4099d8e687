"""`sdckit attack`: the story on the terminal and as JSON."""

from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import Run

from sdckit.files.other_releases import other_releases
from sdckit.files.release_files import read_release


@pytest.fixture
def release(run: Run, people: Path, schema: Path, tmp_path: Path) -> tuple[object, ...]:
    masked, recipe = tmp_path / "masked.csv", tmp_path / "recipe.toml"
    words = ("--schema", schema, "--method", "rank-swapping:window=0.1", "--seed", 1, "--recipe-out", recipe)
    assert run("protect", people, masked, *words).code == 0
    return people, masked, "--schema", schema, "--recipe", recipe, "--rows-in-order"


def test_it_says_who_is_re_identified_with_what_confidence_and_why(run: Run, release: tuple[object, ...]) -> None:
    done = run("attack", *release)
    assert done.code == 0
    for words in ("re-identified", "Claims", "Confidence", "Why:", "re-identified without it", "Attributes known"):
        assert words in done.out
    assert "Transparency costs" in done.out and "informed-intruder" in done.out and "ordinary-intruder" in done.out
    assert "person " not in done.out, "no value of a record is printed"


def test_json_has_the_same_figures_and_quiet_the_two_shares(run: Run, release: tuple[object, ...]) -> None:
    found = run("attack", *release, "--json").json
    assert found["cost_of_transparency"] == found["informed"]["value"] - found["ordinary"]["value"]
    assert {"expected_found", "calibration", "sure_claims", "certain_matches", "laws"} <= set(
        found["informed"]["details"]
    )
    assert {each["attribute"] for each in found["worth_of_attributes"]} == {"age", "income, net"}
    shares = run("attack", *release, "--quiet").out.split()
    assert shares == [f"{found[name]['value']:.6g}" for name in ("ordinary", "informed")]


def test_without_the_method_only_the_ordinary_intruder_is_shown(run: Run, release: tuple[object, ...]) -> None:
    done = run("attack", *release, "--no-knows-method")
    assert done.code == 0 and "only the ordinary intruder was simulated" in done.out
    assert "informed-intruder" not in done.out and "Claims" in done.out


def test_a_recipe_that_is_not_that_of_the_file_is_warned_of(
    run: Run, release: tuple[object, ...], tmp_path: Path
) -> None:
    recipe = tmp_path / "narrow.toml"
    recipe.write_text('[[steps]]\nmethod = "rank-swapping"\nattributes = ["age", "income, net"]\nwindow = 0.01\n')
    done = run("attack", *release[:5], recipe, "--rows-in-order")
    assert done.code == 0 and "have no possible row" in done.err


def test_another_release_in_another_order_is_linked_by_what_is_not_known(
    run: Run, release: tuple[object, ...], people: Path, schema: Path, tmp_path: Path
) -> None:
    other, recipe = tmp_path / "apart.csv", tmp_path / "apart.toml"
    words = ("--schema", schema, "--method", "additive-noise:variance_share=0.001", "--seed", 2, "--recipe-out", recipe)
    assert run("protect", people, other, *words).code == 0
    heading, *lines = other.read_text(encoding="utf-8").splitlines()
    other.write_text("\n".join([heading, *lines[1::2], *lines[::2], ""]), encoding="utf-8")
    known = ("attack", *release, "--attributes", "age", "--json")
    alone = run(*known).json["informed"]
    both = run(*known, "--also-released", other, "--also-recipe", recipe).json["informed"]
    assert both["details"]["other_releases"] == ["released apart"]
    assert both["value"] > alone["value"]


@pytest.mark.slow
def test_another_release_of_the_file_is_joined(
    run: Run, release: tuple[object, ...], people: Path, schema: Path, tmp_path: Path
) -> None:
    other, recipe = tmp_path / "other.csv", tmp_path / "other.toml"
    words = ("--schema", schema, "--method", "additive-noise:variance_share=0.001", "--seed", 2, "--recipe-out", recipe)
    assert run("protect", people, other, *words).code == 0
    alone = run("attack", *release, "--json").json["informed"]["value"]
    both = run("attack", *release, "--also-released", other, "--also-recipe", recipe, "--json").json
    assert both["informed"]["value"] >= alone
    assert both["informed"]["details"]["other_releases"] == ["same order"]
    confirmed = run(
        "attack", *release, "--also-released", other, "--also-recipe", recipe, "--also-rows-in-order", "--json"
    )
    assert confirmed.json["informed"]["value"] == both["informed"]["value"]
    one_recipe_too_many = run("attack", *release, "--also-released", other, *("--also-recipe", recipe) * 2)
    assert one_recipe_too_many.code == 2 and "once for each" in one_recipe_too_many.err


def test_releases_are_linked_by_a_column(
    run: Run, release: tuple[object, ...], people: Path, schema: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.csv"
    words = ("--schema", schema, "--method", "rank-swapping", "--seed", 2)
    assert run("protect", people, other, *words).code == 0
    missing = run("attack", *release, "--also-released", other, "--also-linked-by", "nothing")
    assert missing.code == 2 and "no column 'nothing'" in missing.err
    twice = run("attack", *release, "--also-released", other, "--also-linked-by", "age")
    assert twice.code == 2 and "twice" in twice.err


@pytest.mark.slow
def test_an_intruder_whose_values_are_in_error_re_identifies_less(run: Run, release: tuple[object, ...]) -> None:
    exact, wrong = (
        run("attack", *release, "--json", *more).json["informed"]["value"]
        for more in ((), ("--noise", 2, "--missing", 0.5))
    )
    assert wrong < exact
    assert run("attack", *release, "--missing", 2).code == 2


def test_the_story_says_how_many_records_are_attacked(run: Run, release: tuple[object, ...]) -> None:
    """A quarter of the sixty people is known."""
    done = run("attack", *release, "--records", 0.25)
    assert "tries to re-identify 15 records" in " ".join(done.out.split())


@pytest.mark.slow
def test_another_release_needs_no_recipe_and_no_known_attribute(
    run: Run, release: tuple[object, ...], people: Path, schema: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.csv"
    words = ("--schema", schema, "--method", "additive-noise:variance_share=0.001", "--seed", 2)
    assert run("protect", people, other, *words).code == 0
    done = run("attack", *release, "--also-released", other)
    assert done.code == 0 and "Rows of other releases: same order" in done.out
    lines = other.read_text(encoding="utf-8").splitlines()
    other.write_text("\n".join(line.rpartition(",")[2] for line in lines) + "\n", encoding="utf-8")  # regions alone
    done = run("attack", *release, "--also-released", other)
    assert done.code == 0 and "no attribute that the intruder knows" in done.err
    shares = [run("attack", *release, *also, "--quiet").out for also in ((), ("--also-released", other))]
    assert shares[0] == shares[1]


def test_missing_pseudonyms_link_nobody(
    run: Run, release: tuple[object, ...], people: Path, schema: Path, tmp_path: Path
) -> None:
    masked, other = tmp_path / "masked.csv", tmp_path / "other.csv"
    words = ("--schema", schema, "--method", "rank-swapping", "--seed", 2)
    assert run("protect", people, other, *words).code == 0
    for path in (masked, other):
        heading, *lines = path.read_text(encoding="utf-8").splitlines()
        lines = [f"{line},{'' if number < 3 else number}" for number, line in enumerate(lines)]
        path.write_text("\n".join([f"{heading},pseudonym", *lines]) + "\n", encoding="utf-8")
    linked = other_releases(read_release(people, masked, rows_in_order=True), [other], linked_by="pseudonym")
    assert linked[0].row_of is not None
    assert linked[0].row_of.tolist() == [-1, -1, -1, *range(3, 60)]


def test_the_story_names_the_column_by_which_families_are_found(run: Run, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    size = rng.integers(2, 5, 40)
    lines = [
        f"{number + 1},{rng.choice(list('abcdef'))},{rng.choice(list('uvwx'))}" for number in np.repeat(range(40), size)
    ]
    original, schema, masked, recipe = (tmp_path / name for name in ("o.csv", "s.toml", "m.csv", "r.toml"))
    original.write_text("family number,job,town\n" + "\n".join(lines) + "\n", encoding="utf-8")
    schema.write_text(
        '[attributes."family number"]\nkind = "discrete"\nrole = "household"\n'
        + "".join(f'[attributes.{name}]\nkind = "unordered"\nrole = "key"\n' for name in ("job", "town")),
        encoding="utf-8",
    )
    words = ("--schema", schema, "--method", "pram:stay=0.7", "--seed", 1, "--recipe-out", recipe)
    assert run("protect", original, masked, *words).code == 0
    done = run("attack", original, masked, "--schema", schema, "--recipe", recipe, "--rows-in-order")
    assert "household-intruder" in done.out and "leaving family number out of the release" in " ".join(done.out.split())
