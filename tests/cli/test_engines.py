"""The engines on the command line: the same files as from memory, and refusals with their cure."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit.cli.publish import default_format
from sdckit.files import temporary
from sdckit.files.key_file import read_key
from sdckit.files.temporary import temporary_in_system_folder

from .conftest import Run

POLICY = '{}[[rules]]\nmeasure = "il1s"\nmax = 10\n\n[[rules]]\nmeasure = "contingency-table-loss"\nmax = 10\n'


def masked(run: Run, people: Path, schema: Path, engine: str, *more: object) -> Path:
    out = people.with_name(f"{engine}.csv")
    files = ("--recipe-out", out.with_suffix(".toml"), "--key-out", out.with_suffix(".key"))
    options = ("--schema", schema, "--method", "rank-swapping:window=0.2", "--method", "additive-noise")
    done = run("protect", people, out, *options, "--engine", engine, "--seed", 3, *files, *more)
    assert done.code == 0, done.err
    return out


def test_file_and_recipe_have_the_same_bytes_and_the_keys_open_the_same_whatever_the_engine(
    run: Run, people: Path, schema: Path
) -> None:
    one, other = (masked(run, people, schema, engine) for engine in ("memory", "duckdb"))
    for suffix in (".csv", ".toml"):
        assert one.with_suffix(suffix).read_bytes() == other.with_suffix(suffix).read_bytes()
    ours, theirs = (read_key(out.with_suffix(".key")) for out in (one, other))
    assert ours.counts is not None and len(ours.counts.steps) == 2
    assert ours.to_json() == theirs.to_json()


def test_what_is_said_of_a_masking_is_the_same_whatever_the_engine(run: Run, people: Path, schema: Path) -> None:
    """Identifiers are dropped, so that no guarantee is about them."""
    pytest.importorskip("opendp")
    said = []
    for engine in ("memory", "duckdb"):
        words = ("protect", people, people.with_name(f"{engine}.csv"), "--schema", schema, "--engine", engine, "--json")
        done = run(*words, "--method", "laplace-noise:lower=0,upper=120", "--attributes", "age", "--allow-undeclared")
        assert done.code == 0, done.out
        kept = ("records", "released_records", "dropped", "unchanged", "differential_privacy", "guessable_seed")
        said.append({name: done.json[name] for name in kept})
    assert said[0] == said[1]
    assert said[0]["dropped"] and not set(said[0]["dropped"]) & set(said[0]["differential_privacy"]["not_covered"])


def test_counts_are_the_same_whatever_the_engine(run: Run, tmp_path: Path) -> None:
    rows = range(60)
    file, schema = tmp_path / "people.csv", tmp_path / "schema.toml"
    lines = [f"{i % 5 or ''},{i % 7},{100 + 3 * i},x{i}" for i in rows]
    file.write_text("\n".join(["town,age,income,name", *lines]), encoding="utf-8")
    schema.write_text(
        '[attributes]\ntown = { kind = "unordered", role = "key" }\nage = { kind = "discrete", role = "key" }\n'
        'income = { kind = "continuous", role = "confidential" }\nname = { role = "identifier" }\n',
        encoding="utf-8",
    )
    steps = (
        "--method",
        "global-recoding-groups:groups=1|2=1,attributes=town",
        "--method",
        "rounding:base=5,attributes=age",
    )
    counts = []
    for engine in ("memory", "duckdb"):
        out, key = tmp_path / f"{engine}.csv", tmp_path / f"{engine}.key"
        masked = run("protect", file, out, "--schema", schema, *steps, "--engine", engine, "--key-out", key, "--json")
        assert masked.code == 0, masked.err
        again = run(
            "assess", file, out, "--schema", schema, "--key", key, "--engine", engine, "--measure", "il1s", "--json"
        )
        assert again.code == 0, again.err
        assert again.json["counts"] == masked.json["counts"]
        counts.append(masked.json["counts"])
    ours, theirs = counts
    assert ours == theirs
    assert ours["stages"][1]["violations_any_value"] is not None
    assert [each["name"] for each in ours["attributes"]] == ["town", "age", "income"]


def test_each_figure_says_how_exact_it_is(run: Run, people: Path, schema: Path) -> None:
    out = masked(run, people, schema, "duckdb")
    options = ("--schema", schema, "--key", out.with_suffix(".key"), "--engine", "duckdb")
    done = run("assess", people, out, *options, "--json")
    assert done.code == 0, done.err
    assert {score["exactness"] for score in done.json["scores"]} == {"exact"}
    assert "distance-linkage" in done.json["skipped"]


@pytest.mark.parametrize(("intruder", "code"), [("", 0), ("[intruder]\nnoise = 0.1\n\n", 2)])
def test_a_policy_is_checked_and_one_that_no_engine_can_check_is_refused(
    run: Run, people: Path, schema: Path, intruder: str, code: int
) -> None:
    out = masked(run, people, schema, "duckdb")
    policy = people.with_name("policy.toml")
    policy.write_text(POLICY.format(intruder), encoding="utf-8")
    options = ("--schema", schema, "--key", out.with_suffix(".key"), "--engine", "duckdb")
    done = run("gate", out, "--original", people, "--policy", policy, *options)
    assert done.code == code, done.err
    assert ("--engine memory" in done.err) == (code == 2)


@pytest.mark.parametrize("optional", ["true", "false"])
def test_a_rule_is_never_left_out_for_want_of_memory(
    run: Run, people: Path, schema: Path, optional: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = masked(run, people, schema, "duckdb")
    policy = people.with_name("policy.toml")
    policy.write_text(POLICY.format("") + f"optional = {optional}\n", encoding="utf-8")
    monkeypatch.setattr("sdckit.engines.in_columns.COPIES", 2**50)
    files = ("--original", people, "--policy", policy, "--recipe", out.with_suffix(".toml"))
    done = run("gate", out, *files, "--key", out.with_suffix(".key"), "--schema", schema, "--engine", "duckdb")
    assert done.code == 2, done.err
    assert "contingency-table-loss" in done.err and "allow more (--memory)" in done.err


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_what_no_figure_shows_is_said_whatever_the_engine(run: Run, people: Path, engine: str) -> None:
    source, out = people.with_name("sorted.csv"), people.with_name("out.csv")
    rows = [f"P{1000 + 7 * number % 997},{2000 + 31 * number},{'NSEW'[number % 4]}" for number in range(60)]
    source.write_text("\n".join(["person_id,income,region", *rows]) + "\n", encoding="utf-8")
    recipe, key, policy = (people.with_name(name) for name in ("out.toml", "out.key", "policy.toml"))
    policy.write_text('[[rules]]\nmeasure = "il1s"\nmax = 10\n', encoding="utf-8")
    options = ("--engine", engine, "--method", "additive-noise", "--attributes", "income")
    done = run("protect", source, out, *options, "--recipe-out", recipe, "--key-out", key)
    assert done.code == 0, done.err
    files = ("--original", source, "--policy", policy, "--recipe", recipe, "--key", key, "--engine", engine)
    checked = run("gate", out, *files)
    for shown in (done.err, checked.err):
        assert "'person_id' may identify the records" in shown
        assert "neighbouring rows have similar values of 'income'" in shown
    refused = run("publish", out, *files, "--out", people.with_name("release"))
    assert refused.code == 2 and "'person_id' may identify the records" in refused.err
    assert not people.with_name("release").exists()


def test_a_folder_of_parts_appears_whole(run: Run, people: Path, schema: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = people.with_name("parts")
    command = ("protect", people, target, "--schema", schema, "--method", "rounding", "--engine", "duckdb")
    seen: list[bool] = []
    rename = Path.rename

    def watched(path: Path, other: Path) -> Path:
        seen.append(target.exists())
        return rename(path, other)

    monkeypatch.setattr(Path, "rename", watched)
    assert run(*command, "--key-out", people.with_name("parts.key")).code == 0
    assert seen == [False] and [path.suffix for path in target.iterdir()] == [".parquet"]
    assert run(*command, "--force").code == 2  # parts of another run would stay in it


def test_options_that_need_the_whole_file_are_refused(run: Run, people: Path) -> None:
    options = ("--method", "rounding", "--engine", "duckdb", "--shuffle-rows")
    done = run("protect", people, people.with_name("out.csv"), *options)
    assert done.code == 2
    assert "--shuffle-rows needs the whole file in memory" in done.err


def test_a_published_folder_is_that_of_the_release(run: Run, people: Path, schema: Path) -> None:
    out = people.with_name("out.csv")
    recipe, key, folder = people.with_name("out.toml"), people.with_name("out.key"), people.with_name("release")
    options = ("--schema", schema, "--engine", "duckdb")
    done = run("protect", people, out, *options, "--method", "rounding", "--recipe-out", recipe, "--key-out", key)
    assert done.code == 0, done.err
    policy = people.with_name("policy.toml")
    policy.write_text('[[rules]]\nmeasure = "il1s"\nmax = 10\n', encoding="utf-8")
    final = people.with_name("final.key")
    files = ("--original", people, "--policy", policy, "--recipe", recipe, "--key", key, "--key-out", final)
    done = run("publish", out, *files, "--out", folder, *options)
    assert done.code == 0, done.err
    rows = [sorted(path.read_text(encoding="utf-8").splitlines()) for path in (out, folder / "data.csv")]
    assert rows[0] == rows[1]
    files = ("--original", people, "--policy", policy, "--recipe", folder / "recipe.toml", "--key", final)
    assert run("gate", folder / "data.csv", *files, "--schema", schema).code == 0


def test_a_folder_of_parts_is_published_as_one_parquet_file(run: Run, people: Path, schema: Path) -> None:
    out, folder, policy = (people.with_name(name) for name in ("parts", "release", "policy.toml"))
    recipe, key = people.with_name("out.toml"), people.with_name("out.key")
    policy.write_text('[[rules]]\nmeasure = "il1s"\nmax = 10\n', encoding="utf-8")
    options = ("--schema", schema, "--engine", "duckdb")
    done = run("protect", people, out, *options, "--method", "rounding", "--recipe-out", recipe, "--key-out", key)
    assert done.code == 0, done.err
    files = ("--original", people, "--policy", policy, "--recipe", recipe, "--key", key, "--out", folder)
    done = run("publish", out, *files, *options)
    assert done.code == 0, done.err
    names = ["age", "income, net", "region"]
    published, masked = (pl.read_parquet(path).sort(names) for path in (folder / "data.parquet", out / "*.parquet"))
    assert published.equals(masked)


@pytest.mark.parametrize(("name", "ending"), [("safe.postgres", "parquet"), ("parts", "parquet"), ("a.CSV", ".CSV")])
def test_a_release_has_the_format_of_the_masked_file_where_that_is_a_file(name: str, ending: str) -> None:
    assert default_format(Path(name)) == ending


ODD = ["o'clock", 'a "b"', "a;b -- c", "50% off", "größe ñ", "{x}", "a\\b", "$HOME", "[x]*?"]


@pytest.mark.parametrize("name", [" ".join(ODD), *(pytest.param(each, marks=pytest.mark.slow) for each in ODD)])
def test_every_verb_works_in_a_folder_of_any_name(run: Run, people: Path, schema: Path, name: str) -> None:
    folder = people.parent / name
    folder.mkdir()
    moved = people.rename(folder / people.name)
    out = masked(run, moved, schema, "duckdb")
    policy = folder / "policy.toml"
    policy.write_text(POLICY.format(""), encoding="utf-8")
    options = ("--schema", schema, "--key", out.with_suffix(".key"), "--engine", "duckdb")
    original = ("--original", moved, "--policy", policy)
    recipe = ("--recipe", out.with_suffix(".toml"))
    key = ("--key-out", folder / "final.key")
    for words in (
        ("describe", moved, "--engine", "duckdb"),
        ("assess", moved, out, *options),
        ("gate", out, *original, *options),
        ("publish", out, *original, *options, *recipe, "--out", folder / "release", *key, "--seed", 1),
        ("protect", moved, folder / "out.duckdb", *options[:2], "--method", "rank-swapping", *options[4:]),
    ):
        done = run(*words)
        assert done.code in (0, 2) and "sdckit itself failed" not in done.err, done.err
        assert done.code == 0 or "can be guessed" in done.err or "with a plain name" in done.err, done.err
    left = {path.name for path in folder.iterdir() if path.name.startswith(".")}
    assert left == ({".out.duckdb.sdckit-parts"} if done.code else set())  # for a run that goes on


def test_describing_leaves_nothing_and_clears_what_a_killed_run_left(
    run: Run, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is read part by part is the original: none of it may stay where the system keeps temporary files."""
    common = tmp_path / "common"
    common.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(common))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    with temporary_in_system_folder() as own:
        left = own.with_name(own.name.replace(f"-{os.getpid()}-", f"-{ended.pid}-"))
        left.mkdir()
        (left / "part").write_text("person 1", encoding="utf-8")
        monkeypatch.setattr(temporary, "_searched", set())
        assert run("describe", people, "--engine", "duckdb").code == 0
        assert [path.name for path in common.iterdir()] == [own.name]
    assert not [*common.iterdir()]


@pytest.mark.parametrize("form", [".csv", ".parquet"])
def test_without_a_schema_codes_and_weights_stay_whatever_the_engine(run: Run, tmp_path: Path, form: str) -> None:
    rng = np.random.default_rng(2)
    columns = {
        "household": np.arange(90) // 3,
        "weight": rng.uniform(90, 200, 90).round(2),
        "sex": rng.integers(1, 3, 90),
    }
    frame = pl.DataFrame(columns | {"age": rng.integers(18, 90, 90), "income": rng.lognormal(7, 1, 90).round(2)})
    source = tmp_path / f"survey{form}"
    frame.write_csv(source) if form == ".csv" else frame.write_parquet(source)
    words = ("--method", "rank-swapping:window=0.2", "--seed", 3)
    results = {}
    for engine in ("memory", "duckdb"):
        done = run("protect", source, tmp_path / f"{engine}.csv", *words, "--engine", engine)
        assert done.code == 0, done.err
        assert "without a schema, 'household', 'weight', 'sex' are not masked" in done.err
        results[engine] = (tmp_path / f"{engine}.csv").read_bytes()
        again = pl.read_csv(tmp_path / f"{engine}.csv")
        assert again.select("household", "weight", "sex").equals(frame.select("household", "weight", "sex"))
    assert results["memory"] == results["duckdb"]
    alone = run("protect", source, tmp_path / "none.csv", *words, "--engine", "duckdb", "--attributes", "weight")
    assert alone.code == 0 and "not masked" not in alone.err


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_an_assessment_warns_of_a_column_that_shows_a_masked_one(run: Run, tmp_path: Path, engine: str) -> None:
    source, out, recipe = tmp_path / "people.csv", tmp_path / "out.csv", tmp_path / "out.toml"
    incomes = [1000 + 37 * (number * 61 % 97) for number in range(97)]
    lines = [f"{18 + number % 50},{income},{3 * income}" for number, income in enumerate(incomes)]
    source.write_text("\n".join(["age,income,turnover", *lines]) + "\n", encoding="utf-8")
    mask = ("--method", "rank-swapping", "--attributes", "income", "--recipe-out", recipe)
    assert run("protect", source, out, *mask, "--engine", engine).code == 0
    done = run("assess", source, out, "--recipe", recipe, "--rows-in-order", "--measure", "il1s", "--engine", engine)
    assert done.code == 0, done.err
    shown = " ".join((done.out + done.err).split())
    assert "'income' is masked, and 'turnover', released unchanged, shows its original values" in shown


def test_edits_that_the_masked_file_breaks_are_listed_whatever_the_engine(run: Run, tmp_path: Path) -> None:
    source, schema, policy = (tmp_path / name for name in ("firms.csv", "schema.toml", "policy.toml"))
    rows = [f"{number % 7},{number % 11},{number % 7 + number % 11}" for number in range(60)]
    source.write_text("\n".join(["one,other,total", *rows]) + "\n", encoding="utf-8")
    schema.write_text(
        "".join(f'[attributes.{name}]\nkind = "discrete"\nrole = "key"\n' for name in ("one", "other", "total"))
        + '[[edits]]\ncondition = "total == one + other"\n',
        encoding="utf-8",
    )
    policy.write_text('[[rules]]\nmeasure = "uniqueness"\nmax = 0\n', encoding="utf-8")
    found = {}
    for engine in ("memory", "duckdb"):
        out, recipe = tmp_path / f"{engine}.csv", tmp_path / f"{engine}.toml"
        mask = ("--method", "rank-swapping:window=0.5", "--attributes", "one", "--seed", 2, "--recipe-out", recipe)
        options = ("--schema", schema, "--engine", engine, "--json")
        masked = run("protect", source, out, *mask, *options)
        rest = ("--recipe", recipe, "--rows-in-order", *options)
        assessed = run("assess", source, out, "--measure", "uniqueness", *rest)
        gated = run("gate", out, "--original", source, "--policy", policy, *rest)
        assert (masked.code, assessed.code, gated.code) == (0, 0, 1), masked.out + assessed.out + gated.out
        found[engine] = [each.json["broken_edits"] for each in (masked, assessed, gated)]
        shown = run("gate", out, "--original", source, "--policy", policy, *rest[:-1])
        assert "total == one + other: broken in" in " ".join(shown.err.split() + shown.out.split())
        assert "sdckit tune --max-risk" in shown.err + shown.out or "rows with the same keys" not in shown.err
    assert found["memory"] == found["duckdb"] and found["memory"][0][0]["broken"] > 0


def test_a_recoding_into_numbers_among_text_is_released_and_measured_whatever_the_engine(
    run: Run, people: Path, schema: Path
) -> None:
    """In the masked file the column has numbers and text, which would be refused in an original."""
    kept = []
    for engine in ("memory", "duckdb"):
        out = people.with_name(f"{engine}.csv")
        recipe, key = out.with_suffix(".toml"), out.with_suffix(".key")
        step = ("--method", "global-recoding-groups:groups=N|S|E=1,attributes=region")
        options = ("--schema", schema, "--engine", engine)
        done = run("protect", people, out, *step, *options, "--recipe-out", recipe, "--key-out", key)
        assert done.code == 0, done.err
        assert {line.rsplit(",", 1)[1] for line in out.read_text(encoding="utf-8").splitlines()[1:]} == {"1", "W"}
        measured = run("assess", people, out, *options, "--recipe", recipe, "--key", key, "--measure", "uniqueness")
        assert measured.code == 0, measured.err
        kept.append((out.read_bytes(), recipe.read_bytes()))
    assert kept[0] == kept[1]


@pytest.mark.parametrize("sample", [100_000, 25])
def test_the_report_of_a_published_folder_has_figures_of_all_records_and_nothing_private(
    run: Run, people: Path, schema: Path, sample: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sdckit.engines.dossier.SAMPLE", sample)
    policy, out, folder = (people.with_name(name) for name in ("policy.toml", "out.csv", "release"))
    policy.write_text('[[rules]]\nmeasure = "uniqueness"\nmax = 1\n', encoding="utf-8")
    recipe, key = out.with_suffix(".toml"), out.with_suffix(".key")
    options = ("--schema", schema, "--engine", "duckdb")
    noise = ("--method", "additive-noise", "--attributes", "income, net")
    done = run("protect", people, out, *options, *noise, "--recipe-out", recipe, "--key-out", key)
    assert done.code == 0, done.err
    done = run(
        "publish",
        out,
        "--original",
        people,
        "--policy",
        policy,
        "--recipe",
        recipe,
        "--key",
        key,
        "--out",
        folder,
        *options,
    )
    assert done.code == 0, done.err
    public = {"SHA256SUMS", "data.csv", "recipe.toml", "report-public.html", "schema.toml", "statement.json"}
    assert {path.name for path in folder.iterdir()} == public
    page = (folder / "report-public.html").read_text(encoding="utf-8")
    text = " ".join(page.split())
    assert "The file has 60 records." in text and "<code>uniqueness</code>" in text
    assert ("a sample of 25." in text) == (sample == 25)
    incomes = [line.rsplit(",", 2)[1] for line in people.read_text(encoding="utf-8").splitlines()[1:]]
    assert not [income for income in incomes if income in page] and "person 1" not in page


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_key_of_rows_in_another_order_is_refused_with_the_same_words_whatever_the_engine(
    run: Run, people: Path, schema: Path, engine: str
) -> None:
    out = masked(run, people, schema, engine)
    header, *rows = out.read_text(encoding="utf-8").splitlines(keepends=True)
    out.write_text("".join([header, *rows[::-1]]), encoding="utf-8")
    done = run("assess", people, out, "--schema", schema, "--key", out.with_suffix(".key"), "--engine", engine)
    assert done.code != 0
    assert "the rows of the masked file were put in another order after the key was written" in done.err


@pytest.mark.parametrize("quiet", [(), ("--quiet",)])
def test_an_interrupted_run_says_that_its_parts_have_original_values(
    run: Run, people: Path, schema: Path, quiet: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sdckit.engines.protect.write", interrupted)
    words = ("protect", people, people.with_name("safe.csv"), "--schema", schema, "--method", "rank-swapping")
    done = run(*words, "--engine", "duckdb", *quiet)
    assert done.code != 0
    assert "are kept in" in done.err and "which has original values" in done.err
