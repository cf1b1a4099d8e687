"""Each screen, without a browser: what is clicked becomes a run, and the run is the release."""

import stat
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from sdckit import Run, protect, read
from sdckit.datasets import simulate_survey
from sdckit.digest import content_digest
from sdckit.files import write
from sdckit.intruder import Intruder
from sdckit.microdata import Microdata, Role
from sdckit.progress import NoProgress
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.web.code import code_of
from sdckit.web.figures import first_figures
from sdckit.web.tasks import made_release
from tests.web.conftest import HOST, Steward, written

SCREENS = ("open", "describe", "mask", "step", "attack", "weigh", "compare", "decide", "strip", "code", "found")


@pytest.fixture
def masked(steward: Steward, survey: Path) -> str:
    """The address of a state with one step, on few keys so that it is quick."""
    state = steward.open(survey)
    for column in ("region", "marital", "education"):
        state = steward.do(f"{state}/role", column=column, role="other").partition("/describe")[0]
    return steward.do(f"{state}/apply", method="rank-swapping", **{"p:window": "0.1"}).rpartition("/")[0]


def test_every_screen_of_a_masked_file_is_shown(steward: Steward, masked: str) -> None:
    for screen in SCREENS:
        page = steward.see(f"{masked}/{screen}")
        assert "sdckit itself failed" not in page
    assert "rank-swapping" in steward.see(f"{masked}/mask")
    assert 'data-state="firm"' in steward.see(f"{masked}/strip")


@pytest.mark.slow
def test_a_click_path_and_its_code_give_the_same_release(steward: Steward, masked: str, tmp_path: Path) -> None:
    workspace = steward.app.state.workspace
    state = workspace.state(int(masked.rpartition("/")[2]))
    clicked = content_digest(workspace.release(state).masked, ordered=True)
    code = code_of(state, workspace.store.seed_path(state.file.id))
    (tmp_path / "run.toml").write_text(code.toml, encoding="utf-8")
    (tmp_path / "run.py").write_text(
        code.python + "from sdckit.digest import content_digest\nprint(content_digest(release.masked, ordered=True))\n",
        encoding="utf-8",
    )
    python = subprocess.run([sys.executable, "run.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert python.stdout.strip() == clicked
    shell = code.shell.replace("sdckit ", f"{sys.executable} -m sdckit ")
    subprocess.run(["bash", "-euc", shell], cwd=tmp_path, capture_output=True, check=True)
    written = read(tmp_path / "survey-masked.csv", mixtures=True)
    assert content_digest(written, ordered=True) == clicked


def test_the_run_of_a_state_makes_its_release(steward: Steward, masked: str) -> None:
    workspace = steward.app.state.workspace
    state = workspace.state(int(masked.rpartition("/")[2]))
    run = Run.from_dict(tomllib.loads(state.node.run))
    again = protect(read(state.file.path, run.schema), run.recipe, seed=workspace.store.seed(state.file.id))
    assert not again.guessable_seed
    clicked = workspace.release(state)
    assert content_digest(again.masked, ordered=True) == content_digest(clicked.masked, ordered=True)


@pytest.mark.slow
def test_undo_leads_back_and_every_branch_stays(steward: Steward, masked: str) -> None:
    first = steward.do(f"{masked}/apply", method="additive-noise").rpartition("/")[0]
    again = steward.do(f"{masked}/apply", method="rounding").rpartition("/")[0]
    page = steward.see(f"{again}/mask")
    assert f'id="undo" href="{masked}/mask"' in page
    assert f'href="{first}/mask"' in page
    assert f'id="redo" href="{again}/mask"' in steward.see(f"{masked}/mask")


@pytest.mark.slow
def test_the_same_change_again_is_the_same_state(steward: Steward, masked: str) -> None:
    one, two = (steward.do(f"{masked}/apply", method="rounding") for _ in range(2))
    assert one == two


@pytest.mark.slow
def test_a_mistake_in_a_form_says_what_is_accepted(steward: Steward, masked: str) -> None:
    assert "window" in steward.do(f"{masked}/apply", method="rank-swapping", **{"p:window": "7"})
    assert "not valid TOML" in steward.do(f"{masked}/load", toml="[[steps")


@pytest.mark.slow
def test_a_server_that_was_ended_goes_on_where_it_was(make: Callable[..., Steward], survey: Path) -> None:
    before = make("again")
    state = before.open(survey)
    state = before.do(f"{state}/apply", method="rounding", attributes="age").rpartition("/")[0]
    workspace = before.app.state.workspace
    number = int(state.rpartition("/")[2])
    digest = content_digest(workspace.release(workspace.state(number)).masked, ordered=True)
    after = make("again")
    assert after.open(survey) == state
    after.see(f"{state}/mask")
    workspace = after.app.state.workspace
    assert content_digest(workspace.release(workspace.state(number)).masked, ordered=True) == digest
    assert list(next(iter(workspace.jobs.jobs.values())).results) == ["release"]  # the figures were kept


@pytest.mark.slow
def test_an_attack_a_policy_both_reports_and_a_publication(steward: Steward, masked: str, tmp_path: Path) -> None:
    steward.do(f"{masked}/attack", known=["age", "sex"], records="1", knows_method="yes")
    found = steward.see(f"{masked}/found")
    assert "re-identified" in found and "knows the method" in found
    state = steward.do(f"{masked}/rule", measure="distance-linkage", max="1").rpartition("/")[0]
    assert "1/1 ✓" in steward.see(f"{state}/strip")
    steward.do(f"{state}/decide")
    assert "Internal edition" in steward.see(f"{state}/report/internal")
    assert "Public edition" in steward.see(f"{state}/report/public")
    steward.do(f"{state}/publish", folder=str(tmp_path / "release"), key=str(tmp_path / "release.key"), format=".csv")
    assert {"data.csv", "recipe.toml", "statement.json", "report-public.html"} <= {
        path.name for path in (tmp_path / "release").iterdir()
    }
    steward.do(f"{state}/export", out=str(tmp_path / "masked.csv"))
    assert (tmp_path / "masked.csv").exists() and (tmp_path / "masked.key").exists()
    assert "Written to" in steward.see(f"{state}/decide")


@pytest.mark.slow
def test_a_sweep_makes_a_map_to_branch_from(steward: Steward, masked: str) -> None:
    steward.do(f"{masked}/sweep", methods=["rank-swapping", "rounding"], seeds="1", share="1")
    page = steward.see(f"{masked}/weigh")
    assert "The frontier" in page
    settings = steward.client.get(f"{masked}/settings").json()
    chosen = steward.do(f"{masked}/choose", steps=next(iter(settings.values())))
    assert chosen.endswith("/mask")
    assert "Within" in steward.see(f"{masked}/best?bound=1")


def test_a_window_of_the_data_that_is_none_is_refused(steward: Steward, survey: Path) -> None:
    state = steward.open(survey)
    for window in ("y0=NaN&y1=3", "y0=-1&y1=3", "x0=1.5", "view=everything"):
        answer = steward.client.get(f"{state}/cells?{window}")
        assert answer.status_code == 404
        assert "sdckit itself failed" not in answer.text


@pytest.mark.slow
def test_a_graph_is_described_masked_and_compared_by_its_links(steward: Steward, tmp_path: Path) -> None:
    path = tmp_path / "friends.edges"
    path.write_text("".join(f"{node} {(node * 7 + 3) % 40}\n{node} {(node + 1) % 40}\n" for node in range(40)))
    state = steward.open(path)
    assert "A graph of 40 nodes" in steward.see(f"{state}/describe")
    assert "k-degree-anonymity" in steward.see(f"{state}/step")
    state = steward.do(f"{state}/apply", method="edge-switching").rpartition("/")[0]
    cells = steward.client.get(f"{state}/cells?view=changes&x1=5&y1=5").json()
    assert cells["names"][0] == "degree" and cells["rows"] == 40
    for screen in ("mask", "attack", "compare", "decide", "weigh"):
        assert "sdckit itself failed" not in steward.see(f"{state}/{screen}")
    steward.do(f"{state}/attack", knows_method="yes", records="1")
    assert "re-identified" in steward.see(f"{state}/found")


@pytest.mark.slow
def test_a_synthetic_release_is_shown_in_its_own_order_and_measured_by_attacks_on_such_files(
    steward: Steward, survey: Path
) -> None:
    state = steward.open(survey)
    state = steward.do(f"{state}/role", column="household", role="identifier").partition("/describe")[0]
    state = steward.do(f"{state}/apply", method="gaussian-copula", attributes=["age", "income"]).rpartition("/")[0]
    page = steward.see(f"{state}/mask")
    assert "no row belongs to a record" in page or "What changed" in page
    assert steward.client.get(f"{state}/cells?view=masked&x1=5&y1=5").status_code == 200
    assert 'data-state="firm"' in steward.see(f"{state}/strip")
    assert "sdckit itself failed" not in steward.see(f"{state}/compare")
    lab = steward.see(f"{state}/attack")
    assert "Attacks on synthetic data" in lab and "singling-out" in lab and 'id="lab"' not in lab


@pytest.mark.slow
def test_every_masking_of_the_catalogue_has_a_form_that_builds_it(steward: Steward, survey: Path) -> None:
    from sdckit.catalogue import entries
    from sdckit.web.forms import built_from, fields_of

    for entry in entries("masking"):
        example = dict(getattr(entry.component, "example", {}))
        shown = {field.name: field.value for field in fields_of(entry, example) if field.value not in ("", "false")}
        assert built_from(entry, shown) == entry.build(**example), entry.name


@pytest.mark.slow
def test_a_file_is_uploaded_for_its_owner_and_removed_at_the_end(make: Callable[..., Steward], survey: Path) -> None:
    steward = make()
    headers = {"origin": HOST, "x-csrf-token": steward.access.csrf, "hx-request": "true"}
    with steward.client as client:
        answer = client.post("/upload", files={"file": ("survey.csv", survey.read_bytes())}, headers=headers)
        state = answer.headers["hx-redirect"].rpartition("/")[0]
        assert "survey.csv" in client.get(f"{state}/describe").text
        (path,) = steward.app.state.workspace.uploads
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()


@pytest.mark.slow
def test_roles_hierarchies_and_edits_become_the_schema(steward: Steward, survey: Path) -> None:
    state = steward.open(survey)

    def changed(address: str, **fields: str) -> str:
        return steward.do(f"{state}/{address}", **fields).partition("/describe")[0]

    state = changed("role", column="region", role="confidential")
    state = changed("hierarchy", column="age", how="intervals", **{"h:intervals:intervals": "5, 10"})
    state = changed("edits", edits="0 <= age <= 130")
    schema = steward.app.state.workspace.state(int(state.rpartition("/")[2])).run.schema
    assert schema.attributes["region"].role is Role.CONFIDENTIAL
    assert schema.attributes["age"].hierarchy == {"intervals": [5, 10]}
    assert [str(edit) for edit in schema.edits] == ["0 <= age <= 130"]
    values = ["divorced", "married", "single", "widowed"]
    groups = ["not married", "married", "not married", "not married"]
    answer = steward.do(f"{state}/hierarchy", column="marital", how="groups", value=values, group=groups)
    state = answer.partition("/describe")[0]
    data = steward.app.state.workspace.data(steward.app.state.workspace.state(int(state.rpartition("/")[2])))
    assert data.attribute("marital").hierarchy.ancestors("single")[1] == "not married"
    assert "is not a column" in steward.do(f"{state}/edits", edits="nobody >= 0")


@pytest.mark.slow
def test_the_levels_of_a_hierarchy_are_shown_once_it_is_declared(steward: Steward, survey: Path) -> None:
    state = steward.open(survey)
    answer = steward.do(
        f"{state}/hierarchy",
        column="age",
        how="breaks",
        **{"h:breaks:breaks": "0, 30, 60", "h:breaks:labels": "young, middle, old"},
    )
    page = steward.see(answer)
    assert "Hierarchy (declared)" in page and "breaks = [" in page.replace("&#34;", '"')
    assert all(f"<td>{label}</td>" in page for label in ("young", "middle", "old"))


def test_every_role_has_a_letter_of_its_own() -> None:
    from sdckit.web.pages.describe import ROLE_HELP, ROLE_KEYS, ROLES

    assert set(ROLE_KEYS) == set(ROLE_HELP) == set(ROLES)
    assert len(set(ROLE_KEYS.values())) == len(ROLES) and "c" not in ROLE_KEYS.values()  # c shows the code


@pytest.mark.slow
def test_the_palette_leads_to_every_column_and_method(steward: Steward, survey: Path) -> None:
    from sdckit.catalogue import entries

    state = steward.open(survey)
    found = steward.client.get(f"{state}/commands").json()
    assert {each["label"] for each in found if each["hint"] == "column"} >= {"age", "income"}
    methods = {each["label"] for each in found if each["hint"] == "method"}
    assert methods == {entry.name for entry in entries("masking") if entry.domain is Microdata}
    for each in (found[0], found[-1]):
        assert "sdckit itself failed" not in steward.see(each["go"])


@pytest.mark.slow
def test_the_recipe_of_an_earlier_file_is_taken_after_a_look_at_the_drift(
    steward: Steward, masked: str, tmp_path: Path
) -> None:
    later = written(simulate_survey(110, seed=2), tmp_path / "later.csv")
    state = steward.open(later)
    earlier = steward.app.state.workspace.state(int(masked.rpartition("/")[2])).file.id
    assert "Use its recipe" in steward.see(f"{state}/series?earlier={earlier}")
    taken = steward.do(f"{state}/series", earlier=earlier).rpartition("/")[0]
    run = steward.app.state.workspace.state(int(taken.rpartition("/")[2])).run
    assert [step.masking.name for step in run.recipe.steps] == ["rank-swapping"]
    assert run.schema.attributes["region"].role is Role.OTHER  # as it was set for the earlier file


@pytest.mark.slow
def test_a_recipe_is_refused_where_a_column_that_it_masks_is_missing(
    steward: Steward, masked: str, tmp_path: Path
) -> None:
    later = written(simulate_survey(110, seed=2).without(["age"]), tmp_path / "later.csv")
    state = steward.open(later)
    earlier = steward.app.state.workspace.state(int(masked.rpartition("/")[2])).file.id
    assert "column is missing" in steward.see(f"{state}/series?earlier={earlier}")
    assert "rename the column" in steward.do(f"{state}/series", earlier=earlier)


@pytest.mark.slow
def test_the_code_of_a_state_has_the_intruder_that_was_saved(steward: Steward, masked: str) -> None:
    state = steward.do(f"{masked}/intruder", known=["age", "sex"], records="0.5").rpartition("/")[0]
    workspace = steward.app.state.workspace
    stored = workspace.state(int(state.rpartition("/")[2]))
    code = code_of(stored, workspace.store.seed_path(stored.file.id))
    assert "--attributes age --attributes sex --records 0.5 --no-knows-method" in code.shell


@pytest.mark.slow
def test_several_other_releases_are_used_together(steward: Steward, masked: str, tmp_path: Path) -> None:
    workspace = steward.app.state.workspace
    release = workspace.release(workspace.state(int(masked.rpartition("/")[2])))
    paths = [tmp_path / f"other{number}.csv" for number in (1, 2)]
    for number, path in enumerate(paths):
        write(protect(release.original, "additive-noise:variance_share=0.2", seed=number).masked, path)
    listed = "\n".join(str(path) for path in paths)
    steward.do(f"{masked}/attack", known=["age", "sex"], records="1", other_file=listed, other_in_order="yes")
    assert "re-identified" in steward.see(f"{masked}/found")


def test_a_first_figure_is_of_the_first_measure_that_applies() -> None:
    plain = made_release(simulate_survey(60, seed=1).only(["age", "sex"]), None, 1, NoProgress())
    (figures,) = first_figures(plain, Intruder(), 20, NoProgress())
    assert "informed-intruder" in figures["skipped"]  # of an unmasked file no method is known
    assert [len(figures[kind]) for kind in ("risks", "losses")] == [1, 1]
    assert figures["worst"]["name"] == "ordinary-intruder" and figures["worst"]["attacked"] == 20


def test_a_first_figure_is_a_lower_bound_until_families_are_attacked() -> None:
    made = protect(simulate_survey(60, seed=1).only(["age", "sex", "household"]), "rounding", seed=1)
    alone, families = first_figures(made, Intruder(), 20, NoProgress())
    assert alone["lower_bound"] and not families["lower_bound"]
    assert {each["name"] for each in families["risks"]} == {"informed-intruder", "household-intruder"}
    assert families["worst"]["value"] >= alone["worst"]["value"]


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["rank-swapping:window=0.05", "additive-noise:variance_share=0.1", "mdav"])
def test_a_first_figure_is_off_by_chance_alone(recipe: str) -> None:
    """Whom the figure is of is a simple random sample: no bias, as a sample of the file would have.

    A 95 % interval misses one share in twenty, so the test allows four standard errors: one file in 16,000.
    """
    data = simulate_survey(3000, seed=3).only(["age", "sex", "region", "income"])
    made = protect(data.with_roles(income=Role.KEY), recipe, seed=3)
    (figures,) = first_figures(made, Intruder(), 200, NoProgress())
    everybody = InformedIntruder(targets=0).measure(made)
    assert figures["worst"]["attacked"] == 200 and everybody.details["records_attacked"] == 3000
    error = (everybody.value * (1 - everybody.value) / 200) ** 0.5
    assert abs(figures["worst"]["value"] - everybody.value) <= 4 * error
