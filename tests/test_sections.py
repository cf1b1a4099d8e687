"""A docstring is parsed in one place, whatever the order of its paragraphs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sdckit
from sdckit.sections import Sections

PARAGRAPHS = {
    "formula": ("Formula: x′ = x,  x > 0", "x′ = x,  x > 0"),
    "intruder": ("Intruder: knows\nthe age.", "Knows\nthe age."),
    "use": ("Use it when nothing else helps.", "Use it when nothing else helps."),
    "excludes_nothing": ("Excludes nothing: all is possible.", "Excludes nothing: all is possible."),
}


@given(st.permutations([*PARAGRAPHS, "Means are kept.", "Costs a little."]), st.data())
def test_every_section_is_found_in_any_order_and_the_rest_are_remarks(order, data):
    present = [each for each in order if data.draw(st.booleans())]
    written = [PARAGRAPHS[each][0] if each in PARAGRAPHS else each for each in present]
    sections = Sections.of("\n\n".join(["Do something.", *written]))
    assert sections.definition == "Do something."
    assert sections.remarks == tuple(each for each in present if each not in PARAGRAPHS)
    for name, (_, content) in PARAGRAPHS.items():
        assert getattr(sections, name) == (content if name in present else "")


def test_no_docstring_has_no_sections():
    assert Sections.of("") == Sections("")


@pytest.mark.parametrize("entry", sdckit.entries(), ids=lambda entry: entry.name)
def test_no_paragraph_of_a_docstring_is_lost(entry):
    sections = entry.sections
    parts = [sections.formula, sections.intruder, sections.use, sections.excludes_nothing]
    assert entry.description.count("\n\n") == len(sections.remarks) + sum(map(bool, parts))
    assert entry.summary in sections.definition


def test_the_candidates_or_the_class_describe_what_can_be_excluded():
    assert "at most `window` away" in " ".join(sdckit.find("masking", "rank-swapping").exclusions.split())
    assert sdckit.find("masking", "additive-noise").exclusions.startswith("Excludes nothing")
    assert sdckit.find("risk", "distance-linkage").exclusions == ""
