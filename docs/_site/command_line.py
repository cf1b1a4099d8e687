"""The page of the command line: what `sdckit VERB --help` prints, for every verb. A hook of mkdocs."""

from typing import TYPE_CHECKING

import click

from sdckit.cli.app import app
from sdckit.cli.command import command
from sdckit.cli.verb import every_verb

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

WIDTH = 86  # characters of a line of help


def page() -> str:
    """Every verb with its options."""
    root = app.make_context("sdckit", [], resilient_parsing=True)
    lines = [
        "# Command line",
        "",
        "What `sdckit VERB --help` prints. A mistake ends with one line that says the cure, and exit code 2.",
        "",
    ]
    for name, verb in every_verb().items():
        context = click.Context(command(name, verb.function), root, name, terminal_width=WIDTH)
        lines += [f"## `{name}`", "", "```text", context.get_help().strip(), "```", ""]
    return "\n".join(lines)


def on_files(files: "Files", *, config: "MkDocsConfig") -> "Files":
    """Called by mkdocs: add the page."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, "reference/command-line.md", content=page()))
    return files
