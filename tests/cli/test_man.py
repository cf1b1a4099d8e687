"""The manual pages say what the help says."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from sdckit.cli.man import manual
from sdckit.cli.verb import every_verb


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return manual()


def plain(page: str) -> str:
    """A page without the marks of man."""
    lines = [re.sub(r"^\.(B|SH|SS|TP|PP|TH|nf|fi)\b", "", line) for line in page.split("\n")]
    return " ".join(" ".join(lines).replace("\\-", "-").replace("\\&", "").replace("\\e", "\\").split())


def test_every_verb_has_a_page_and_is_listed_in_the_first(pages: dict[str, str]) -> None:
    assert list(pages) == ["sdckit", *(f"sdckit-{name}" for name in every_verb())]
    for name in every_verb():
        assert f"sdckit-{name}" in plain(pages["sdckit"])


def test_a_page_has_what_the_help_has(run: Run, pages: dict[str, str]) -> None:
    page, shown = plain(pages["sdckit-protect"]), run("protect", "--help").out
    options = re.findall(r"^  (?:-\w, )?(--[a-z-]+)", shown, re.M)
    assert len(options) > 10 and all(option in page for option in options)
    assert "Identifiers are dropped; columns that no method masks are written unchanged." in page
    assert "EXIT STATUS 0 done or met, 1 a policy is not met, 2 a mistake that the user can mend" in page
    assert "EXAMPLE sdckit protect survey.csv safe.csv" in page


def test_pages_are_written_for_man_to_find(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "man1"
    assert run("man", "--out", folder).code == 0
    assert sorted(each.name for each in folder.iterdir()) == sorted(
        f"sdckit{each}.1" for each in ["", *(f"-{name}" for name in every_verb())]
    )
    again = run("man", "--out", folder)
    assert again.code == 2 and "--force" in again.err
    assert run("man", "gate").out.strip() == (folder / "sdckit-gate.1").read_text(encoding="utf-8").strip()
    unknown = run("man", "gat")
    assert unknown.code == 2 and "did you mean 'gate'" in unknown.err


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_groff_reads_the_pages_without_a_warning(pages: dict[str, str]) -> None:
    for page in pages.values():
        done = subprocess.run(
            ["groff", "-man", "-Tutf8", "-K", "utf8", "-ww"], input=page, capture_output=True, text=True
        )
        assert done.returncode == 0 and done.stderr == ""
