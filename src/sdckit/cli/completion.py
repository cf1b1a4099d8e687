"""`sdckit completion`: print the script by which a shell completes commands.

The script calls sdckit with the line typed so far in an environment variable; `complete` answers such a call.
"""

from typing import Annotated

from sdckit.cli import COMPLETING
from sdckit.cli.command import Argument
from sdckit.cli.options import Json, Quiet
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb
from sdckit.errors import UnknownNameError

BASH = """\
_sdckit_completion() {
    local IFS=$'\\n' line="${COMP_LINE:0:COMP_POINT}" word before
    word="${line##*[[:space:]]}"
    before="${word%"${word##*[:=]}"}"  # bash takes what follows a colon or an equals sign as a word of its own
    COMPREPLY=( $(_SDCKIT_COMPLETE="$line" sdckit 2>/dev/null | cut -f1) )
    COMPREPLY=( "${COMPREPLY[@]#"$before"}" )
    [[ ${COMPREPLY[0]} == *[:=,] ]] && compopt -o nospace
    return 0
}
complete -o default -F _sdckit_completion sdckit"""
ZSH = """\
#compdef sdckit
_sdckit_completion() {
    local line tab=$'\\t'
    local -a found
    for line in "${(@f)$(_SDCKIT_COMPLETE="${words[1,CURRENT]}" sdckit 2>/dev/null)}"; do
        line=${line//:/\\\\:}  # a colon separates a word from its help
        [[ -n $line ]] && found+=("${line//$tab/:}")
    done
    if (( $#found )); then
        _describe -V sdckit found
    else
        _files
    fi
}
compdef _sdckit_completion sdckit"""
FISH = """\
function _sdckit_completion
    set -l found (env _SDCKIT_COMPLETE=(commandline -cp) sdckit 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete --command sdckit --no-files --arguments '(_sdckit_completion)'"""
POWERSHELL = """\
Register-ArgumentCompleter -Native -CommandName sdckit -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $Env:_SDCKIT_COMPLETE = $commandAst.ToString() + $(if ($wordToComplete) { '' } else { ' ' })
    try {
        sdckit 2>$null | ForEach-Object {
            $value, $help = $_ -split "`t", 2
            if (-not $help) { $help = $value }
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $help)
        }
    } finally {
        Remove-Item Env:_SDCKIT_COMPLETE
    }
}"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH, "powershell": POWERSHELL}


def completion(
    shell: Annotated[str, Argument(metavar="|".join(SCRIPTS), help="The shell to complete for.")],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the script by which a shell completes commands.

    It completes verbs, options, methods, measures and their parameters, and the columns of the file named before. Add
    `eval "$(sdckit completion bash)"` to ~/.bashrc, or the same line with zsh to ~/.zshrc; for fish, write the script
    to ~/.config/fish/completions/sdckit.fish.

    Example: eval "$(sdckit completion bash)"
    """
    if shell not in SCRIPTS:
        raise UnknownNameError("shell", shell, SCRIPTS)
    terminal = Terminal(json, quiet)
    text = SCRIPTS[shell]
    if terminal.chatty:
        print(text)
    terminal.result({"shell": shell, "script": text}, text)


def complete() -> int:
    """Print the words by which the line could go on, each with its help after a tab."""
    from click.shell_completion import ShellComplete

    from sdckit.cli.app import app
    from sdckit.cli.completion_values import typed_words

    *before, last = typed_words() or [""]
    flag = f"{last.partition('=')[0]}=" if last.startswith("-") and "=" in last else ""
    for found in ShellComplete(app, {}, "sdckit", COMPLETING).get_completions(before, last):
        text = " ".join((found.help or "").split())
        print(f"{flag}{found.value}" + (f"\t{text}" if text else ""))
    return 0


VERB = Verb(completion, group="Look things up and try them out", order=58)
