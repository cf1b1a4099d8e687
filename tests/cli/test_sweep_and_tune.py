"""`sdckit sweep` and `sdckit tune`: what they write, print and refuse."""

import csv
import io
import json
import tomllib

import pytest
from rich.console import Console

from sdckit.cli.sweep import settings_table
from sdckit.evaluation.risk_utility_map import Point, RiskUtilityMap

QUICK = ("--measure", "distance-linkage", "--measure", "il1s", "--workers", "1")
TUNED = ("--risk", "distance-linkage", "--loss", "il1s", "--workers", "1", "--draws", "1", "--methods", "mdav")


def test_a_sweep_leaves_csv_json_and_a_picture(run, people, schema, tmp_path):
    out, picture = tmp_path / "map", tmp_path / "map.png"
    done = run(
        "sweep", people, "--schema", schema, "--methods", "mdav,rank-swapping", "--seeds", 1, "--out", out,
        "--plot", picture, *QUICK,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "mdav(group_size=10)" in done.out
    assert "untouched" in done.out
    assert picture.read_bytes().startswith(b"\x89PNG")
    output = RiskUtilityMap.from_dict(json.loads((out / "map.json").read_text(encoding="utf-8")))
    rows = list(csv.DictReader((out / "map.csv").open(encoding="utf-8")))
    assert len(rows) == len(output.points) == 3 + 3 + 4


def test_the_picture_may_go_into_the_folder_that_the_sweep_makes(run, people, schema, tmp_path):
    out = tmp_path / "map"
    call = ("sweep", people, "--schema", schema, "--methods", "mdav", "--seeds", 1, *QUICK)
    done = run(*call, "--out", out, "--plot", out / "map.png")
    assert done.code == 0, done.err
    assert (out / "map.png").read_bytes().startswith(b"\x89PNG")
    assert "there is no folder" in run(*call, "--out", out, "--plot", tmp_path / "else" / "map.png").err


def test_a_long_setting_does_not_squeeze_its_figures_out_of_the_table():
    values = {"clustering": "fuzzy-c-means(1.0123456789)", "assignment_fuzziness": 1.05}
    long = settings_of(("fuzzy-microaggregation", values))
    output = shown(settings_table("Setting", long, "distance-linkage", "il1s"), width=60)
    assert "12.3%" in output and "0.456" in output and "…" not in output


def test_many_settings_with_the_same_figures_are_shown_once():
    many = settings_of(*(("top-coding", {"share": number / 100}) for number in range(1, 10)))
    output = shown(settings_table("Setting", many, "distance-linkage", "il1s"))
    assert output.count("12.3%") == 2  # mean and highest
    assert "top-coding(share=0.01)" in output and "and 8 more with the same figures" in output


def test_a_few_settings_with_the_same_figures_are_each_shown():
    few = settings_of(*(("top-coding", {"share": number / 100}) for number in (1, 2, 3)))
    assert shown(settings_table("Setting", few, "distance-linkage", "il1s")).count("12.3%") == 6


def test_a_loss_that_is_blind_to_categories_points_to_one_that_is_not(run, people, schema):
    call = ("sweep", people, "--schema", schema, "--methods", "pram", "--seeds", 1, "--workers", 1)
    measures = [word for name in ("mixed-linkage", "il1s", "contingency-table-loss") for word in ("--measure", name)]
    schema.write_text(schema.read_text("utf-8").replace('role = "other"', 'role = "key"'), encoding="utf-8")
    assert "contingency-table-loss may still show a loss" in " ".join(run(*call, *measures).out.split())
    seen = run(*call, *measures, "--loss", "contingency-table-loss")
    assert "sees it" not in seen.out


def test_an_interrupted_sweep_says_where_it_goes_on(run, people, schema, tmp_path, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("sdckit.evaluation.sweep.sweep", interrupted)
    done = run("sweep", people, "--schema", schema, "--out", tmp_path / "map")
    assert done.code == 130
    assert "the same command continues from there" in " ".join(done.out.split())


def settings_of(*steps):
    points = [
        Point(method, ({"method": method, **values},), 0, {"distance-linkage": 0.1234, "il1s": 0.456})
        for method, values in steps
    ]
    return RiskUtilityMap(tuple(points), {"distance-linkage": "risk", "il1s": "loss"}, 10).settings


def shown(table, width=100):
    console = Console(width=width, file=io.StringIO())
    console.print(table)
    return console.file.getvalue()


def test_json_tells_points_axes_and_frontier(run, people, schema):
    output = run("sweep", people, "--schema", schema, "--methods", "mdav", "--seeds", 1, "--json", *QUICK).json
    assert (output["risk"], output["loss"]) == ("distance-linkage", "il1s")
    assert set(output["frontier"]) <= {"mdav(group_size=3)", "mdav(group_size=5)", "mdav(group_size=10)"}
    assert {point["method"] for point in output["points"]} == {"mdav", "untouched", "shuffled", "constant"}


def test_a_second_run_takes_what_the_first_left(run, people, schema, tmp_path):
    call = ("sweep", people, "--schema", schema, "--methods", "mdav", "--seeds", 1, "--out", tmp_path / "m", *QUICK)
    first = run(*call, "--json")
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "m" / "points").iterdir()}
    assert run(*call, "--json").json == first.json
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "m" / "points").iterdir()} == times


def test_a_grid_file_replaces_the_default_grid(run, people, schema, tmp_path):
    grid = tmp_path / "grid.toml"
    grid.write_text("[grid.mdav]\ngroup_size = [4]\n", encoding="utf-8")
    done = run("sweep", people, "--schema", schema, "--grid", grid, "--seeds", 1, "--quiet", *QUICK)
    assert done.out.split("\t")[0] == "mdav(group_size=4)"


def test_the_report_shows_the_release_on_the_map(run, people, schema, tmp_path):
    out, safe, recipe, page = tmp_path / "map", tmp_path / "safe.csv", tmp_path / "recipe.toml", tmp_path / "page.html"
    assert run("sweep", people, "--schema", schema, "--methods", "mdav", "--seeds", 1, "--out", out, *QUICK).code == 0
    made = run("protect", people, safe, "--schema", schema, "--method", "mdav:group_size=5", "--recipe-out", recipe)
    assert made.code == 0
    shown = run(
        "report", people, safe, page, "--schema", schema, "--recipe", recipe, "--map", out / "map.json", "--quiet"
    )
    assert shown.code == 0, shown.err
    html = page.read_text(encoding="utf-8")
    assert "Risk–utility map" in html
    assert "The ring marks the released setting: <strong>mdav(group_size=5)</strong>" in html


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--methods", "mdva"), "did you mean 'mdav'"),
        (("--methods", "mdav", "--seeds", "0"), "1 or more"),
        (("--methods", "mdav", "--seeds", "1", "--risk", "il1s"), "'il1s' is a loss; name a risk"),
        (("--methods", "mdav", "--seeds", "1", "--plot", "map.gif"), "neither .svg nor .png"),
    ],
)
def test_a_wrong_sweep_is_one_line(run, people, schema, options, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("sweep", people, "--schema", schema, *QUICK, *options)
    assert done.code == 2
    assert words in done.err and done.err.count("\n") == 1


def test_a_map_without_a_risk_is_refused_before_the_work(run, people, schema, tmp_path):
    out = tmp_path / "map"
    done = run("sweep", people, "--schema", schema, "--measure", "il1s", "--methods", "mdav", "--out", out)
    assert done.code == 2 and "no risk is among the measures" in done.err
    assert not out.exists()


def test_a_method_named_twice_is_tried_once_and_one_left_out_says_why(run, people, schema, tmp_path):
    call = ("sweep", people, "--schema", schema, "--seeds", 1, *QUICK)
    points = run(*call, "--methods", "mdav,mdav", "--json").json["points"]
    assert sum(point["method"] == "mdav" for point in points) == 3
    grid = tmp_path / "grid.toml"
    grid.write_text("[grid.mdav]\ngroup_size = [500]\n[grid.rank-swapping]\nwindow = [0.1]\n", encoding="utf-8")
    assert "mdav left out: needs at least 500 records" in " ".join(run(*call, "--grid", grid).out.split())


def test_tune_writes_the_recipe_that_protect_reads(run, people, schema, tmp_path):
    recipe, trail = tmp_path / "recipe.toml", tmp_path / "trail.jsonl"
    done = run(
        "tune", people, "--schema", schema, "--max-risk", 0.3, "--trials", 8, "--out", recipe, "--trail", trail, *TUNED
    )
    assert done.code == 0, done.err
    assert tomllib.loads(recipe.read_text(encoding="utf-8"))["steps"][0]["method"] == "mdav"
    assert len(trail.read_text(encoding="utf-8").splitlines()) == 8
    assert run("protect", people, tmp_path / "safe.csv", "--schema", schema, "--recipe", recipe).code == 0


def test_a_bound_that_nothing_keeps_says_the_lowest_risk_and_ends_with_1(run, people, schema, tmp_path):
    recipe = tmp_path / "recipe.toml"
    call = ("tune", people, "--schema", schema, "--max-risk", 0, "--trials", 4, "--out", recipe, *TUNED)
    done = run(*call)
    assert done.code == 1
    assert "lowest risk found" in done.out
    assert not recipe.exists()
    output = run(*call, "--json").json
    assert output["best"] is None and output["lowest_risk"]["risk"] > 0


def test_a_search_that_ended_too_early_does_not_say_that_nothing_is_safe(run, people, schema):
    options = [word if word != "1" or TUNED[place - 1] != "--draws" else "5" for place, word in enumerate(TUNED)]
    done = run("tune", people, "--schema", schema, "--max-risk", 0.9, "--trials", 2, *options)
    output = " ".join(done.out.split())
    assert done.code == 1 and "No recipe" not in output
    assert "ended before a recipe had met distance-linkage ≤ 90.0% in all draws" in output


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--seed", "-1"), "'--seed'"),
        (("--seed", str(2**32)), "'--seed'"),
        (("--loss", "distance-linkage"), "there is no loss 'distance-linkage'"),
        (("--risk", "il1"), "'il1' is a loss; name a risk"),
    ],
)
def test_a_wrong_search_is_one_line(run, people, schema, options, words):
    done = run("tune", people, "--schema", schema, "--max-risk", 0.5, "--trials", 2, *options)
    assert done.code == 2
    assert words in done.err and done.err.count("\n") == 1


def test_a_time_that_is_none_is_one_line(run, people):
    done = run("tune", people, "--max-risk", 0.1, "--budget", "soon")
    assert done.code == 2 and "90s" in done.err


def test_a_full_synthesis_without_a_figure_is_named_with_the_risk_that_it_has(run, people, schema):
    methods = ("--methods", "mdav,gaussian-copula", "--seeds", 1)
    done = run("sweep", people, "--schema", schema, *methods, *QUICK, "--measure", "il5")
    assert done.code == 0, done.err
    assert "gaussian-copula not on this map" in done.out and "--risk" in done.out
    alone = run(
        *("tune", people, "--schema", schema, "--methods", "gaussian-copula", "--max-risk", 0.5, "--trials", 2),
        *("--risk", "distance-linkage", "--loss", "il5", "--workers", 1),
    )
    assert alone.code == 2 and "bound another risk" in alone.err
