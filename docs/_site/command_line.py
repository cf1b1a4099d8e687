"""The page of the command line: what `sdckit VERB --help` prints, for every verb. A hook of mkdocs."""

from typing import TYPE_CHECKING, Any

from typer.main import get_command

from sdckit.cli.app import app_for

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

WIDTH = 86  # characters of a line of help


def page() -> str:
    """Every verb with its options."""
    group: Any = get_command(app_for(()))
    lines = [
        "# Command line",
        "",
        "What `sdckit VERB --help` prints. A mistake ends with one line that says the cure, and exit code 2.",
        "",
    ]
    for name, verb in group.commands.items():
        context = verb.context_class(verb, info_name=f"sdckit {name}", terminal_width=WIDTH)
        lines += [f"## `{name}`", "", "```text", verb.get_help(context).strip(), "```", ""]
    return "\n".join(lines)


def on_files(files: "Files", *, config: "MkDocsConfig") -> "Files":
    """Called by mkdocs: add the page."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, "reference/command-line.md", content=page()))
    return files
