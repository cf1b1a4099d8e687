"""`sdckit assess`: figures for a program and for a person."""

from pathlib import Path

import pytest

import sdckit

from .conftest import Run


@pytest.fixture
def masked(run: Run, people: Path, schema: Path) -> Path:
    out = people.with_name("masked.csv")
    assert run("protect", people, out, "--schema", schema, "--method", "mdav:group_size=3", "--seed", 1).code == 0
    return out


def test_json_has_every_part_of_a_score(run: Run, people: Path, masked: Path, schema: Path) -> None:
    output = run("assess", people, masked, "--rows-in-order", "--schema", schema, "--json").json
    scores = {score["name"]: score for score in output["scores"]}
    assert {"distance-linkage", "uniqueness", "interval-disclosure", "il1"} <= set(scores)
    parts = {"name", "kind", "value", "interval", "baseline", "bound", "by_attribute"}
    assert all(parts <= set(score) for score in scores.values())
    assert all(0 <= score["value"] <= 1 for score in scores.values() if score["kind"] == "risk")
    assert output["records"] == output["released_records"] == 60


def test_the_figures_are_those_of_python(run: Run, people: Path, masked: Path, schema: Path) -> None:
    output = run(
        "assess", people, masked, "--rows-in-order", "--schema", schema, "--measure", "distance-linkage", "--json"
    ).json
    result = sdckit.assess(
        sdckit.Release.in_order(sdckit.read(people, schema), sdckit.read(masked)), measures=["distance-linkage"]
    )
    assert output["scores"][0]["value"] == result["distance-linkage"].value


def test_an_unmasked_file_has_full_risk_and_no_loss(run: Run, people: Path) -> None:
    output = run("assess", people, people, "--rows-in-order", "--json").json
    value = {score["name"]: score["value"] for score in output["scores"]}
    assert value["distance-linkage"] == 1
    assert value["il1"] == 0


def test_only_the_measures_named_are_taken_with_their_parameters(run: Run, people: Path, masked: Path) -> None:
    wanted = ("--measure", "il1:cap=0.01", "--measure", "uniqueness")
    output = run("assess", people, masked, "--rows-in-order", *wanted, "--json").json
    assert [score["name"] for score in output["scores"]] == ["il1", "uniqueness"]
    assert output["scores"][0]["value"] <= 0.01


def test_an_intruder_who_knows_less_finds_no_more(run: Run, people: Path) -> None:
    known = run(
        "assess", people, people, "--rows-in-order", "--measure", "uniqueness", "--attributes", "age", "--json"
    ).json
    everything = run("assess", people, people, "--rows-in-order", "--measure", "uniqueness", "--json").json
    assert known["scores"][0]["value"] < everything["scores"][0]["value"]


def test_single_records_are_printed_only_on_request(run: Run, people: Path, masked: Path) -> None:
    wanted = ("--measure", "distance-linkage", "--json")
    assert "by_record" not in run("assess", people, masked, "--rows-in-order", *wanted).json["scores"][0]
    assert (
        len(run("assess", people, masked, "--rows-in-order", *wanted, "--by-record").json["scores"][0]["by_record"])
        == 60
    )


def test_a_declared_missing_value_is_missing_in_both_files(run: Run, tmp_path: Path) -> None:
    original, masked, schema = (tmp_path / name for name in ("a.csv", "b.csv", "s.toml"))
    original.write_text("x\n" + "\n".join(["9999", *map(str, range(10, 40))]) + "\n", encoding="utf-8")
    masked.write_text("x\n" + "\n".join(["9999", *map(str, range(11, 41))]) + "\n", encoding="utf-8")
    schema.write_text('[attributes.x]\nrole = "key"\nmissing = [9999]\n', encoding="utf-8")
    output = run("assess", original, masked, "--rows-in-order", "--schema", schema, "--measure", "il2", "--json").json
    assert output["scores"][0]["value"] == pytest.approx(1 / 24.5)


def test_the_table_shows_after_before_and_guessing(run: Run, people: Path, masked: Path, schema: Path) -> None:
    output = run("assess", people, masked, "--rows-in-order", "--schema", schema).out
    assert "95%" in output and "before" in output and "guessing" in output
    assert "the ordinary intruder, who knows age" in output


def test_the_main_figures_fit_on_a_screen_and_tell_of_the_others(
    run: Run, people: Path, masked: Path, schema: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    output = run("assess", people, masked, "--rows-in-order", "--schema", schema).out.splitlines()
    assert len(output) < 40
    # the verdict comes before any figure
    assert "the ordinary intruder" in output[1] and "re-identifies" in "".join(output[1:4])
    end = " ".join(" ".join(output[-4:]).split())
    assert "more figures measured: see --json" in end and "did not apply" in end
    for heading in ("Re-identified by linkage", "Sample uniques on the keys", "smallest class (k)"):
        assert any(heading in line for line in output)


def test_on_a_narrow_terminal_headings_give_way_and_figures_do_not(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    run("sample", "survey", "survey.csv", "--records", 60, "--seed", 1)
    run("describe", "survey.csv", "--schema-out", "schema.toml")
    files = ("--schema", "schema.toml", "--recipe-out", "r.toml", "--key-out", "k")
    run("protect", "survey.csv", "safe.csv", "--method", "mdav", "--attributes", "age,income", *files)
    files = ("survey.csv", "safe.csv", "--schema", "schema.toml", "--recipe", "r.toml", "--key", "k")
    measures = ("informed-intruder", "household-intruder", "mixed-linkage", "uniqueness", "interval-disclosure", "il1s")
    output = run("assess", *files, *(word for name in measures for word in ("--measure", name))).out
    assert "household-intruder" in output and "…" not in output


@pytest.mark.slow
def test_every_figure_is_shown_with_all(run: Run, people: Path, masked: Path, schema: Path) -> None:
    scores = [
        each["name"]
        for each in run("assess", people, masked, "--rows-in-order", "--schema", schema, "--json").json["scores"]
    ]
    few, every = (
        run("assess", people, masked, "--rows-in-order", "--schema", schema, *more).out for more in ((), ("--all",))
    )
    assert not [name for name in scores if name not in every]
    assert "left out, because" in every
    assert sum(f" {name} " in few for name in scores) < 15


def test_measures_asked_for_by_name_are_always_shown(run: Run, people: Path, masked: Path, schema: Path) -> None:
    names = ["k-anonymity", "il2", "il3", "il4", "rank-linkage", "distance-linkage", "uniqueness", "prosecutor-risk"]
    names += ["interval-disclosure", "suda2", "mixed-linkage", "kernel-linkage"]
    wanted = [part for name in names for part in ("--measure", name)]
    output = run("assess", people, masked, "--rows-in-order", "--schema", schema, *wanted).out
    assert all(name in output for name in names) and "--all" not in output
    also = run("assess", people, masked, "--rows-in-order", "--schema", schema, "--also", "il2", "--also", "suda2").out
    assert "il2" in also and "suda2" in also and "il3" not in also


def test_quiet_gives_names_and_figures(run: Run, people: Path) -> None:
    assert (
        run("assess", people, people, "--rows-in-order", "--measure", "distance-linkage", "-q").out
        == "distance-linkage\t1\n"
    )


def test_the_header_gives_the_records_of_both_files(run: Run, people: Path, masked: Path, schema: Path) -> None:
    head, *rows = masked.read_text(encoding="utf-8").splitlines()
    masked.write_text("\n".join([head, *rows[:40]]) + "\n", encoding="utf-8")
    done = run("assess", people, masked, "--schema", schema, "--measure", "il3")
    assert "masked.csv (40 records) against people.csv (60 records)" in done.out


def test_a_masking_is_no_measure(run: Run, people: Path) -> None:
    done = run("assess", people, people, "--rows-in-order", "--measure", "mdav")
    assert done.code == 2 and "there is no risk or loss 'mdav'" in done.err


def test_an_intruder_is_as_described(run: Run, people: Path, schema: Path) -> None:
    linkage = (
        "assess",
        people,
        people,
        "--rows-in-order",
        "--schema",
        schema,
        "--measure",
        "distance-linkage",
        "--json",
        "--seed",
        1,
    )
    averaged = run(*linkage, "--knowledge", "first-subsets(2)").json["scores"][0]
    assert averaged["details"]["sets"] == 3
    few = run(*linkage, "--records", 0.1, "--by-record").json["scores"][0]
    assert sum(figure is not None for figure in few["by_record"]) == 6
    for error in (("--noise", 0.5), ("--missing", 0.5)):
        assert run(*linkage, *error).json["scores"][0]["value"] < 1


def test_an_intruder_who_cannot_be_is_refused(run: Run, people: Path) -> None:
    assert (
        "did you mean 'first-subsets'"
        in run("assess", people, people, "--rows-in-order", "--knowledge", "first-subset(7)").err
    )
    assert "share of records" in run("assess", people, people, "--rows-in-order", "--records", 2).err


def test_a_loss_with_an_interval_shows_it(run: Run, people: Path, masked: Path) -> None:
    output = " ".join(
        run("assess", people, masked, "--rows-in-order", "--measure", "propensity-loss", "--measure", "il1").out.split()
    )
    assert output.count("(95%: 0.0") == 1


def test_a_loss_that_is_not_zero_without_masking_shows_that(run: Run, people: Path, masked: Path) -> None:
    asked = ("assess", people, masked, "--rows-in-order", "--measure", "fuzzy-clustering-loss:clusters=9,starts=4")
    (score,) = run(*asked, "--json").json["scores"]
    output = " ".join(run(*asked).out.split())
    assert score["baseline"] == score["details"]["noise_floor"] > 0
    assert "(without masking 0." in output


def test_an_identifier_in_the_masked_file_is_reported(run: Run, people: Path, schema: Path) -> None:
    done = run("assess", people, people, "--rows-in-order", "--schema", schema, "--measure", "il1")
    assert "still has the identifier 'name'" in done.err
    assert (
        run("report", people, people, people.with_name("r.html"), "--rows-in-order", "--schema", schema).err.count(
            "identifier"
        )
        == 1
    )


def test_a_control_file_gives_the_excess(run: Run, people: Path, masked: Path, schema: Path) -> None:
    wanted = ("--measure", "linkability", "--control", people, "--json")
    output = run("assess", people, masked, "--rows-in-order", "--schema", schema, *wanted).json
    details = output["scores"][0]["details"]
    assert details["control"] == output["scores"][0]["value"]  # the control are the same people here
    assert details["excess"] == 0
