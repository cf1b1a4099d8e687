"""What the app shows and takes is about the file, the policy and the version that are there now."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sdckit.web import workspace as workspaces
from sdckit.web.store import Store
from sdckit.web.workspace import UPLOADS, Workspace
from tests.web.conftest import JobsAtOnce, Steward

RULE = '[[rules]]\nmeasure = "uniqueness"\nmax = 0.5\n'


def test_figures_of_a_file_that_changed_on_disk_are_not_shown(make: Callable[..., Steward], survey: Path) -> None:
    first = make()
    state = first.open(survey)
    first.see(f"{state}/describe")
    survey.write_text(survey.read_text(encoding="utf-8").replace("North", "South"), encoding="utf-8")
    again = make()
    assert "has changed since it was opened" in again.see(f"{state}/decide", 404)
    assert again.open(survey) != state


@pytest.mark.parametrize("limit", ["5", "inf", "nan", "-1"])
def test_a_limit_that_checks_nothing_is_refused(steward: Steward, survey: Path, limit: str) -> None:
    state = steward.open(survey)
    shown = steward.do(f"{state}/rule", measure="uniqueness", max=limit)
    assert "/n/" not in shown.splitlines()[0] and ("share" in shown or "limit" in shown or "number" in shown), shown


def test_the_intruder_of_a_policy_is_taken_with_its_rules(steward: Steward, survey: Path) -> None:
    state = steward.open(survey)
    there = steward.do(f"{state}/policy", toml=f'[intruder]\nattributes = ["age"]\n\n{RULE}')
    run = steward.app.state.workspace.state(int(there.split("/")[2])).run
    assert run.policy is not None and run.policy.intruder.attributes == run.intruder.attributes == ("age",)
    for table in ("[rule]\nmax = 1\n", "max = 0\n"):
        assert "/n/" not in steward.do(f"{state}/policy", toml=table + RULE).splitlines()[0]


def test_results_of_another_version_are_not_believed(
    steward: Steward, survey: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = steward.app.state.workspace
    state = app.state(int(steward.open(survey).split("/")[2]))
    app.store.keep(state.measured_as, "strip", {"state": "firm"})
    assert app.store.kept(app.state(state.node.id).measured_as, "strip") is not None
    monkeypatch.setattr(workspaces.sdckit, "__version__", "another")
    assert app.store.kept(app.state(state.node.id).measured_as, "strip") is None


KILLED = """
import os, sys
from pathlib import Path
from sdckit.web.jobs import Jobs
from sdckit.web.store import Store
from sdckit.web.workspace import Workspace
made = Workspace(Store(Path(sys.argv[1])), Jobs())
path = made.upload_path(".csv")
path.write_text("name\\nAda\\n", encoding="utf-8")
print(path, flush=True)
os.kill(os.getpid(), 9)
"""


def test_uploads_of_a_server_that_was_killed_are_removed_by_the_next(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    killed = subprocess.run([sys.executable, "-c", KILLED, str(folder)], capture_output=True, text=True, check=False)
    assert killed.returncode == -9, killed.stderr
    left = Path(killed.stdout.strip())
    assert left.exists() and left.parent.stat().st_mode & 0o777 == 0o700
    store = Store(folder)
    Workspace(store, JobsAtOnce())
    store.close()
    assert not left.exists() and not list((folder / UPLOADS).iterdir())
