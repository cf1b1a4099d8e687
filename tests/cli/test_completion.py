"""A shell completes verbs, names of the catalogue with their parameters, and the columns of the file on the line."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from sdckit.catalogue import find, names
from sdckit.cli import main
from sdckit.cli.completion import SCRIPTS
from sdckit.cli.completion_values import header_of


@pytest.fixture
def complete(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], people: Path):
    """What follows a line, in the folder with the file people.csv."""
    monkeypatch.chdir(people.parent)

    def complete(line: str) -> list[str]:
        monkeypatch.setenv("_SDCKIT_COMPLETE", line)
        capsys.readouterr()
        assert main([]) == 0
        return [each.partition("\t")[0] for each in capsys.readouterr().out.split("\n") if each]

    return complete


def test_verbs_and_options(complete) -> None:
    assert complete("sdckit pr") == ["protect"]
    assert "--schema-out" in complete("sdckit describe people.csv --sch")


def test_methods_and_their_parameters(complete) -> None:
    expected = [name for name in names("masking") if name.startswith("rank-")]
    assert complete("sdckit protect people.csv out.csv --method rank-") == expected
    parameters = [each.name for each in find("masking", "local-suppression").parameters]
    line = "sdckit protect people.csv out.csv --method local-suppression:"
    assert complete(line) == [f"local-suppression:{each}=" for each in parameters]
    assert complete(f"{line}group_size=3,") == [
        f"local-suppression:group_size=3,{each}=" for each in parameters if each != "group_size"
    ]
    assert complete("sdckit protect people.csv out.csv --method no-such:") == []


def test_measures_and_names(complete) -> None:
    assert complete("sdckit assess people.csv out.csv --measure il") == [
        name for name in names("loss") if name.startswith("il")
    ]
    assert complete("sdckit show mda") == ["mdav"]
    assert complete("sdckit sample b") == ["billing", "business"]
    assert "projected-microaggregation" in complete("sdckit reproduce pro")


def test_columns_of_the_file_on_the_line(complete) -> None:
    assert complete("sdckit protect people.csv out.csv --attributes ") == ["name", "age", "income, net", "region"]
    assert complete("sdckit protect people.csv out.csv --attributes age,reg") == ["age,region"]
    assert complete("sdckit protect people.csv out.csv --attributes=ag") == ["--attributes=age"]
    assert complete("sdckit protect nofile.csv out.csv --attributes a") == []


def test_a_file_that_cannot_be_read_has_no_columns(tmp_path: Path) -> None:
    for name in ("a.csv", "a.parquet", "a.sav", "a.xyz"):
        (tmp_path / name).write_bytes(b"\xff\xfe\x00")
        assert not header_of(tmp_path / name)


def test_columns_of_a_file_in_an_older_encoding_are_completed(complete, people: Path) -> None:
    people.write_bytes("town;größe;größer\nZürich;1;2\n".encode("cp1252"))
    assert complete("sdckit protect people.csv out.csv --attributes gr") == ["größe", "größer"]


@pytest.mark.parametrize("shell", SCRIPTS)
def test_each_shell_has_a_script_that_calls_sdckit(run: Run, shell: str) -> None:
    done = run("completion", shell)
    assert done.code == 0 and "_SDCKIT_COMPLETE" in done.out
    refused = run("completion", "bsh")
    assert refused.code == 2 and "did you mean 'bash'" in refused.err


@pytest.mark.slow  # starts bash and sdckit three times
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_words_with_colons_and_equals_signs(people: Path, tmp_path: Path) -> None:
    """bash takes what follows a colon as a word of its own, so that this alone may be returned."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "sdckit"
    command.write_text(f'#!/bin/bash\nexec "{sys.executable}" -m sdckit "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    lines = ["sdckit protect people.csv o.csv --method mdav:gr", "sdckit protect people.csv o.csv --attributes=ag"]
    asks = "".join(
        f"COMP_LINE='{line}'; COMP_POINT={len(line)}; _sdckit_completion 2>/dev/null; echo \"${{COMPREPLY[*]}}\"\n"
        for line in lines
    )
    script = f'export PATH="{command.parent}:$PATH"\neval "$(sdckit completion bash)"\n{asks}'
    done = subprocess.run(["bash", "-c", script], cwd=people.parent, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["group_size=", "age"]
