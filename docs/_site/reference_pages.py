"""The generated part of the docs: a page for every entry of the catalogue, its families, and a glossary.

A hook of mkdocs. Nothing is listed by hand: an entry that the catalogue finds has a page, a line in its family and in
the glossary, and a line in the navigation. What a page says comes from the component itself; the paragraphs that are
sections of their own are named in `docs/project/writing-docs.md`.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, get_args

from checkout import ROOT
from family_pages import cell, family_page, title
from method_formulas import formula
from tools.method_by_hand import by_hand
from tools.method_cases import case
from tools.method_charts import curves
from tools.method_pictures import picture
from tools.method_shown import own_maskings, refuse_outdated, stored

from sdckit.capabilities import HasLaw
from sdckit.catalogue import FOLDERS, Entry, entries
from sdckit.evaluation.known_law import RECORDS, known_laws
from sdckit.masking import Masking
from sdckit.measure import Measure, Need
from sdckit.parameters import Parameter
from sdckit.references import citation
from sdckit.rows import Rows
from sdckit.user_function import FunctionInFile

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

BESIDE = (
    "- [Glossary of measures](glossary.md)",
    "- [Command line](command-line.md)",
    "- [Python names](python.md)",
)
CLASSES = {"masking": "sdckit.methods", "risk": "sdckit.risks", "loss": "sdckit.losses"}
READING = (
    "The share of records that an intruder re-identifies who knows all masked attributes of everybody: *ordinary* "
    "without, *informed* with knowledge of the method and its parameters. Both files are generated; "
    "`python -m tools.method_curves` computes the figures, and a test repeats some of them."
)
PLURAL = {"masking": "Maskings", "risk": "Risks", "loss": "Losses"}


def likelihood_note(entry: Entry) -> str:
    """A sentence on what cannot be excluded: its rows have probabilities where the published method fixes them."""
    if not issubclass(entry.component, HasLaw):
        return ""
    return (
        "The rows that remain are not equally likely: the published method gives each released row a probability, and "
        "the [posterior attack](../../risk/transparency/posterior-attack.md) takes the likeliest."
    )


def computable(entry: Entry) -> list[str]:
    """Where the release law of a masking comes from, by how much of the file an intruder knows."""
    if issubclass(entry.component, Masking) and entry.component.rows is Rows.SYNTHESISED:
        return ["No row of the release belongs to a record, so that no row can be likelier than another to be hers."]
    laws = known_laws(entry)
    if not laws:
        return ["It was not computed, since the method does not mask the generated file used for this."]
    source = (
        f"This was computed by masking a generated file of {RECORDS} records with the default parameters. "
        "What these words mean: [One intruder](../../../concepts/one-intruder.md), "
        "[Expected found](../../../concepts/expected-found.md)."
    )
    return ["\n".join(f"- {law.sentence}" for law in laws), source]


def page(entry: Entry) -> str:
    """The page of one entry."""
    sections = entry.sections
    parts = [f"# {entry.name}", f"**{sections.definition}**{{ .definition }}", facts(entry), *sections.remarks]
    if sections.latex:
        parts += ["## Formula", formula(sections.latex)]
    if entry.kind == "masking":
        parts += shown_on_records(entry)
    parts += ["## When to use it", sections.use]
    if entry.kind == "masking":
        parts += ["## What an intruder can exclude", entry.exclusions, likelihood_note(entry)]
        parts += ["## What an intruder can compute", *computable(entry), *risk_and_loss(entry)]
    if sections.intruder:
        parts += ["## What the intruder knows and does", sections.intruder]
    parts += [written(entry)]
    parts += ["## Parameters", parameter_table(entry.parameters)]
    parts += ["## How to call it", tab("Command line", "console", command_line(entry))]
    parts += [tab("Python", "python", python_lines(entry)), "## Reference", citation(entry.reference)]
    parts += [f"Source: `{entry.component.__module__}.{entry.component.__name__}`"]
    return "\n\n".join(part for part in parts if part) + "\n"


def shown_on_records(entry: Entry) -> list[str]:
    """What a masking does, on small files: a picture and a case of five records, both made when the page is."""
    drawn, worked = picture(entry), case(entry)
    if drawn is None and worked is None:
        return []
    words = by_hand(entry.name, worked) if worked else ""
    computed = [worked.markdown, f"*By hand.* {words}" if words else ""] if worked else []
    return ["## What it does", *([drawn.figure] if drawn else []), *computed]


def risk_and_loss(entry: Entry) -> list[str]:
    """The curves of a masking over its usual parameters."""
    drawn = curves(entry)
    return ["## Risk and loss", READING, *drawn] if drawn else []


def written(entry: Entry) -> str:
    """What is written by hand about an entry: what breaks it, what else to use, its history."""
    path = ROOT / "docs" / "methods" / f"{entry.name}.md"
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def facts(entry: Entry) -> str:
    """What the class declares beside its parameters, as one line."""
    declared = [f"{entry.kind}, family [{title(entry.family)}](index.md)"]
    if issubclass(entry.component, Masking):
        component = entry.component
        declared.append(f"masks {component.kinds.title} attributes")
        if component.columnwise or component.keeps_missing:
            declared.append("missing values stay missing")
        elif component.protect is Masking.protect:
            declared.append("missing values are refused")
        if component.draws_values:
            declared.append("draws new values")
    else:
        declared.append("0 is best")
    return " · ".join(declared) + "\n{ .facts }"


def parameter_table(parameters: Iterable[Parameter]) -> str:
    """One row a parameter."""
    rows = [
        f"| `{each.name}` | {cell(each.help)} | {each.type_name} | `{each.default}` | {each.range or '–'} "
        f"| {', '.join(f'`{value}`' for value in each.grid) or '–'} |"
        for each in parameters
    ]
    head = ["| name | meaning | type | default | range | usual values |", "| --- | --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *rows]) if rows else "It has none."


def command_line(entry: Entry) -> str:
    """How the command line calls it."""
    settings = ",".join(f"{each.name}={each.written or each.default}" for each in shown(entry))
    text = f"{entry.name}:{settings}" if settings else entry.name
    if entry.kind == "masking":
        return (
            "$ sdckit protect original.csv masked.csv --schema schema.toml \\\n"
            f"    --recipe-out recipe.toml --key-out masked.key --method {text}"
        )
    recipe = "--recipe recipe.toml " if takes_recipe(entry) else ""
    return (
        "$ sdckit assess original.csv masked.csv --schema schema.toml \\\n"
        f"    {recipe}--key masked.key --measure {text}"
    )


def takes_recipe(entry: Entry) -> bool:
    """Whether a measure needs the recipe, or takes it into account."""
    component = entry.component
    return issubclass(component, Measure) and Need.RECIPE in component.needs | component.uses


def python_lines(entry: Entry) -> str:
    """How Python calls it."""
    module, name = entry.component.__module__, entry.component.__name__
    module = CLASSES[entry.kind] if module.startswith("sdckit.") else module
    of_files = {each.name for each in shown(entry) if each.written and FunctionInFile in get_args(each.type)}
    values = ", ".join(
        f"{each.name}=FunctionInFile.read({each.written!r})"
        if each.name in of_files
        else f"{each.name}={(each.written or each.default)!r}"
        for each in shown(entry)
    )
    imports = [
        f"from {module} import {name}",
        *(["from sdckit.user_function import FunctionInFile"] if of_files else []),
    ]
    lines = ["import sdckit", *imports, "", 'data = sdckit.read("original.csv", "schema.toml")']
    if entry.kind == "masking":
        return "\n".join([*lines, f"release = sdckit.protect(data, {name}({values}))"])
    recipe = ', sdckit.Recipe.from_toml("recipe.toml")' if takes_recipe(entry) else ""
    lines.append(f'release = sdckit.Release.in_order(data, sdckit.read("masked.csv"){recipe})')
    return "\n".join([*lines, f'score = sdckit.assess(release, {name}({values}))["{entry.name}"]'])


def shown(entry: Entry) -> tuple[Parameter, ...]:
    """The parameters with a default that one would write down, and those that must be given."""
    return tuple(
        each
        for each in entry.parameters
        if each.written or (isinstance(each.default, bool | int | float) and abs(each.default) != float("inf"))
    )


def tab(name: str, language: str, text: str) -> str:
    """A code block under a tab."""
    block = "\n".join(f"    {line}".rstrip() for line in [f"```{language}", *text.split("\n"), "```"])
    return f'=== "{name}"\n\n{block}'


def catalogue_page(listed: tuple[Entry, ...]) -> str:
    """The first page of the reference: every entry, by kind and family."""
    lines = ["# Reference", "", "Every method and measure of the catalogue. `sdckit list` prints the same.", ""]
    for kind, members in groupby(listed, key=lambda entry: entry.kind):
        lines += [f"## {PLURAL[kind]}", "", "| name | family | definition |", "| --- | --- | --- |"]
        lines += [
            f"| [{each.name}]({address(each)}) | [{title(each.family)}]({kind}/{each.family}/index.md) "
            f"| {cell(each.summary)} |"
            for each in members
        ]
        lines.append("")
    lines += ["## Beside the catalogue", "", *BESIDE, ""]
    return "\n".join(lines)


def glossary_page(listed: tuple[Entry, ...]) -> str:
    """Every figure that an assessment can show, with its definition and formula."""
    lines = [
        "# Glossary of measures",
        "",
        "Every figure an assessment can show. Risks are shares from 0 to 1, losses are fractions from 0 up, and 0 is",
        "best for both. How to read one: [Reading a score](../guides/reading-a-score.md).",
        "",
    ]
    for entry in sorted((each for each in listed if each.kind != "masking"), key=lambda each: each.name):
        sections = entry.sections
        lines += [f"## {entry.name}", "", f"*{entry.kind}.* {sections.definition} [More]({address(entry)})", ""]
        lines += [formula(sections.latex), ""] if sections.latex else []
    return "\n".join(lines)


def address(entry: Entry) -> str:
    """The path of an entry's page, relative to the reference folder."""
    return f"{entry.kind}/{entry.family}/{entry.name}.md"


def pages(listed: tuple[Entry, ...] | None = None) -> dict[str, str]:
    """All generated pages by their path under `docs/`."""
    listed = entries() if listed is None else listed
    texts = {"index.md": catalogue_page(listed), "glossary.md": glossary_page(listed)}
    summary = ["- [Catalogue](index.md)"]
    for kind in FOLDERS:
        members = [entry for entry in listed if entry.kind == kind]
        if not members:
            continue
        summary.append(f"- {PLURAL[kind]}")
        for family, group in groupby(members, key=lambda entry: entry.family):
            family_members = list(group)
            texts[f"{kind}/{family}/index.md"] = family_page(family, family_members)
            summary.append(f"    - [{title(family)}]({kind}/{family}/index.md)")
            for entry in family_members:
                texts[address(entry)] = page(entry)
                summary.append(f"        - [{entry.name}]({address(entry)})")
    texts["SUMMARY.md"] = "\n".join([*summary, *BESIDE, ""])
    return {f"reference/{path}": text for path, text in texts.items()}


def on_files(files: "Files", *, config: "MkDocsConfig") -> "Files":
    """Called by mkdocs: add the generated pages to those written by hand; a picture that was not looked at ends it."""
    from mkdocs.structure.files import File, InclusionLevel

    looked_at = stored()
    for entry in own_maskings():
        refuse_outdated(entry, looked_at)
    for path, text in pages().items():
        navigation = path.endswith("SUMMARY.md")  # read by the navigation, and no page itself
        inclusion = InclusionLevel.EXCLUDED if navigation else InclusionLevel.UNDEFINED
        files.append(File.generated(config, path, content=text, inclusion=inclusion))
    return files
