"""The page of the arena shows what the present code gives."""

import pytest
from benchmarks.arena import PAGE
from tools.arena_check import OutdatedArena, checkable, refuse_outdated, shown

import sdckit

MARKDOWN = PAGE.read_text(encoding="utf-8")


def needs_files() -> None:
    if not checkable(MARKDOWN):
        pytest.skip("the files of the arena are not at hand: set SDCKIT_DATA to a folder with adult, testdata, eusilc")


def test_every_recipe_of_the_page_can_be_built() -> None:
    for _, recipe in shown(MARKDOWN):
        for step in recipe.split(", then "):
            assert sdckit.find("masking", step.partition(":")[0])


@pytest.mark.slow
def test_a_figure_that_the_code_does_not_give_ends_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    needs_files()
    first, figures = checkable(MARKDOWN)[0]
    moved = {name: value + 0.2 for name, value in figures.items()}
    monkeypatch.setattr("tools.arena_check.checkable", lambda markdown: [(first, moved)])
    with pytest.raises(OutdatedArena, match=f"{first.label} on {first.file}"):
        refuse_outdated(MARKDOWN, 1)


@pytest.mark.slow
def test_rows_of_every_kind_are_those_of_the_present_intruders() -> None:
    needs_files()
    assert refuse_outdated(MARKDOWN, 40) == 40
