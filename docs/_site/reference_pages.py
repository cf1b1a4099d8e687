"""The generated part of the docs: a page for every entry of the catalogue, its families, and a glossary.

A hook of mkdocs. Nothing is listed by hand: an entry that the catalogue finds has a page, a line in its family and in
the glossary, and a place in the navigation. What a page says comes from the component itself; the paragraphs that are
given a section of their own are named in `docs/project/writing-docs.md`.
"""

import html
import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING

from sdckit.capabilities import HasLaw
from sdckit.catalogue import FOLDERS, Entry, entries
from sdckit.masking import Masking
from sdckit.parameters import Parameter
from sdckit.references import citation

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

FORMULA, USE, EXCLUDES_NOTHING, INTRUDER = "Formula:", "Use it when", "Excludes nothing", "Intruder:"
LOW_AND_HIGH = (
    (r"_(?:{([^}]*)}|([A-Za-z0-9]+))", "sub"),
    (r"\^(?:{([^}]*)}|([−-]?(?:\w+|\([^)]*\))))", "sup"),
)
BESIDE = (
    "- [Glossary of measures](glossary.md)",
    "- [Command line](command-line.md)",
    "- [Python names](python.md)",
)
PLURAL = {"masking": "Maskings", "risk": "Risks", "loss": "Losses"}


@dataclass(frozen=True)
class Told:
    """What a component's docstring tells, by paragraph; empty where it does not."""

    definition: str
    body: tuple[str, ...]
    formula: str = ""
    use: str = ""
    excludes_nothing: str = ""
    intruder: str = ""

    @classmethod
    def by(cls, entry: Entry) -> "Told":
        """Read the docstring of an entry."""
        definition, *paragraphs = entry.description.split("\n\n")
        marked = (FORMULA, USE, EXCLUDES_NOTHING, INTRUDER)
        section = {mark: next((each for each in paragraphs if each.startswith(mark)), "") for mark in marked}
        return cls(
            definition,
            tuple(each for each in paragraphs if not each.startswith(marked)),
            section[FORMULA].removeprefix(FORMULA).strip(),
            section[USE],
            section[EXCLUDES_NOTHING],
            section[INTRUDER].removeprefix(INTRUDER).strip(),
        )


def excluded(entry: Entry) -> str:
    """What an intruder who knows method and parameters can exclude: the words of `candidates`, or why nothing."""
    if entry.component.candidates is Masking.candidates:
        return Told.by(entry).excludes_nothing
    return inspect.cleandoc(entry.component.candidates.__doc__ or "")


def weighed(entry: Entry) -> str:
    """A sentence on what is left: its rows can be weighed where the published method fixes their chances."""
    if not issubclass(entry.component, HasLaw):
        return ""
    return (
        "What is left is not equally likely: the published law gives each released row a chance, and the "
        "[posterior attack](../../risk/transparency/posterior-attack.md) takes the likeliest."
    )


def page(entry: Entry) -> str:
    """The page of one entry."""
    told = Told.by(entry)
    parts = [f"# {entry.name}", f"**{told.definition}**{{ .definition }}", facts(entry), *told.body]
    if told.formula:
        parts += ["## Formula", formula(told.formula)]
    parts += ["## When to use it", told.use]
    if entry.kind == "masking":
        parts += ["## What an intruder can exclude", excluded(entry), weighed(entry)]
    if told.intruder:
        parts += ["## What the intruder knows and does", told.intruder[:1].upper() + told.intruder[1:]]
    parts += ["## Parameters", parameter_table(entry.parameters)]
    parts += ["## How to call it", tab("Command line", "console", command_line(entry))]
    parts += [tab("Python", "python", python_lines(entry)), "## Reference", citation(entry.reference)]
    parts += [f"Source: `{entry.component.__module__}.{entry.component.__name__}`"]
    return "\n\n".join(part for part in parts if part) + "\n"


def formula(text: str) -> str:
    """A formula in the reader's mathematical font, its conditions below; `_x`, `_{…}` and `^…` are set low and high."""
    told = html.escape(" ".join(text.split("\n")))
    for mark, tag in LOW_AND_HIGH:
        told = re.sub(mark, lambda found, tag=tag: f"<{tag}>{found[1] or found[2]}</{tag}>", told)
    what, *where = re.split(r",  +", told)
    lines = "".join(f'<div class="where">{each}</div>' for each in where)
    return f'<div class="formula">{what}{lines}</div>'


def facts(entry: Entry) -> str:
    """What the class declares beside its parameters, as one line."""
    found = [f"{entry.kind}, family [{title(entry.family)}](index.md)"]
    if issubclass(entry.component, Masking):
        component = entry.component
        found.append(f"masks {component.kinds.title} attributes")
        if component.columnwise or component.keeps_missing:
            found.append("missing values stay in place")
        elif component.protect is Masking.protect:
            found.append("missing values are refused")
        if component.draws_values:
            found.append("draws new values")
    else:
        found.append("0 is good")
    return " · ".join(found) + "\n{ .facts }"


def parameter_table(parameters: Iterable[Parameter]) -> str:
    """One row a parameter."""
    rows = [
        f"| `{each.name}` | {cell(each.help)} | {each.type_name} | `{each.default}` | {each.range or '–'} "
        f"| {', '.join(f'`{value}`' for value in each.grid) or '–'} |"
        for each in parameters
    ]
    head = ["| name | meaning | type | default | range | usual values |", "| --- | --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *rows]) if rows else "It has none."


def cell(text: str) -> str:
    """Text that stays within a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def command_line(entry: Entry) -> str:
    """How the command line calls it."""
    told = (
        entry.name
        + (":" if shown(entry) else "")
        + ",".join(f"{each.name}={each.written or each.default}" for each in shown(entry))
    )
    if entry.kind == "masking":
        return f"$ sdckit protect original.csv masked.csv --schema schema.toml --method {told}"
    known = " --recipe recipe.toml" if entry.kind == "risk" else ""
    return f"$ sdckit assess original.csv masked.csv --schema schema.toml{known} --measure {told}"


def python_lines(entry: Entry) -> str:
    """How Python calls it, on a file that is there."""
    values = "".join(f", {each.name}={(each.written or each.default)!r}" for each in shown(entry))
    made = f'sdckit.build("{entry.kind}", "{entry.name}"{values})'
    lines = ["import sdckit", "", 'data = sdckit.read("original.csv", "schema.toml")']
    if entry.kind == "masking":
        return "\n".join([*lines, f"release = sdckit.protect(data, {made})"])
    known = ', sdckit.Recipe.from_toml("recipe.toml")' if entry.kind == "risk" else ""
    lines.append(f'release = sdckit.Release(data, sdckit.read("masked.csv"){known})')
    return "\n".join([*lines, f'score = sdckit.assess(release, {made})["{entry.name}"]'])


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


def title(family: str) -> str:
    """The name of a family's folder as a title."""
    return family.replace("_", " ").capitalize()


def family_page(family: str, members: list[Entry]) -> str:
    """The page of a family: the docstring of its folder and its members."""
    folder = import_module(members[0].component.__module__.rpartition(".")[0])
    told = inspect.cleandoc(folder.__doc__ or "")
    rows = [f"| [{each.name}]({each.name}.md) | {cell(each.summary)} |" for each in members]
    return "\n".join([f"# {title(family)}", "", told, "", "| name | definition |", "| --- | --- |", *rows, ""])


def catalogue_page(found: tuple[Entry, ...]) -> str:
    """The first page of the reference: everything there is, by kind and family."""
    lines = ["# Reference", "", "Everything the catalogue holds. `sdckit list` prints the same.", ""]
    for kind, members in groupby(found, key=lambda entry: entry.kind):
        lines += [f"## {PLURAL[kind]}", "", "| name | family | definition |", "| --- | --- | --- |"]
        lines += [
            f"| [{each.name}]({place(each)}) | [{title(each.family)}]({kind}/{each.family}/index.md) "
            f"| {cell(each.summary)} |"
            for each in members
        ]
        lines.append("")
    lines += ["## Beside the catalogue", "", *BESIDE, ""]
    return "\n".join(lines)


def glossary_page(found: tuple[Entry, ...]) -> str:
    """Every figure that an assessment can show, with its definition and formula."""
    lines = [
        "# Glossary of measures",
        "",
        "Every figure an assessment can show. Risks are shares from 0 to 1, losses are fractions from 0 up, and 0 is",
        "good for both. How to read one: [Reading a score](../guides/reading-a-score.md).",
        "",
    ]
    for entry in sorted((each for each in found if each.kind != "masking"), key=lambda each: each.name):
        told = Told.by(entry)
        lines += [f"## {entry.name}", "", f"*{entry.kind}.* {told.definition} [More]({place(entry)})", ""]
        lines += [formula(told.formula), ""] if told.formula else []
    return "\n".join(lines)


def place(entry: Entry) -> str:
    """Where an entry's page stands, seen from the reference folder."""
    return f"{entry.kind}/{entry.family}/{entry.name}.md"


def pages(found: tuple[Entry, ...] | None = None) -> dict[str, str]:
    """All generated pages by their place under `docs/`."""
    found = entries() if found is None else found
    made = {"index.md": catalogue_page(found), "glossary.md": glossary_page(found)}
    summary = ["- [Catalogue](index.md)"]
    for kind in FOLDERS:
        members = [entry for entry in found if entry.kind == kind]
        if not members:
            continue
        summary.append(f"- {PLURAL[kind]}")
        for family, group in groupby(members, key=lambda entry: entry.family):
            family_members = list(group)
            made[f"{kind}/{family}/index.md"] = family_page(family, family_members)
            summary.append(f"    - [{title(family)}]({kind}/{family}/index.md)")
            for entry in family_members:
                made[place(entry)] = page(entry)
                summary.append(f"        - [{entry.name}]({place(entry)})")
    made["SUMMARY.md"] = "\n".join([*summary, *BESIDE, ""])
    return {f"reference/{where}": text for where, text in made.items()}


def on_files(files: "Files", *, config: "MkDocsConfig") -> "Files":
    """Called by mkdocs: add the generated pages to those written by hand."""
    from mkdocs.structure.files import File, InclusionLevel

    for where, text in pages().items():
        navigation = where.endswith("SUMMARY.md")  # read by the navigation, and no page itself
        inclusion = InclusionLevel.EXCLUDED if navigation else InclusionLevel.UNDEFINED
        files.append(File.generated(config, where, content=text, inclusion=inclusion))
    return files
