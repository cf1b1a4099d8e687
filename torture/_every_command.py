"""Commands of every verb, generated from what the command line declares: a parameter means the same in every verb.

A new verb, or a new path of one, gets its commands by itself where its parameters have known names; where they have
not, `typed` fails and names them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click

from sdckit.cli.command import command as command_of
from sdckit.cli.outputs import outputs_of
from sdckit.cli.verb import every_verb
from torture._sound_files import Sound

SERVER = "web"  # ends only when it is stopped
COMPANIONS = ("schema", "recipe", "key")  # given wherever a verb has them
INSTEAD = {  # what a parameter replaces
    ("protect", "run"): ("schema", "recipe"),
    ("pseudonymise", "key_out"): ("key",),
    ("receipt", "verify"): ("schema", "out", "record"),
    ("report", "dossier"): ("schema", "recipe", "key"),
}
TOGETHER = {"intruder_file": "intruder_map", "intruder_map": "intruder_file", "also_recipe": "also_released"}
ENGINES = ("memory", "duckdb")


@dataclass(frozen=True)
class Command:
    """A command line, the files that it reads and writes by parameter, and its title for a person."""

    title: str
    words: tuple[str, ...]
    read: Mapping[str, Path]
    written: Mapping[str, Path]


def every_command(sound: Sound) -> Iterator[Command]:
    """For each verb: the command with what it needs, with each other path that it takes, and with each engine."""
    for verb in every_verb():
        yield from commands_of(verb, sound)


def commands_of(verb: str, sound: Sound) -> Iterator[Command]:
    """The commands of a verb; none of the server."""
    if verb == SERVER:
        return
    declared = {each.name: each for each in parameters(verb)}
    paths = path_names(verb)
    needed = [name for name, each in declared.items() if each.required or name in COMPANIONS]
    needed += [name for name in sound.settings(verb) if name not in needed]
    yield typed(verb, needed, sound)
    for name in (each for each in paths if each not in needed):
        left_out = INSTEAD.get((verb, name), ())
        named = [*(each for each in needed if each not in left_out), name, TOGETHER.get(name, name)]
        yield typed(verb, named, sound, title=name)
    if "engine" in declared:
        for engine in ENGINES:
            yield typed(verb, needed, sound, title=engine, engine=engine)


def parameters(verb: str) -> list[click.Parameter]:
    """The parameters of a verb as its parser has them."""
    return command_of(verb, every_verb()[verb].function).params


def path_names(verb: str) -> list[str]:
    """The names of the parameters of a verb that are paths."""
    hints = get_type_hints(every_verb()[verb].function)
    return [name for name, hint in hints.items() if Path in _types(hint)]


def _types(hint: Any) -> set[Any]:
    return {hint, *(each for part in get_args(hint) for each in _types(part))}


def typed(verb: str, names: list[str], sound: Sound, title: str = "", engine: str = "") -> Command:
    """The command line with these parameters."""
    outputs, paths = outputs_of(every_verb()[verb].function), path_names(verb)
    arguments: list[str] = []
    options: list[str] = ["--engine", engine] if engine else []
    read: dict[str, Path] = {}
    written: dict[str, Path] = {}
    for each in parameters(verb):
        if each.name not in names:
            continue
        values = sound.values(verb, each.name, instead=title)
        if each.name in paths:
            files = [sound.folder / value for value in values]
            values = [str(file) for file in files]
            last = each.name in outputs and outputs[each.name].last
            for number, file in enumerate(files):
                wrote = each.name in outputs and (not last or number == len(files) - 1)
                (written if wrote else read)[f"{each.name} {number}".removesuffix(" 0")] = file
        if isinstance(each, click.Argument):
            arguments += values
        elif isinstance(each, click.Option) and each.is_flag:
            options.append(each.opts[0])
        else:
            options += [part for value in values for part in (each.opts[0], value)]
    return Command(f"{verb} {title}".strip(), (verb, *arguments, *options), read, written)
