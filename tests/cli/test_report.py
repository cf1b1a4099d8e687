"""`sdckit report`: one HTML file, internal or to publish."""

import json
from pathlib import Path

import pytest

from .conftest import Run

pytestmark = pytest.mark.slow  # each test renders a whole report


@pytest.fixture
def masked(run: Run, people: Path, schema: Path) -> Path:
    out = people.with_name("masked.csv")
    assert run("protect", people, out, "--schema", schema, "--method", "mdav:group_size=3", "--seed", 1).code == 0
    return out


def test_the_report_is_one_html_file(run: Run, people: Path, masked: Path, schema: Path) -> None:
    out = people.with_name("report.html")
    done = run("report", people, masked, out, "--rows-in-order", "--schema", schema, "--json")
    assert done.json == {"path": str(out), "edition": "internal"}
    assert "<html" in out.read_text("utf-8")


def test_the_public_edition_can_be_had(run: Run, people: Path, masked: Path, schema: Path) -> None:
    out = people.with_name("public.html")
    assert "public" in run("report", people, masked, out, "--rows-in-order", "--schema", schema, "--public").out
    assert "person 1" not in out.read_text("utf-8")


def test_protect_measures_and_reports_in_one_go(run: Run, people: Path, schema: Path) -> None:
    out, report = people.with_name("out.csv"), people.with_name("report.html")
    arguments = ("--schema", schema, "--method", "rank-swapping", "--shuffle-rows", "--report", report, "--json")
    assert run("protect", people, out, *arguments).json["report_path"] == str(report)
    assert report.exists()


def test_an_existing_report_is_left_alone_without_force(run: Run, people: Path, masked: Path) -> None:
    out = people.with_name("report.html")
    out.write_text("precious", encoding="utf-8")
    assert run("report", people, masked, out, "--rows-in-order").code == 2
    assert out.read_text("utf-8") == "precious"


@pytest.mark.parametrize("edition", [(), ("--public",)])
def test_a_report_is_rebuilt_from_its_dossier_alone(
    run: Run, people: Path, masked: Path, schema: Path, edition: tuple[str, ...]
) -> None:
    folder = people.parent
    out, held, again = folder / "report.html", folder / "dossier.json", folder / "again.html"
    done = run(
        "report", people, masked, out, "--rows-in-order", "--schema", schema, "--json-out", held, "--json", *edition
    )
    assert done.json["dossier"] == str(held)
    people.unlink()
    masked.unlink()
    done = run("report", "--from", held, again, "--json")
    assert done.json == {"path": str(again), "edition": "public" if edition else "internal"}
    assert again.read_text("utf-8") == out.read_text("utf-8")


def test_a_dossier_is_not_mixed_with_data(run: Run, people: Path, masked: Path) -> None:
    folder = people.parent
    assert (
        run("report", people, masked, folder / "a.html", "--rows-in-order", "--json-out", folder / "d.json").code == 0
    )
    for wrong in (
        ("report", people, masked, folder / "b.html", "--rows-in-order", "--from", folder / "d.json"),
        ("report", folder / "b.html", "--from", folder / "d.json", "--json-out", folder / "e.json"),
        ("report", people, folder / "b.html"),
        ("report", folder / "b.html", "--from", folder / "d.json", "--public"),
        ("report", folder / "b.html", "--from", people),
    ):
        done = run(*wrong)
        assert done.code == 2 and done.err.startswith("error: ") and not (folder / "b.html").exists()


def test_an_existing_dossier_is_left_alone_without_force(run: Run, people: Path, masked: Path) -> None:
    held, out = people.with_name("dossier.json"), people.with_name("report.html")
    held.write_text("precious", encoding="utf-8")
    assert run("report", people, masked, out, "--rows-in-order", "--json-out", held).code == 2
    assert held.read_text("utf-8") == "precious" and not out.exists()


def test_policy_and_corrections_are_part_of_the_dossier(run: Run, people: Path, schema: Path) -> None:
    folder = people.parent
    out, recipe, policy, held = (folder / name for name in ("n.csv", "r.toml", "p.toml", "d.json"))
    noise = ("--method", "additive-noise:variance_share=0.2", "--recipe-out", recipe)
    assert run("protect", people, out, "--schema", schema, "--seed", 1, *noise).code == 0
    policy.write_text('[[rules]]\nmeasure = "distance-linkage"\nmax = 1\n', encoding="utf-8")
    options = ("--schema", schema, "--recipe", recipe, "--policy", policy, "--corrections", "--json-out", held)
    assert run("report", people, out, folder / "r.html", "--rows-in-order", *options, "--json").code == 0
    figures = json.loads(held.read_text("utf-8"))["figures"]
    assert figures["gate"]["met"] and figures["corrections"]
    assert "Every rule is met" in (folder / "r.html").read_text("utf-8")


def test_a_public_map_needs_settings_drawn_twice(run: Run, people: Path, masked: Path, schema: Path) -> None:
    folder = people.parent
    for seeds in (1, 2):
        swept = (
            "--methods",
            "mdav,additive-noise",
            "--seeds",
            seeds,
            "--measure",
            "distance-linkage",
            "--measure",
            "il1",
        )
        assert (
            run("sweep", people, "--schema", schema, *swept, "--out", folder / f"map-{seeds}", "--workers", 1).code == 0
        )
        out, held = folder / f"{seeds}.html", folder / f"{seeds}.json"
        options = ("--schema", schema, "--map", folder / f"map-{seeds}" / "map.json", "--public", "--json-out", held)
        done = run("report", people, masked, out, "--rows-in-order", *options)
        assert done.code == 0 and ("the map is left out" in done.err) == (seeds == 1)
        assert (json.loads(held.read_text("utf-8"))["figures"]["map"] is None) == (seeds == 1)


def test_corrections_need_a_recipe(run: Run, people: Path, masked: Path) -> None:
    done = run("report", people, masked, people.with_name("r.html"), "--rows-in-order", "--corrections")
    assert done.code == 2 and "--recipe" in done.err
