"""`sdckit completion`: print the script by which a shell completes commands.

The script calls sdckit with the line typed so far in environment variables; `complete` answers such a call.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

import typer

from sdckit.cli import COMPLETING
from sdckit.cli.options import Json, Quiet
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb, every_verb, verb_named
from sdckit.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable

SHELLS = ("bash", "zsh", "fish", "powershell")
BASH = """\
_sdckit_completion() {
    local IFS=$'\\n' line="${COMP_LINE:0:COMP_POINT}" word before
    word="${line##*[[:space:]]}"
    before="${word%"${word##*[:=]}"}"  # bash takes what follows a colon or an equals sign as a word of its own
    COMPREPLY=( $( env _SDCKIT_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION=get-args \\
                   _TYPER_COMPLETE_ARGS="$line" sdckit 2>/dev/null | cut -f1 ) )
    COMPREPLY=( "${COMPREPLY[@]#"$before"}" )
    [[ ${COMPREPLY[0]} == *[:=,] ]] && compopt -o nospace
    return 0
}
complete -o default -F _sdckit_completion sdckit"""


def completion(
    shell: Annotated[
        str, typer.Argument(metavar="|".join(SHELLS), help="The shell to complete for.", show_default=False)
    ],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the script by which a shell completes commands.

    It completes verbs, options, methods, measures and their parameters, and the columns of the file named before. Add
    `eval "$(sdckit completion bash)"` to ~/.bashrc, or the same line with zsh to ~/.zshrc; for fish, write the script
    to ~/.config/fish/completions/sdckit.fish.

    Example: eval "$(sdckit completion bash)"
    """
    if shell not in SHELLS:
        raise UnknownNameError("shell", shell, SHELLS)
    terminal = Terminal(json, quiet)
    text = script(shell)
    if terminal.chatty:
        typer.echo(text)
    terminal.result({"shell": shell, "script": text}, text)


def script(shell: str) -> str:
    """The script that a shell reads at its start."""
    if shell == "bash":
        return BASH
    text: str = import_module("typer.completion").get_completion_script(
        prog_name="sdckit", complete_var=COMPLETING, shell=shell
    )
    return text


def complete() -> int:
    """Print the possible continuations of the line that the shell's script passes on."""
    from sdckit.cli.app import app_for
    from sdckit.cli.completion_values import typed_words

    words = typed_words()
    name = next((each for each in words if not each.startswith("-")), "")
    verb = verb_named(name)
    for each in [verb] if verb is not None else every_verb().values():
        _attach_completers(each.function)
    os.environ["COLUMNS"] = "10000"  # typer would wrap the help of a value, and each line would be a value
    import_module("typer.completion").completion_init()
    app_for(words)([], prog_name="sdckit", standalone_mode=False)
    return 0


def _attach_completers(function: "Callable[..., None]") -> None:
    """Give each parameter of a verb what completes it, by its name: a name means the same in every verb."""
    from sdckit.cli.completion_values import COMPLETERS

    for name, hint in get_type_hints(function, include_extras=True).items():
        for mark in get_args(hint):
            declared: Any = mark
            if name in COMPLETERS and hasattr(declared, "autocompletion"):
                declared.autocompletion = COMPLETERS[name]


VERB = Verb(completion, group="Look things up and try them out", order=58)
