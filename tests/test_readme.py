"""The README is true: its code runs, and the methods and verbs that it names exist."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import sdckit
from sdckit.cli.command import command as command_of
from sdckit.cli.verb import every_verb

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL))
def test_the_code_runs(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(block, "README.md", "exec"), names)
    result = names["result"]
    assert isinstance(result, sdckit.Assessment)
    assert 0 <= result["distance-linkage"].value <= 1
    assert type(names["masked"]) is type(names["data"].to_frame())


def box() -> dict[str, set[str]]:
    """What the README's table names, by kind."""
    table = README.partition("<!-- catalogue -->")[2].partition("<!-- /catalogue -->")[0]
    rows = [row for row in table.splitlines() if row.startswith("| **")]
    return {re.findall(r"\*\*(.*?)\*\*", row)[0]: set(re.findall(r"`(.*?)`", row)) for row in rows}


@pytest.mark.parametrize(("title", "kind"), [("Maskings", "masking"), ("Risks", "risk"), ("Losses", "loss")])
def test_what_the_table_names_is_in_the_catalogue(title: str, kind: str) -> None:
    named = box()[title]
    assert named
    assert named <= {entry.name for entry in sdckit.entries(kind)}


@pytest.mark.parametrize("verb", re.findall(r"^sdckit (\w+)", README, flags=re.MULTILINE))
def test_the_verbs_it_shows_exist(verb: str) -> None:
    assert verb in every_verb()


COMMANDS = re.findall(r"^(sdckit .*)", README.replace("\\\n", " "), flags=re.MULTILINE)


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: " ".join(line.split()[:2]))
def test_the_options_it_shows_exist(line: str) -> None:
    _, verb, *arguments = shlex.split(line, comments=True)
    command = command_of(verb, every_verb()[verb].function)
    context = command.make_context(verb, arguments)  # an unknown option is an error
    typed = {word.partition("=")[0] for word in arguments if word.startswith("--")}
    options = {option: parameter.name for parameter in command.params for option in parameter.opts}
    assert all(context.get_parameter_source(options[option]).name == "COMMANDLINE" for option in typed)


@pytest.mark.parametrize("word", re.findall(r"^make (\w+)", README, flags=re.MULTILINE))
def test_the_words_it_shows_are_in_the_makefile(word: str) -> None:
    assert re.search(rf"^{word}:", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)


@pytest.mark.parametrize("link", re.findall(r"\]\(((?!http)[^)#]+)\)", README))
def test_its_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()
