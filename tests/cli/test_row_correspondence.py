"""No verb gives another figure because rows were shuffled, sampled, left out, edited or exchanged: the same, or exit 2.

Only with `--rows-in-order` does the user vouch for the order.
"""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit.cli import main

from .conftest import Run

KEYS = ("age", "income")
POLICY = '[[rules]]\nmeasure = "distance-linkage"\nmax = 1\n\n[[rules]]\nmeasure = "il1"\nmax = 100\n'
SCHEMA = "".join(
    f'[attributes.{name}]\nrole = "{role}"\n\n'
    for name, role in (("number", "other"), ("age", "key"), ("income", "key"), ("region", "other"))
)


@dataclass(frozen=True)
class Masked:
    """A masked file with its recipe and its key."""

    folder: Path
    name: str

    @property
    def data(self) -> Path:
        return self.folder / f"{self.name}.csv"

    @property
    def recipe(self) -> Path:
        return self.folder / f"{self.name}.toml"

    @property
    def key(self) -> Path:
        return self.folder / f"{self.name}.key"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eighty people masked in order, masked alike and shuffled, and sampled; policy and schema."""
    path = tmp_path_factory.mktemp("rows")
    rng = np.random.default_rng(11)
    lines = ["number,age,income,region"]
    lines += [
        f"{1000 + number},{rng.integers(18, 90)},{rng.lognormal(7, 0.5):.2f},{rng.choice(list('NSEW'))}"
        for number in rng.permutation(80)
    ]
    (path / "original.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (path / "policy.toml").write_text(POLICY, encoding="utf-8")
    (path / "schema.toml").write_text(SCHEMA, encoding="utf-8")
    swapping = ("--method", "rank-swapping:window=0.1")
    for name, options in (
        ("ordered", swapping),
        ("shuffled", (*swapping, "--shuffle-rows")),
        ("sampled", ("--method", "simple-sampling:share=0.6", *swapping)),
    ):
        made = Masked(path, name)
        outputs = ("--recipe-out", made.recipe, "--key-out", made.key, "--schema", path / "schema.toml", "-q")
        attributes = ("--attributes", "age,income")
        words = ("protect", path / "original.csv", made.data, *options, *attributes, *outputs, "--seed", 2**127 + 1)
        assert main([str(each) for each in words]) == 0
    return path


def figures(run: Run, verb: str, folder: Path, original: Path, masked: Path, *options: object):
    """The exit code of a verb on two files, and the figures it gives."""
    also = ("--schema", folder / "schema.toml", *options)
    if verb == "assess":
        done = run("assess", original, masked, "--measure", "distance-linkage", "--measure", "il1", "--json", *also)
        return done.code, done.code or {each["name"]: each["value"] for each in done.json["scores"]}, done
    if verb == "attack":
        done = run("attack", original, masked, "--seed", 1, "--json", *also)
        return done.code, done.code or done.json["ordinary"]["value"], done
    if verb == "gate":
        done = run("gate", masked, "--original", original, "--policy", folder / "policy.toml", "--json", *also)
        return done.code, done.code or [rule["value"] for rule in done.json["rules"]], done
    out = masked.with_name(f"{verb}-{len(list(masked.parent.iterdir()))}")
    if verb == "report":
        dossier = out.with_suffix(".json")
        done = run("report", original, masked, out.with_suffix(".html"), "--json-out", dossier, "--json", *also)
        if done.code:
            return done.code, None, done
        scores = json.loads(dossier.read_text(encoding="utf-8"))["figures"]["scores"]
        return 0, {each["name"]: each["value"] for each in scores if each["name"] in ("distance-linkage", "il1")}, done
    done = run(
        "publish", masked, "--original", original, "--policy", folder / "policy.toml", "--out", out, "--json", *also
    )
    return done.code, done.code or [rule["value"] for rule in done.json["rules"]], done


def evidence(made: Masked, kind: str) -> tuple[object, ...]:
    options = {"none": (), "key": ("--key", made.key), "match-on": ("--match-on", "number")}
    return ("--recipe", made.recipe, *(options | {"in-order": ("--rows-in-order",)})[kind])


def damaged(made: Masked, how: str) -> tuple[Path, Path]:
    """The two files after something went wrong with them."""
    original = made.folder / "original.csv"
    head, *rows = made.data.read_text(encoding="utf-8").splitlines()
    if how == "exchanged":
        return made.data, original
    if how == "reordered":
        rows = [*rows[40:], *rows[:40]]
    elif how == "subset":
        rows = rows[:-7]
    elif how == "edited":
        number, age, *rest = rows[3].split(",")
        rows[3] = ",".join([number, str(int(float(age)) + 1), *rest])
    path = made.folder / f"{made.name}-{how}.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return original, path


QUICK = ("assess", "attack", "gate")
EVERY = (*QUICK, "report", "publish")
KINDS = ("none", "key", "match-on", "in-order")


@pytest.mark.parametrize("verb", EVERY)
@pytest.mark.parametrize("how", ["subset", "exchanged", "edited"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_is_not_the_one_described_is_refused(
    run: Run, folder: Path, verb: str, how: str, kind: str
) -> None:
    made = Masked(folder, "ordered")
    code, _, done = figures(run, verb, folder, *damaged(made, how), *evidence(made, kind))
    assert code == 2, done.out
    error = done.json["error"]
    assert "\n" not in error and any(word in error for word in ("recipe", "key", "exchanged"))


@pytest.mark.parametrize("verb", EVERY)
def test_shuffled_and_sampled_files_are_refused_without_evidence(run: Run, folder: Path, verb: str) -> None:
    for name in ("shuffled", "sampled"):
        made = Masked(folder, name)
        code, _, done = figures(run, verb, folder, folder / "original.csv", made.data, *evidence(made, "none"))
        assert code == 2
        assert all(cure in done.json["error"] for cure in ("--key", "--match-on", "--rows-in-order"))


@pytest.mark.parametrize("verb", ["assess", pytest.param("attack", marks=pytest.mark.slow), "gate"])
def test_a_shuffled_file_has_the_figures_of_the_file_in_order(run: Run, folder: Path, verb: str) -> None:
    original = folder / "original.csv"
    ordered, shuffled = Masked(folder, "ordered"), Masked(folder, "shuffled")
    expected = figures(run, verb, folder, original, ordered.data, *evidence(ordered, "none"))[1]
    assert expected
    for made in (ordered, shuffled):
        for kind in ("key", "match-on"):
            assert figures(run, verb, folder, original, made.data, *evidence(made, kind))[1] == expected
    assert figures(run, verb, folder, original, ordered.data, *evidence(ordered, "in-order"))[1] == expected


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["report", "publish"])
def test_a_report_of_a_shuffled_file_has_the_figures_of_the_file_in_order(run: Run, folder: Path, verb: str) -> None:
    original = folder / "original.csv"
    ordered, shuffled = Masked(folder, "ordered"), Masked(folder, "shuffled")
    expected = figures(run, verb, folder, original, ordered.data, *evidence(ordered, "none"))[1]
    assert expected
    assert figures(run, verb, folder, original, shuffled.data, *evidence(shuffled, "key"))[1] == expected


@pytest.mark.slow
@pytest.mark.parametrize("verb", QUICK)
def test_a_sample_has_one_figure_by_key_and_by_column(run: Run, folder: Path, verb: str) -> None:
    made = Masked(folder, "sampled")
    by_key, by_column = (
        figures(run, verb, folder, folder / "original.csv", made.data, *evidence(made, kind))[1]
        for kind in ("key", "match-on")
    )
    assert by_key and by_key == by_column
    code, _, done = figures(run, verb, folder, folder / "original.csv", made.data, *evidence(made, "in-order"))
    assert code == 2 and "80 records" in done.json["error"] and "48" in done.json["error"]


@pytest.mark.slow
@pytest.mark.parametrize("verb", QUICK)
def test_rows_put_in_another_order_after_masking_are_found_by_column_alone(run: Run, folder: Path, verb: str) -> None:
    made = Masked(folder, "ordered")
    expected = figures(run, verb, folder, folder / "original.csv", made.data, *evidence(made, "none"))[1]
    files = damaged(made, "reordered")
    assert figures(run, verb, folder, *files, *evidence(made, "match-on"))[1] == expected
    for kind in ("none", "key", "in-order"):
        code, _, done = figures(run, verb, folder, *files, *evidence(made, kind))
        assert code == 2 and "order" in done.json["error"]


@pytest.mark.parametrize("verb", EVERY)
def test_no_column_matches_rows_that_the_unmasked_columns_contradict(run: Run, folder: Path, verb: str) -> None:
    made = Masked(folder, "ordered")
    head, *rows = made.data.read_text(encoding="utf-8").splitlines()
    first = [row.partition(",")[0] for row in rows]
    path = made.folder / f"renumbered-{verb}.csv"
    path.write_text(
        "\n".join(
            [head, *(f"{number},{row.partition(',')[2]}" for number, row in zip(first[::-1], rows, strict=True))]
        ),
        encoding="utf-8",
    )
    recipe = made.folder / f"bare-{verb}.toml"
    text = made.recipe.read_text(encoding="utf-8")
    recipe.write_text(text[text.index("[[steps]]") :], encoding="utf-8")
    also = ("--recipe", recipe, "--match-on", "number")
    code, _, done = figures(run, verb, folder, folder / "original.csv", path, *also)
    assert code == 2 and "cannot be matched on 'number'" in done.json["error"]


@pytest.mark.parametrize("verb", QUICK)
def test_a_recipe_that_describes_no_file_shows_nothing(run: Run, folder: Path, verb: str) -> None:
    made, original = Masked(folder, "ordered"), folder / "original.csv"
    text = made.recipe.read_text(encoding="utf-8")
    recipe = made.folder / f"by-hand-{verb}.toml"
    recipe.write_text(text[text.index("[[steps]]") :], encoding="utf-8")
    for first, second in ((original, made.data), (made.data, original)):  # in order, and exchanged
        code, _, done = figures(run, verb, folder, first, second, "--recipe", recipe)
        assert code == 2 and "does not say which masked file it describes" in done.json["error"]


@pytest.mark.parametrize("code", ["1.0", "2020-01-31", "1e3", "0x"])
def test_codes_written_as_numbers_or_dates_agree_in_both_files(run: Run, tmp_path: Path, code: str) -> None:
    lines = [
        f"{19 + number * 7 % 50},{code if number % 3 else code[:-1] + '1'},{number * 37 % 101}" for number in range(80)
    ]
    original, schema, policy = (tmp_path / name for name in ("o.csv", "s.toml", "p.toml"))
    original.write_text("\n".join(["age,code,number", *lines]) + "\n", encoding="utf-8")
    declared = '[attributes.code]\nkind = "unordered"\nrole = "key"\n\n[attributes.number]\nrole = "other"\n'
    schema.write_text(declared, encoding="utf-8")
    policy.write_text('[[rules]]\nmeasure = "contingency-table-loss"\nmax = 0\n', encoding="utf-8")
    made = Masked(tmp_path, "m")
    outputs = ("--recipe-out", made.recipe, "--key-out", made.key)
    masking = ("--method", "additive-noise", "--attributes", "age", "--schema", schema)
    assert run("protect", original, made.data, *masking, *outputs).code == 0
    for evidence in ((), ("--key", made.key)):
        words = ("gate", made.data, "--original", original, "--schema", schema, "--policy", policy, *evidence)
        done = run(*words, "--recipe", made.recipe, "--json")
        assert done.code == 0, done.out
    words = ("publish", made.data, "--original", original, "--schema", schema, "--policy", policy, "--key", made.key)
    done = run(*words, "--recipe", made.recipe, "--out", tmp_path / "out", "--json")
    assert done.code == 0, done.out


@pytest.mark.parametrize("verb", EVERY[:3])
def test_without_a_recipe_the_user_must_vouch(run: Run, folder: Path, verb: str) -> None:
    made, original = Masked(folder, "ordered"), folder / "original.csv"
    options = ("--no-knows-method",) if verb == "attack" else ()
    code, _, done = figures(run, verb, folder, original, made.data, *options)
    assert code == 2 and "no recipe" in done.json["error"]
    assert figures(run, verb, folder, original, made.data, "--rows-in-order", *options)[0] == 0


def test_measures_that_need_no_rows_work_without_them(run: Run, folder: Path) -> None:
    made = Masked(folder, "shuffled")
    two = ("assess", folder / "original.csv", made.data, "--schema", folder / "schema.toml", "--json")
    done = run(*two, "--measure", "uniqueness")
    assert done.code == 0, done.out
    refused = run(*two, "--measure", "distance-linkage")
    assert refused.code == 2 and "--key" in refused.json["error"]


def test_the_recipe_names_the_masked_file_and_nothing_of_the_original(folder: Path) -> None:
    ordered, shuffled = (
        tomllib.loads(Masked(folder, name).recipe.read_text(encoding="utf-8")) for name in ("ordered", "shuffled")
    )
    assert ordered["release"] == shuffled["release"]  # in any order of the rows
    assert set(ordered["release"]) == {"digest", "records"} and ordered["release"]["records"] == 80
    key = json.loads(Masked(folder, "ordered").key.read_text(encoding="utf-8"))
    text = Masked(folder, "ordered").recipe.read_text(encoding="utf-8")
    assert key["masked"]["unordered"] in text and key["original"]["unordered"] not in text


def test_a_recipe_with_the_table_masks_as_one_without(run: Run, folder: Path, tmp_path: Path) -> None:
    made, bare = Masked(folder, "ordered"), tmp_path / "bare.toml"
    text = made.recipe.read_text(encoding="utf-8")
    bare.write_text(text[text.index("[[steps]]") :], encoding="utf-8")
    for name, recipe in (("one.csv", made.recipe), ("other.csv", bare)):
        words = ("--recipe", recipe, "--schema", folder / "schema.toml", "--seed", 3)
        assert run("protect", folder / "original.csv", tmp_path / name, *words).code == 0
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()


def test_a_short_seed_marks_recipe_and_key_and_is_warned_of(run: Run, folder: Path, tmp_path: Path) -> None:
    outputs = ("--recipe-out", tmp_path / "r.toml", "--key-out", tmp_path / "k.key", "--schema", folder / "schema.toml")
    words = ("protect", folder / "original.csv", tmp_path / "m.csv", "--method", "rank-swapping", *outputs, "--force")
    short = run(*words, "--seed", 2024)
    assert "the seed is short" in short.err
    assert tomllib.loads((tmp_path / "r.toml").read_text())["release"]["guessable_seed"] is True
    assert json.loads((tmp_path / "k.key").read_text())["guessable"] is True
    gate = ("gate", tmp_path / "m.csv", "--original", folder / "original.csv", "--policy", folder / "policy.toml")
    checked = run(*gate, "--schema", folder / "schema.toml", "--recipe", tmp_path / "r.toml", "--json")
    assert checked.json["guessable_seed"] is True and "can be guessed" in checked.err
    assert "seed" not in run(*words).err
    assert "guessable_seed" not in (tmp_path / "r.toml").read_text()
    assert json.loads((tmp_path / "k.key").read_text())["guessable"] is False


def test_a_synthesised_file_is_measured_as_far_as_it_goes(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sdckit.catalogue import find
    from sdckit.rows import Rows

    monkeypatch.setattr(find("masking", "rank-swapping").component, "rows", Rows.SYNTHESISED)
    original, masked, recipe = folder / "original.csv", tmp_path / "s.csv", tmp_path / "s.toml"
    words = ("--method", "rank-swapping", "--schema", folder / "schema.toml", "--recipe-out", recipe)
    assert run("protect", original, masked, *words).code == 0
    code, _, done = figures(run, "attack", folder, original, masked, "--recipe", recipe)
    assert code == 2 and "synthesised" in done.json["error"]
    assessed = run("assess", original, masked, "--recipe", recipe, "--schema", folder / "schema.toml", "--json").json
    assert "synthesised" in assessed["skipped"]["distance-linkage"]
    assert "uniqueness" in {each["name"] for each in assessed["scores"]}
    checked = run(
        *("gate", masked, "--original", original, "--policy", folder / "policy.toml", "--recipe", recipe, "--json"),
        *("--schema", folder / "schema.toml", "--rows-in-order"),
    )
    assert checked.code == 1 and "synthesised" in checked.json["rules"][0]["reason"]


@pytest.mark.slow
@pytest.mark.parametrize("methods", [("simple-sampling:share=0.5",), ("rank-swapping", "simple-sampling:share=0.5")])
def test_a_sampled_file_is_attacked_and_its_recipe_not_doubted(run, tmp_path, methods):
    frame = pl.DataFrame(np.random.default_rng(1).normal(size=(40, 3)).round(3), schema=["a", "b", "c"])
    frame.write_csv(tmp_path / "original.csv")
    chain = [option for method in methods for option in ("--method", method)]
    paths = [tmp_path / name for name in ("original.csv", "masked.csv", "recipe.toml", "key.json")]
    made = run("protect", *paths[:2], *chain, "--recipe-out", paths[2], "--key-out", paths[3], "--seed", 1)
    assert made.code == 0
    done = run("attack", *paths[:2], "--recipe", paths[2], "--key", paths[3], "--seed", 1)
    assert done.code == 0, done.err
    assert "no possible row" not in done.err
    figures = run("attack", *paths[:2], "--recipe", paths[2], "--key", paths[3], "--seed", 1, "--json").json
    assert all(0 < score["value"] <= 0.5 for score in (figures["ordinary"], figures["informed"]))
