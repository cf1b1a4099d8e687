"""Every entry of the catalogue has a page that says what a reader needs, and new ones get theirs by themselves."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sdckit
from sdckit.catalogue import Entry
from sdckit.cli.verb import every_verb
from sdckit.datasets import simulate_business
from sdckit.draws import Draws
from sdckit.masking import Masking, masking
from sdckit.measure import Measure, Score, risk
from sdckit.parameters import Component, param
from sdckit.references import bibliography
from sdckit.rows import Rows
from sdckit.schema import Schema

from .code_blocks import blocks

DOCS = Path(__file__).resolve().parents[2] / "docs"
ENTRIES = sdckit.entries()
NAMES = [f"{entry.kind} {entry.name}" for entry in ENTRIES]


def site(name: str) -> ModuleType:
    """One of the hooks that make pages."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / "_site" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    if str(DOCS / "_site") not in sys.path:  # mkdocs puts it there too: the hooks import each other
        sys.path.insert(0, str(DOCS / "_site"))
    spec.loader.exec_module(module)
    return module


reference = site("reference_pages")


@masking("throw-away", reference="moore1996")
class ThrowAway(Masking):
    """Leave every value unchanged.

    Formula: x′_i = x^2 < 1,  i ≤ n

    Use it when nothing else applies.

    Excludes nothing: nobody looks.
    """

    share: float = param(0.5, "a share | of something", low=0, high=1, grid=(0.1, 0.5))

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        return values


@risk("far-away", reference="A full citation.")
class FarAway(Measure):
    """Share of nothing.

    Intruder: knows nothing.
    """

    cap: float = param(np.inf, "no limit", low=0)

    def measure(self, release: sdckit.Release, intruder: sdckit.Intruder = sdckit.Intruder(), **_: object) -> Score:
        return Score(0.0)


THROW_AWAY = Entry("masking", "throw-away", ThrowAway)
FAR_AWAY = Entry("risk", "far-away", FarAway)


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_the_entry_gives_its_formula(entry: Entry) -> None:
    assert entry.sections.formula, f"{entry.name}: write a paragraph 'Formula: …' in the docstring"


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_the_entry_says_when_to_use_it(entry: Entry) -> None:
    assert entry.sections.use, f"{entry.name}: write a paragraph 'Use it when …' in the docstring"


@pytest.mark.parametrize("entry", sdckit.entries("masking"), ids=lambda entry: entry.name)
def test_the_masking_says_what_an_intruder_can_exclude_or_why_nothing(entry: Entry) -> None:
    exclusions = entry.exclusions
    assert exclusions, f"{entry.name}: give `candidates` a docstring, or the class a paragraph 'Excludes nothing: …'"
    own = entry.component.candidates is not Masking.candidates
    assert not (own and entry.sections.excludes_nothing), f"{entry.name} says both that and what it excludes"


@pytest.mark.parametrize("entry", sdckit.entries("masking"), ids=lambda entry: entry.name)
def test_the_page_of_a_masking_says_what_an_intruder_can_compute(entry: Entry) -> None:
    synthesised = entry.component.rows is Rows.SYNTHESISED
    beginning = (
        "No row of the release belongs to a record" if synthesised else "- An intruder who knows the whole file "
    )
    assert f"## What an intruder can compute\n\n{beginning}" in reference.page(entry)


@pytest.mark.parametrize("entry", sdckit.entries("risk"), ids=lambda entry: entry.name)
def test_the_risk_says_what_its_intruder_does(entry: Entry) -> None:
    assert entry.sections.intruder, f"{entry.name}: write a paragraph 'Intruder: …' in the docstring"


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_the_reference_is_in_the_bibliography_or_a_citation_itself(entry: Entry) -> None:
    assert entry.reference in bibliography() or " " in entry.reference


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_every_parameter_is_in_the_table(entry: Entry) -> None:
    page = reference.page(entry)
    for parameter in entry.parameters:
        assert f"| `{parameter.name}` |" in page


def test_every_family_says_how_to_choose_among_its_members() -> None:
    for kind, family in {(entry.kind, entry.family): None for entry in ENTRIES}:
        members = [entry for entry in ENTRIES if (entry.kind, entry.family) == (kind, family)]
        page = reference.family_page(family, members)
        text = (DOCS / "families" / kind / f"{family}.md").read_text(encoding="utf-8")
        assert text in page and "## How to choose" in text and len(text.split()) > 80, f"{kind} {family}"
        assert "## Compared" in page if kind == "masking" else "## How to read the figures" in page
        assert all(f"| [{each.name}]({each.name}.md) |" in page for each in members)
        assert page.split("\n")[2], f"{family}: the folder's __init__.py has no docstring"


def test_a_text_about_a_family_belongs_to_one() -> None:
    families = {(entry.kind, entry.family) for entry in ENTRIES}
    assert {(path.parent.name, path.stem) for path in (DOCS / "families").glob("*/*.md")} == families


def test_a_new_entry_appears_everywhere_by_itself() -> None:
    pages = reference.pages((THROW_AWAY, FAR_AWAY))
    family = THROW_AWAY.family
    assert f"reference/masking/{family}/throw-away.md" in pages
    assert f"(masking/{family}/throw-away.md)" in pages["reference/SUMMARY.md"]
    assert f"(masking/{family}/throw-away.md)" in pages["reference/index.md"]
    assert "(throw-away.md)" in pages[f"reference/masking/{family}/index.md"]
    assert "## far-away" in pages["reference/glossary.md"]
    assert "throw-away" not in pages["reference/glossary.md"]


def test_a_page_shows_what_the_docstring_and_the_parameters_say() -> None:
    page = reference.page(THROW_AWAY)
    assert "| `share` | a share \\| of something | float | `0.5` | 0 to 1 | `0.1`, `0.5` |" in page
    assert "## What an intruder can exclude\n\nExcludes nothing: nobody looks." in page
    assert "- An intruder who knows the whole file applies the method again" in page
    assert "R. A. Moore" in page
    assert "--method throw-away:share=0.5" in page
    assert "release = sdckit.protect(data, ThrowAway(share=0.5))" in page


def test_a_page_of_a_risk_describes_its_intruder_and_leaves_out_what_cannot_be_typed() -> None:
    page = reference.page(FAR_AWAY)
    assert "## What the intruder knows and does\n\nKnows nothing." in page
    assert "--measure far-away\n" in page
    assert "A full citation." in page


def test_a_formula_is_set_with_low_and_high_letters_and_its_condition_below() -> None:
    assert reference.formula("x_i < x^{2n},  i ≤ n") == (
        '<div class="formula">x<sub>i</sub> &lt; x<sup>2n</sup><div class="where">i ≤ n</div></div>'
    )


def test_latex_is_set_as_mathml_and_words_beside_it_stay_words() -> None:
    markup = reference.formula(r"$x'_i = \frac{1}{n}$,  `share` of the $n$ records, $a < b$")
    assert markup.count("<math") == 3 and "<mfrac>" in markup and "<code>share</code> of the" in markup
    assert markup.count('class="where"') == 1


@pytest.mark.parametrize("source", [r"$\unknown x$", "$x"])
def test_a_formula_that_cannot_be_set_ends_the_build(source: str) -> None:
    with pytest.raises(Exception, match=r"cannot be set|no partner"):
        reference.formula(source)


def test_formulas_of_a_page_are_set_and_its_code_is_left_alone() -> None:
    formulas = site("page_formulas")
    page = "A share $x_i * y$ of `$HOME`.\n\n$$\n\\frac{1}{n}\n$$\n\n```console\n$ sdckit list\n```\n"
    marked, markup = formulas.with_marks(page, "page.md")
    assert "`$HOME`" in marked and "\n$ sdckit list\n" in marked and marked.count("$") == 2
    html = formulas.with_formulas(marked.replace("\n\n", "</p>\n<p>"), markup)
    assert html.count("<math") == 2 and '<p><div class="formula">' not in html


def test_a_dollar_without_a_partner_ends_the_build() -> None:
    with pytest.raises(Exception, match=r"page\.md: a dollar has no partner: It costs"):
        site("page_formulas").with_marks("It costs $5.", "page.md")


def test_a_figure_of_the_handbook_says_what_it_shows() -> None:
    figures = site("figures")
    (page,) = (path for path in (DOCS / "handbook").glob("*.md") if "figure advantage:" in path.read_text("utf-8"))
    (comment,) = figures.NAMED.finditer(page.read_text("utf-8"))
    assert 'role="img"' in figures.with_figures(comment[0])
    with pytest.raises(Exception, match="shows something else than its text"):
        figures.with_figures(comment[0].replace("0.462", "0.467"))  # one per cent more


def test_every_figure_is_on_a_page_and_every_page_names_figures_that_there_are() -> None:
    from tools.figures import every_figure

    pages = [path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")]
    named = [comment[1] for page in pages for comment in site("figures").NAMED.finditer(page)]
    assert sorted(named) == sorted(every_figure())


def test_a_figure_whose_code_is_gone_ends_the_build() -> None:
    with pytest.raises(Exception, match=r"no function of tools/figures draws 'gone'"):
        site("figures").with_figures("<!-- figure gone: Nothing. -->")


def test_a_screenshot_that_is_older_than_its_screen_ends_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    from tools import screenshots

    now = screenshots.digests()
    assert now and {path.name for path in (DOCS / "images").glob("*.png")} == now.keys()
    monkeypatch.setattr(screenshots, "digest", lambda image: "another")
    with pytest.raises(screenshots.OutdatedScreenshot, match="take the picture again"):
        screenshots.refuse_outdated()


def test_every_formula_is_set_and_reads_as_text() -> None:
    for entry in ENTRIES:
        assert "<div" in reference.formula(entry.sections.latex), entry.name
        assert not {"\\", "$", "{}"} & set(entry.sections.formula), entry.name


def test_a_source_is_cited_by_its_key_and_listed_at_the_end() -> None:
    page = site("cited_sources").with_sources("Ranks [@moore1996], again [@moore1996].")
    assert page.startswith("Ranks [(Moore 1996)](#source-moore1996), again")
    assert page.count('id="source-moore1996"') == 1 and "R. A. Moore" in page


def test_an_unknown_source_ends_the_build() -> None:
    with pytest.raises(Exception, match="nobody1900"):
        site("cited_sources").with_sources("[@nobody1900]")


def test_the_reading_of_the_arena_follows_from_its_tables() -> None:
    arena = site("arena_reading")
    table = "| recipe | informed-intruder | mixed | ordinary-intruder | expected |\n| --- | --- | --- | --- | --- |\n"
    body = "| mdav | **40.0** | 10.0 | 12.0 | 41.0 |\n| pram | **3.0** | 2.0 | 3.0 | 3.0 |\n"
    text = arena.reading(f"# The arena\n\n## adult\n\n{table}{body}")
    assert "In 1 of 2 rows the informed intruder re-identifies at most 5 %" in text
    assert "In 1 of 2 rows the best of them finds less than half" in text
    assert "| mdav | adult | 40 % | 10 % |" in text and "| mdav | adult | 40 % | 12 % |" in text
    with pytest.raises(arena.NoArena):
        arena.reading("# The arena\n")


@pytest.mark.slow
def test_the_house_stands_on_the_kernels() -> None:
    house = site("house")
    assert house.floors(house.imports())[0] == ["kernels"]


def test_the_gallery_has_twenty_recipes_and_each_is_run() -> None:
    recipes = []
    for path in sorted((DOCS / "gallery").glob("*.md")):
        page = list(blocks(path.read_text(encoding="utf-8")))
        commands = "".join(block.code for block in page if block.language == "console")
        named = [block.title for block in page if block.title and block.code.startswith("[[steps]]")]
        assert all(f"--recipe {name} " in commands for name in named), path.name
        recipes += named
    assert len(recipes) == 20


def python_blocks(entry: Entry) -> list[str]:
    """The Python code on the page of an entry."""
    return [block.code for block in blocks(reference.page(entry)) if block.language == "python"]


def release_on_disk() -> sdckit.Release:
    """A release whose files have the names that the pages use, in the current folder."""
    data = simulate_business(30, seed=1).without(["firm"])
    release = sdckit.protect(data, "mdav", seed=1)
    assert release.recipe is not None
    sdckit.write(data, "original.csv")
    sdckit.write(release, "masked.csv")
    Path("schema.toml").write_text(Schema.of(data).to_toml(), encoding="utf-8")
    Path("recipe.toml").write_text(release.recipe.to_toml(), encoding="utf-8")
    Path("model.py").write_text("def fit(frame):\n    return frame.shape\n", encoding="utf-8")
    return release


@pytest.mark.slow
def test_the_python_code_on_every_page_builds_the_component(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the component then does is tested by its contract."""
    monkeypatch.chdir(tmp_path)
    release = release_on_disk()
    built: list[Component] = []

    def record(_: object, component: Component) -> dict[str, None]:
        built.append(component)
        return {component.name: None}

    monkeypatch.setattr(sdckit, "read", lambda path, schema=None: release.original)
    monkeypatch.setattr(sdckit, "protect", record)
    monkeypatch.setattr(sdckit, "assess", record)
    for entry in ENTRIES:
        for code in python_blocks(entry):
            exec(compile(code, entry.name, "exec"), {})
    assert [type(component) for component in built] == [entry.component for entry in ENTRIES]


@pytest.mark.parametrize(("kind", "name"), [("masking", "mdav"), ("risk", "distance-linkage"), ("loss", "il1s")])
def test_the_python_code_on_a_page_of_each_kind_runs(
    kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    release_on_disk()
    (code,) = python_blocks(sdckit.find(kind, name))
    names: dict[str, Any] = {}
    exec(compile(code, name, "exec"), names)
    if kind == "masking":
        assert [type(step.masking) for step in names["release"].recipe.steps] == [sdckit.find(kind, name).component]
    else:
        assert names["score"].name == name and np.isfinite(names["score"].value)


def test_every_public_name_is_on_the_page_of_names() -> None:
    page = site("python_names").page()
    for name in sdckit.__all__:
        assert f"## `{name}`" in page


def test_every_verb_is_on_the_page_of_the_command_line() -> None:
    page = site("command_line").page()
    for verb in every_verb():
        assert f"Usage: sdckit {verb} " in page
