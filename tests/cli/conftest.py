"""The command line, run in this process, and small files to run it on."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sdckit.cli import main


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `sdckit …` and give its exit code and what it printed."""

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main([str(each) for each in arguments])
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return run


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Sixty people with a name, an age, an income whose name has a comma, and a region."""
    rng = np.random.default_rng(7)
    lines = ['name,age,"income, net",region']
    for number, age in enumerate(rng.integers(18, 90, 60)):
        lines.append(f"person {number},{age},{rng.lognormal(7, 0.5):.2f},{rng.choice(list('NSEW'))}")
    path = tmp_path / "people.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """What is known of those people."""
    path = tmp_path / "schema.toml"
    path.write_text(
        '[attributes.name]\nrole = "identifier"\n\n[attributes.age]\nrole = "key"\n\n'
        '[attributes."income, net"]\nrole = "key"\n\n[attributes.region]\nrole = "other"\n',
        encoding="utf-8",
    )
    return path
