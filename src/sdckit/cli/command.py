"""A function's signature as a command: each parameter says by its type and an `Argument` or `Option` how it is typed.

`list` parameters can be repeated and are None where nothing is given; of an enumeration, the values are typed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from inspect import Parameter, getdoc, signature
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import click
from click.shell_completion import CompletionItem


@dataclass(frozen=True)
class Argument:
    """A parameter that is given by its position; `metavar` stands for it in the usage line."""

    metavar: str
    help: str


class Option:
    """A parameter that is given by a flag, which has the name of the parameter unless flags are named."""

    def __init__(
        self, *flags: str, help: str, metavar: str | None = None, min: int | None = None, max: int | None = None
    ) -> None:
        self.flags, self.help, self.metavar, self.min, self.max = flags, help, metavar, min, max


def command(name: str, function: Callable[..., None], callback: Callable[..., None] | None = None) -> click.Command:
    """The command of this name that a function's signature declares; `callback` is run in place of the function."""
    hints = get_type_hints(function, include_extras=True)
    parameters = [_parameter(each, hints[each.name]) for each in signature(function).parameters.values()]
    return _Command(name, params=parameters, callback=callback or function, help=getdoc(function))


class _Command(click.Command):
    """A command whose help lists its arguments before its options."""

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Nothing: they are listed with the options, since not every version of click has this section."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write both sections."""
        for title, kind in (("Arguments", click.Argument), ("Options", click.Option)):
            listed = [each.get_help_record(ctx) for each in self.get_params(ctx) if isinstance(each, kind)]
            if listed:
                with formatter.section(title):
                    formatter.write_dl([each for each in listed if each is not None])


class _Argument(click.Argument):
    """An argument with a help text."""

    def __init__(self, name: str, help: str, **settings: Any) -> None:
        super().__init__([name], **settings)
        self.help = help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """The name of the argument, and what it is."""
        return self.human_readable_name, f"{self.help}{'  [required]' if self.required else ''}"


def _parameter(declared: Parameter, hint: Any) -> click.Parameter:
    annotated, *marks = get_args(hint)
    mark = next(each for each in marks if isinstance(each, Argument | Option))
    kinds = [each for each in get_args(annotated) if each is not NoneType]
    kind = kinds[0] if NoneType in get_args(annotated) else annotated
    repeated = get_origin(kind) is list
    if repeated:
        [kind] = get_args(kind)
    settings: dict[str, Any] = {
        "metavar": mark.metavar,
        "help": mark.help,
        "type": _type(kind, mark),
        "required": declared.default is Parameter.empty,
        "callback": _as_list if repeated else _as_member(kind) if issubclass(kind, Enum) else None,
        "shell_complete": _completed,
    }
    if declared.default not in (Parameter.empty, None):
        settings["default"] = declared.default.value if issubclass(kind, Enum) else declared.default
    if isinstance(mark, Argument):
        return _Argument(declared.name, nargs=-1 if repeated else 1, **settings)
    flags = mark.flags or (f"--{declared.name.replace('_', '-')}",)
    return click.Option(
        [declared.name, *flags], is_flag=kind is bool or None, multiple=repeated, show_default=True, **settings
    )


def _type(kind: type, mark: Argument | Option) -> Any:
    if issubclass(kind, Enum):
        return click.Choice([each.value for each in kind])
    if isinstance(mark, Option) and (mark.min, mark.max) != (None, None):
        bounded = click.IntRange(mark.min, mark.max)
        bounded.name = "integer"  # its own name, "integer range", makes no sense where a value is no integer
        return bounded
    return kind


def _as_list(context: click.Context, parameter: click.Parameter, values: tuple[Any, ...]) -> list[Any] | None:
    return [*values] or None


def _as_member(kind: type[Enum]) -> Callable[[click.Context, click.Parameter, str], Enum]:
    return lambda context, parameter, value: kind(value)


def _completed(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What completes a parameter: by its name, which means the same in every verb, or else by its type."""
    from sdckit.cli.completion_values import COMPLETERS

    if parameter.name not in COMPLETERS:
        return parameter.type.shell_complete(context, parameter, incomplete)
    return [CompletionItem(value, help=text) for value, text in COMPLETERS[parameter.name](context, incomplete)]
