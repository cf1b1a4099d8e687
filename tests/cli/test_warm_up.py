"""`sdckit warm-up` compiles what a default run needs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_after_it_a_default_run_compiles_nothing(tmp_path: Path) -> None:
    def sdckit(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "sdckit", *arguments],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "compiled")},
        )

    first = sdckit("warm-up", "--json")
    assert json.loads(first.stdout)["compiled"] > 0
    assert first.stderr.count("compiling the kernels once") == 1
    sdckit("sample", "business", "firms.csv", "--records", "400", "--seed", "2")
    sdckit("describe", "firms.csv", "--schema-out", "schema.toml")
    files = ("--schema", "schema.toml", "--allow-undeclared")
    masked = sdckit("protect", "firms.csv", "safe.csv", *files, "--method", "mdav", "--key-out", "key")
    numbers = ("--attributes", "turnover,wages,materials", "--method", "mdav")
    sdckit("sample", "business", "many.csv", "--records", "40000", "--seed", "2")
    of_numbers = sdckit("protect", "many.csv", "numbers.csv", *files, *numbers)
    measured = sdckit("assess", "firms.csv", "safe.csv", "--schema", "schema.toml", "--key", "key")
    again = sdckit("warm-up")
    assert "compiling" not in masked.stderr + of_numbers.stderr + measured.stderr
    assert again.stdout == "All kernels of a default run are compiled already.\n"


def test_code_that_cannot_be_kept_is_reported_with_the_cure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from sdckit.cli import warm_up
    from sdckit.kernels.compiled import compilations

    def lose(*arguments: object, **named: object) -> None:
        compilations.lost += 1

    monkeypatch.setattr(compilations, "lost", 0)
    monkeypatch.setattr(warm_up, "_releases", lambda: ["release"])
    monkeypatch.setattr("sdckit.evaluation.assess.assess", lose)
    warm_up.warm_up(quiet=False)
    assert "cannot be kept: name a folder that you may write to in NUMBA_CACHE_DIR" in " ".join(
        capsys.readouterr().out.split()
    )
