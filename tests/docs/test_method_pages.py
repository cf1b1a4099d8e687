"""What the page of a masking shows is computed, and what is written about it belongs to an entry."""

from pathlib import Path

import pytest
from tools.method_by_hand import WrongByHand, by_hand
from tools.method_by_hand import stored as computed_by_hand
from tools.method_cases import case
from tools.method_curves import STORED, Point, outdated, point, stored, varied
from tools.method_files import reference_files
from tools.method_pictures import picture
from tools.method_shown import OutdatedPicture, own_maskings, refuse_outdated, same
from tools.method_shown import stored as looked_at

import sdckit
from sdckit.catalogue import Entry
from sdckit.masking import Masking
from sdckit.measure import Score

from .test_reference_pages import DOCS

NOTES = sorted((DOCS / "methods").glob("*.md"))
CURVES = stored()


def repeatable(entry: sdckit.catalogue.Entry) -> bool:
    assert issubclass(entry.component, Masking)
    return entry.component.seeded


def differing(entry: Entry, old: Point) -> list[str]:
    """The labels of the figures of a point that the code does not give."""
    (sample,) = (each for each in reference_files(entry) if each.name == old.file)
    (new,) = point(entry, sample, old.parameter, old.value)
    return outdated(entry, sample, old, new.figures)


@pytest.mark.parametrize("note", NOTES, ids=lambda path: path.stem)
def test_a_note_belongs_to_an_entry_and_has_its_three_sections(note: Path) -> None:
    assert sdckit.find(None, note.stem).name == note.stem
    headings = [line for line in note.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    assert headings == ["## What breaks it", "## When to use something else", "## History"]


@pytest.mark.parametrize("entry", own_maskings(), ids=lambda entry: entry.name)
def test_every_masking_has_its_note_picture_case_and_curves(entry: sdckit.catalogue.Entry) -> None:
    assert (DOCS / "methods" / f"{entry.name}.md").is_file(), "write what breaks it, what else to use and its history"
    assert entry.name in looked_at(), "python -m tools.method_shown"
    assert looked_at()[entry.name]["picture"] and looked_at()[entry.name]["case"]  # the build compares these
    assert len({each.file for each in CURVES[entry.name]}) == 2, f"python -m tools.method_curves {entry.name}"


@pytest.mark.slow
def test_a_kernel_that_gives_one_per_cent_more_ends_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    from sdckit.methods.noise.additive_noise import AdditiveNoise

    entry, known = sdckit.find("masking", "additive-noise"), looked_at()
    refuse_outdated(entry, known)
    mask = AdditiveNoise.mask_rows
    moved = lambda self, values, *rest: values + 1.01 * (mask(self, values, *rest) - values)  # noqa: E731
    monkeypatch.setattr(AdditiveNoise, "mask_rows", moved)
    with pytest.raises(OutdatedPicture, match="additive-noise"):
        refuse_outdated(entry, known)


def test_a_picture_that_is_not_drawn_any_more_ends_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.method_shown.picture", lambda entry: None)
    with pytest.raises(OutdatedPicture, match="mdav"):
        refuse_outdated(sdckit.find("masking", "mdav"), looked_at())


def test_a_masking_that_nobody_has_looked_at_ends_the_build() -> None:
    with pytest.raises(OutdatedPicture, match="mdav"):
        refuse_outdated(sdckit.find("masking", "mdav"), {})


@pytest.mark.parametrize(("known", "accepted"), [(0.51, True), (0.9, False)])
def test_what_an_intruder_expects_may_differ_by_its_draws_and_by_no_more(
    known: float, accepted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    draws = [Score(0.0, details={"expected_found": value}) for value in 4 * (0.49, 0.5, 0.52)]
    monkeypatch.setattr("tools.method_shown.shown", lambda entry: {"age": 3.0, "informed expected": 0.5})
    monkeypatch.setattr("tools.method_shown.with_other_draws", lambda *setting: draws)
    entry = sdckit.find("masking", "mdav")
    assert same(entry, {"age": 3.0, "informed expected": known}) == accepted
    assert not same(entry, {"age": 3.01, "informed expected": known})
    assert not same(entry, {"informed expected": known})


def test_a_picture_of_calls_has_directions_and_weights_where_they_are_released() -> None:
    for name, directed, weighted in (("drop-directions", False, True), ("drop-weights", True, False)):
        drawn = picture(sdckit.find("masking", name))
        assert drawn is not None and "directed, weighted edges with" in drawn.text
        after = drawn.text.partition(" are ")[2]
        assert ("directed" in after, "weighted" in after) == (directed, weighted)


def test_a_picture_says_in_words_what_it_shows() -> None:
    drawn = picture(sdckit.find("masking", "mdav"))
    assert drawn is not None
    assert 'role="img"' in drawn.svg and f'aria-label="{drawn.text}"' in drawn.svg
    assert "of 100 records" in drawn.text


def test_a_case_of_five_records_is_worked_by_the_code() -> None:
    worked = case(sdckit.find("masking", "mdav"))
    assert worked is not None and len(worked.rows) == 5 and dict(worked.settings) == {"group_size": 2}
    released = [tuple(cell.strip("*") for cell in row[3:]) for row in worked.rows]
    assert len(set(released)) == 2  # five records in groups of two and three
    for group in set(released):
        members = [float(row[1]) for row, mean in zip(worked.rows, released, strict=True) if mean == group]
        assert float(group[0]) == pytest.approx(sum(members) / len(members), abs=0.06)


def test_every_case_is_computed_by_hand() -> None:
    assert computed_by_hand().keys() == {entry.name for entry in own_maskings()}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("The mean is (22.3 + 21.5 + 16.6) / 3 = **20.3**.", "but it is 20.1333"),
        ("Record 1 is published as **20.4**.", "20.4 is not in its table"),
    ],
)
def test_a_wrong_computation_by_hand_ends_the_build(words: str, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = case(sdckit.find("masking", "mdav"))
    assert worked is not None and "= **20.1**" in by_hand("mdav", worked)
    monkeypatch.setattr("tools.method_by_hand.stored", lambda: {"mdav": words})
    with pytest.raises(WrongByHand, match=problem):
        by_hand("mdav", worked)


def test_every_curve_belongs_to_a_masking_and_its_usual_values() -> None:
    for name, points in CURVES.items():
        swept = {each.name: each.grid for each in varied(sdckit.find("masking", name))}
        for each in points:
            assert not each.parameter or each.value in swept[each.parameter], f"{name}: compute {STORED.name} again"


@pytest.mark.slow
@pytest.mark.parametrize("name", [each for each in CURVES if repeatable(sdckit.find("masking", each))])
def test_a_point_of_every_curve_is_what_the_code_computes(name: str) -> None:
    if CURVES[name]:
        old = CURVES[name][len(CURVES[name]) // 2]
        assert not differing(sdckit.find("masking", name), old), (
            f"compute it again: python -m tools.method_curves {name}"
        )


@pytest.mark.slow
def test_a_kernel_that_gives_one_per_cent_more_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from sdckit.methods.noise.additive_noise import AdditiveNoise

    mask = AdditiveNoise.mask_rows
    monkeypatch.setattr(AdditiveNoise, "mask_rows", lambda self, values, *rest: mask(self, values * 1.01, *rest))
    old = CURVES["additive-noise"][0]
    assert "il1s" in differing(sdckit.find("masking", "additive-noise"), old)
