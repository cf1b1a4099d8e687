"""The code of a state repeats every kind of click path: schemas, recipes, maps, graphs, syntheses, labels, releases."""

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sdckit.cli import main
from sdckit.datasets import simulate_survey
from sdckit.digest import content_digest
from sdckit.web.code import Code, code_of
from sdckit.web.workspace import State
from tests.web.conftest import Steward, written

pytestmark = pytest.mark.slow
Clicks = Callable[[Steward, str], str]
RECIPE = '[[steps]]\nmethod = "rank-swapping"\nattributes = ["age"]\nwindow = 0.1\n'


def then(steward: Steward, address: str, **fields: Any) -> str:
    """The state after a click."""
    answer = steward.do(address, **fields)
    assert answer.startswith("/n/"), answer
    return "/".join(answer.split("?")[0].split("/")[:3])


def by_groups(steward: Steward, state: str) -> str:
    values = ["divorced", "married", "single", "widowed"]
    groups = ["not married", "married", "not married", "not married"]
    state = then(steward, f"{state}/hierarchy", column="marital", how="groups", value=values, group=groups)
    return then(steward, f"{state}/apply", method="global-recoding", attributes="marital")


def by_breaks(steward: Steward, state: str) -> str:
    fields = {"h:breaks:breaks": "0, 30, 60", "h:breaks:labels": "young, middle, old"}
    state = then(steward, f"{state}/role", column="age", kind="partially-ordered")
    state = then(steward, f"{state}/hierarchy", column="age", how="breaks", **fields)
    return then(steward, f"{state}/apply", method="global-recoding", attributes="age")


def by_edits(steward: Steward, state: str) -> str:
    state = then(steward, f"{state}/edits", edits="0 <= age <= 130")
    return then(steward, f"{state}/apply", method="additive-noise", attributes="age")


def by_recipe(steward: Steward, state: str) -> str:
    return then(steward, f"{state}/load", toml=RECIPE)


def by_map(steward: Steward, state: str) -> str:
    steward.do(f"{state}/sweep", methods=["rank-swapping"], seeds="1", share="1")
    settings = steward.client.get(f"{state}/settings").json()
    return then(steward, f"{state}/choose", steps=next(iter(settings.values())))


def by_synthesis(steward: Steward, state: str) -> str:
    state = then(steward, f"{state}/role", column="household", role="identifier")
    return then(steward, f"{state}/apply", method="gaussian-copula", attributes=["age", "income"])


def by_two_steps_and_one_removed(steward: Steward, state: str) -> str:
    state = then(steward, f"{state}/apply", method="rounding", attributes="age")
    state = then(steward, f"{state}/apply", method="pram", attributes="sex")
    return then(steward, f"{state}/remove/0")


def state_of(steward: Steward, address: str) -> State:
    state: State = steward.app.state.workspace.state(int(address.rpartition("/")[2]))
    return state


def code_and_digest(steward: Steward, address: str) -> tuple[Code, str]:
    steward.see(f"{address}/mask")  # which makes the release
    workspace, state = steward.app.state.workspace, state_of(steward, address)
    release = workspace.release(state)
    assert release is not None
    return code_of(state, workspace.store.seed_path(state.file.id)), content_digest(release.masked, ordered=True)


def by_python(code: Code, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The digest of the release that the Python makes, without the measures that follow."""
    monkeypatch.chdir(folder)
    Path("run.toml").write_text(code.toml, encoding="utf-8")
    lines = code.python.splitlines()
    names: dict[str, Any] = {}
    exec("\n".join(lines[: next(at for at, line in enumerate(lines) if "protect(" in line) + 1]), names)
    return content_digest(names["release"].masked, ordered=True)


def by_shell(code: Code, folder: Path, monkeypatch: pytest.MonkeyPatch, verbs: set[str]) -> Path:
    """Run some of the commands; the masked file that they write."""
    monkeypatch.chdir(folder)
    Path("run.toml").write_text(code.toml, encoding="utf-8")
    out = Path()
    for line in code.shell.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words and words[1] in verbs:
            filled = [Path(word[6:-1]).read_text().strip() if word.startswith("$(cat ") else word for word in words[1:]]
            assert main(filled) == 0, line
            out = folder / words[3] if words[1] == "protect" else out
    return out


@pytest.mark.parametrize(
    "path",
    [by_groups, by_breaks, by_edits, by_recipe, by_map, by_synthesis, by_two_steps_and_one_removed],
    ids=lambda path: path.__name__,
)
def test_python_and_commands_make_the_release_that_was_clicked(
    path: Clicks, steward: Steward, survey: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sdckit import read

    address = path(steward, steward.open(survey))
    code, clicked = code_and_digest(steward, address)
    assert by_python(code, tmp_path, monkeypatch) == clicked
    out = by_shell(code, tmp_path, monkeypatch, {"protect"})
    assert content_digest(read(out, mixtures=True), ordered=True) == clicked


def test_a_graph_is_repeated(steward: Steward, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "friends.edges"
    path.write_text("".join(f"{node} {(node * 7 + 3) % 40}\n{node} {(node + 1) % 40}\n" for node in range(40)))
    address = then(steward, f"{steward.open(path)}/apply", method="edge-randomisation")
    code, clicked = code_and_digest(steward, address)
    assert by_python(code, tmp_path, monkeypatch) == clicked


def test_a_file_with_labels_is_repeated(steward: Steward, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyreadstat = pytest.importorskip("pyreadstat", reason="SPSS files need pyreadstat: pip install 'sdckit[spss]'")
    frame = pl.DataFrame({"sex": [1.0, 2.0] * 30, "age": [float(20 + n % 40) for n in range(60)]})
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(
        frame, str(path), variable_value_labels={"sex": {1.0: "male", 2.0: "female"}}, column_labels=["Sex", "Age"]
    )
    state = steward.open(path)
    assert "female" in steward.see(f"{state}/describe?column=sex")
    address = then(steward, f"{state}/apply", method="rank-swapping", attributes="age", **{"p:window": "0.1"})
    code, clicked = code_and_digest(steward, address)
    assert by_python(code, tmp_path, monkeypatch) == clicked


def test_an_attack_and_a_publication_are_repeated_by_the_commands(
    steward: Steward, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = simulate_survey(120, seed=1).without(["household", "weight", "marital", "education", "region"])
    state = steward.open(written(data, tmp_path / "survey.csv"))
    state = then(steward, f"{state}/apply", method="rank-swapping", **{"p:window": "0.1"})
    known = {"known": ["age", "sex"], "records": "0.5", "noise": "0.25", "missing": "0.1", "knows_method": "yes"}
    state = then(steward, f"{state}/intruder", **known)
    state = then(steward, f"{state}/rule", measure="distance-linkage", max="1")
    steward.do(f"{state}/attack", **known)
    attack = steward.app.state.workspace.results.get(
        f"attack {state.rpartition('/')[2]} {state_of(steward, state).fingerprint}"
    )["attack"]
    steward.do(f"{state}/publish", folder=str(tmp_path / "clicked"), key=str(tmp_path / "clicked.key"), format=".csv")
    code, _ = code_and_digest(steward, state)
    folder = tmp_path / "replay"
    folder.mkdir()
    by_shell(code, folder, monkeypatch, {"protect", "gate", "publish"})
    clicked, replayed = (
        json.loads((path / "statement.json").read_text(encoding="utf-8"))
        for path in (tmp_path / "clicked", folder / "survey-release")
    )
    assert clicked["digest"] == replayed["digest"]
    assert sorted(os.listdir(tmp_path / "clicked")) == sorted(os.listdir(folder / "survey-release"))
    capsys.readouterr()
    shell = Code(code.toml, code.shell.replace("sdckit attack", "sdckit attack --json --quiet"), code.python)
    by_shell(shell, folder, monkeypatch, {"attack"})
    repeated = json.loads(capsys.readouterr().out)
    assert repeated["informed"]["value"] == attack.informed.value
    assert repeated["ordinary"]["value"] == attack.ordinary.value
    assert [each["attribute"] for each in repeated["worth_of_attributes"]] == [each.attribute for each in attack.worth]
