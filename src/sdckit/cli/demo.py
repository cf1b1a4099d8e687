"""`sdckit demo`: describe, mask and measure a generated file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sdckit.cli.assess import measured
from sdckit.cli.command import Option
from sdckit.cli.describe import say_description
from sdckit.cli.inputs import refuse_to_overwrite, write_text
from sdckit.cli.options import Force, Json, Quiet
from sdckit.cli.outputs import Output
from sdckit.cli.protect_summary import print_summary, summary
from sdckit.cli.report import dossier_of, write_report
from sdckit.cli.sample import drawn
from sdckit.cli.scores import say_scores, say_unshown
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb

if TYPE_CHECKING:
    from rich.table import Table

RECORDS = 1000
WRITTEN = {
    "survey.csv": "the simulated survey; no person in it exists",
    "schema.toml": "the kinds and roles of its columns",
    "recipe.toml": "how it was masked; may be published",
    "protected.csv": "the masked file",
    "report.html": "the report, for internal use: opens in any browser, offline",
    "report-public.html": "the public edition, to publish with the file",
}


def demo(
    out: Annotated[
        Path, Option(help="The folder for all files."), Output(lambda folder: [folder / name for name in WRITTEN])
    ] = Path("demo-output"),
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Describe, mask and measure a generated survey.

    The survey, its schema, the recipe, the masked file and the reports are left in a folder.
    """
    from dataclasses import replace
    from importlib.resources import files

    from sdckit.attribute import Role
    from sdckit.files import read, write
    from sdckit.files.describe import describe
    from sdckit.recipe import Recipe
    from sdckit.release import protect
    from sdckit.schema import Schema

    terminal = Terminal(json, quiet)
    out.mkdir(parents=True, exist_ok=True)
    paths = {name: out / name for name in WRITTEN}
    for path in paths.values():
        refuse_to_overwrite(path, force)
    with terminal.progress("drawing a survey"):
        survey, schema = drawn("survey", RECORDS, seed=1)
        dropped = {"household": replace(schema.attributes["household"], role=Role.IDENTIFIER)}
        schema = replace(schema, attributes={**schema.attributes, **dropped})
        write(survey, paths["survey.csv"], force=force)
        write_text(paths["schema.toml"], schema.to_toml(), force=force)
        recipe_text = files("sdckit.cli").joinpath("demo_recipe.toml").read_text(encoding="utf-8")
        write_text(paths["recipe.toml"], recipe_text, force=force)

    _step(terminal, 1, "The file", "sdckit describe survey.csv")
    say_description(terminal, "survey.csv", describe(read(paths["survey.csv"])))

    terminal.say(
        "",
        "A person corrected schema.toml: education is ordered, ill is confidential, and the household number is "
        "dropped, as it shows who lives together.",
    )

    command = "sdckit protect survey.csv protected.csv --schema schema.toml --recipe recipe.toml"
    _step(terminal, 2, "Mask it", command)
    data = read(paths["survey.csv"], Schema.from_toml(paths["schema.toml"]))
    with terminal.progress("masking"):
        release = protect(data, Recipe.from_toml(paths["recipe.toml"]))
    written = write(release, paths["protected.csv"], force=force)
    print_summary(terminal, summary(release) | {"path": str(written.path), "shuffled": False})

    _step(
        terminal,
        3,
        "Attack and measure it",
        "sdckit assess survey.csv protected.csv --schema schema.toml --recipe recipe.toml --rows-in-order",
    )
    result = measured(terminal, release)
    say_scores(terminal, result)
    say_unshown(terminal, result)
    results = dossier_of(terminal, result)
    write_report(terminal, results, paths["report.html"], force=force)
    write_report(terminal, results, paths["report-public.html"], public=True, force=force)

    _step(terminal, 4, "Look at the files", "")
    terminal.say(_files_left(paths))
    terminal.result({"files": {name: str(path) for name, path in paths.items()}} | result.to_dict())


def _files_left(paths: dict[str, Path]) -> "Table":
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", overflow="fold")
    table.add_column(style="dim")
    for name, path in paths.items():
        table.add_row(escape(str(path)), WRITTEN[name])
    return table


def _step(terminal: Terminal, number: int, title: str, command: str) -> None:
    from rich.rule import Rule

    terminal.say("", Rule(f"[bold]{number}  {title}[/]", align="left", style="cyan"))
    if command:
        terminal.line(f"[green]$ {command}[/]\n")


VERB = Verb(demo, group="Look things up and try them out", order=54)
