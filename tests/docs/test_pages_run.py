"""Every page runs: its blocks, one after the other, in an empty folder."""

import re
import shutil
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.conftest import reference_file

from .code_blocks import blocks, commands, problems

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"  # its code is run by a test of its own
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
RUN = ("python", "pycon", "console")


def runs(page: Path) -> bool:
    return page != README and any(block.language in RUN for block in blocks(page.read_text(encoding="utf-8")))


NEEDS = re.compile(r"<!-- needs (\S+) -->")  # a reference file that a page starts from
LONG = "<!-- runs long -->"  # a page that attacks several releases or compiles much


def marked(page: Path) -> ParameterSet:
    text = page.read_text(encoding="utf-8")
    slow = LONG in text or NEEDS.search(text)
    return pytest.param(page, id=str(page.relative_to(ROOT)), marks=[pytest.mark.slow] if slow else [])


@pytest.mark.parametrize("page", [marked(page) for page in PAGES if runs(page)])
def test_the_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    text = page.read_text(encoding="utf-8")
    for name in NEEDS.findall(text):
        shutil.copy(reference_file("data", name), tmp_path)
    assert problems(text, str(page.relative_to(ROOT)), tmp_path) == []


MASKED_WITH_A_SEED = re.compile(r"sdckit protect [^$]*--seed|protect\([^\n]*\bseed=")
SIMULATED = re.compile(r"simulate_\w+\([^)]*\)")  # the seed of a generated file protects nothing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_that_masks_with_a_seed_says_that_it_can_be_guessed(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if any(MASKED_WITH_A_SEED.search(SIMULATED.sub("", block.code)) for block in blocks(text)):
        assert "guess" in text and "sdckit publish " not in "".join(block.code for block in blocks(text))


def test_a_wrong_result_is_noticed(tmp_path: Path) -> None:
    (problem,) = problems("```pycon\n>>> 1 + 1\n3\n```", "page", tmp_path)
    assert "Expected" in problem


def test_a_command_that_fails_is_noticed(tmp_path: Path) -> None:
    (problem,) = problems("```console\n$ sdckit lisst\n```", "page", tmp_path)
    assert "did you mean 'list'" in problem


def test_outdated_output_is_noticed(tmp_path: Path) -> None:
    assert problems("```console\n$ sdckit list masking\nmdav\n…\n```", "page", tmp_path) == []
    (problem,) = problems("```console\n$ sdckit list masking\nmdaav\n```", "page", tmp_path)
    assert "'mdaav' is not what it prints" in problem


def test_figures_that_vary_are_compared_without_their_digits(tmp_path: Path) -> None:
    page = "<!-- figures vary -->\n\n```console\n$ sdckit --version\nsdckit 99.1\n```"
    assert problems(page, "page", tmp_path) == []
    (problem,) = problems(page.replace("sdckit 99.1", "sdkit 99.1"), "page", tmp_path)
    assert "is not what it prints" in problem


def test_blocks_under_a_tab_are_found() -> None:
    page = '=== "Python"\n\n    ```python\n    x = 1\n    ```\n'
    assert [block.code for block in blocks(page)] == ["x = 1\n"]


def test_a_long_command_goes_over_two_lines() -> None:
    assert list(commands("$ sdckit list \\\n    masking\nand what it prints\n")) == [
        (["list", "masking"], ["and what it prints"])
    ]
