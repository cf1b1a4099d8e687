"""The command line: one file per verb. Nothing heavy is imported before a verb runs, so that `--help` answers at once.

Exit codes: 0 done or met, 1 a policy is not met, 2 a mistake that the user can mend, 3 a fault of sdckit itself,
130 interrupted, 143 and 129 ended by SIGTERM and SIGHUP. They do not depend on whether somebody reads the output to its
end.
"""

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sdckit.errors import SdcError, message_on
from sdckit.formatting import printable

if TYPE_CHECKING:
    from click import ClickException

NOT_MET = 1
USER_ERROR = 2
OWN_FAULT = 3
INTERRUPTED = 130
TRACEBACK = "--traceback"
COMPLETING = "_SDCKIT_COMPLETE"  # set by the script of a shell that asks how a line could go on
IDLE_THREADS = ("OPENBLAS_THREAD_TIMEOUT", "4")  # those of linear algebra sleep at once; else a run burns .1 s
OBJECTS_PER_COLLECTION = 500_000  # Python's own 700 costs a tenth of a short run: imports make objects that stay


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; an error is one line on stderr."""
    from sdckit.cli.output import survives_closed_pipe
    from sdckit.cli.signals import Terminated, clean_up, ending_cleanly
    from sdckit.input_file import guarded_inputs

    os.environ.setdefault(*IDLE_THREADS)
    if COMPLETING in os.environ:
        from sdckit.cli.completion import complete

        return complete()
    if arguments is None:  # the process is our own
        _collect_rarely()
    typed = [*(sys.argv[1:] if arguments is None else arguments)]  # `list` is a verb in this folder
    as_json = "--json" in typed
    try:
        with ending_cleanly(), survives_closed_pipe(), guarded_inputs():
            return _run([each for each in typed if each != TRACEBACK], traceback=TRACEBACK in typed)
    except Terminated as signal:
        clean_up()
        return _error("ended by a signal; a file that was being written is left unchanged", as_json, signal.code)
    except OSError as problem:  # the output itself cannot be written, for example to a full disk
        print(f"error: the output cannot be written: {problem.strerror or problem}", file=sys.stderr)
        return USER_ERROR


def _collect_rarely() -> None:
    """Let Python look for unreachable objects less often, and not when it ends, which frees them anyway."""
    gc.set_threshold(OBJECTS_PER_COLLECTION, *gc.get_threshold()[1:])
    atexit.register(_free_nothing)


def _free_nothing() -> None:
    if "duckdb" not in sys.modules:  # which prints a page on what was not freed
        gc.freeze()


def _run(typed: Sequence[str], *, traceback: bool) -> int:
    from click import ClickException
    from click.exceptions import Exit

    as_json = "--json" in typed
    try:
        from sdckit.cli.app import app

        with app.make_context("sdckit", [*typed]) as context:
            app.invoke(context)
    except Exit as ended:
        return ended.exit_code
    except ClickException as problem:  # an unknown option, a missing argument
        return _error(_cure(problem, typed), as_json)
    except SdcError as problem:
        return _error(message_on(sys.stdout if as_json else sys.stderr, problem), as_json)
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename else ""
        return _error(f"{where}{_machine_error(problem)}", as_json)
    except MemoryError:
        return _error("the file does not fit into memory; use fewer columns or records at a time", as_json)
    except KeyboardInterrupt:
        return _error("interrupted; a file that was being written is left unchanged", as_json, INTERRUPTED)
    except Exception as problem:
        return _own_fault(problem, typed, as_json, traceback)
    return 0


def _machine_error(problem: OSError) -> str:
    from tempfile import gettempdir

    from sdckit.files.disk_space import FULL

    if problem.errno not in FULL:
        return f"{problem.strerror or problem}; check the path and its permissions"
    return (
        f"{FULL[problem.errno]}; free some space (temporary files are in {gettempdir()}; the variable TMPDIR names "
        "another folder)"
    )


def _error(message: str, as_json: bool, code: int = USER_ERROR) -> int:
    line = printable(" ".join(message.split()))
    if as_json:
        import json

        print(json.dumps({"error": line}, ensure_ascii=False))
    else:
        print(f"error: {line}", file=sys.stderr)
    return code


def _own_fault(problem: Exception, typed: Sequence[str], as_json: bool, traceback: bool) -> int:
    """A fault of our own: where it occurred, without any value of the file, and how to report it."""
    from traceback import extract_tb, print_exception

    from sdckit import __version__

    if traceback or os.environ.get("SDCKIT_TRACEBACK"):
        print_exception(problem)
    frames = [frame for frame in extract_tb(problem.__traceback__) if "sdckit" in frame.filename]
    at = f" at {os.path.basename(frames[-1].filename)}, line {frames[-1].lineno}" if frames else ""
    verb = next((each for each in typed if not each.startswith("-")), "")
    return _error(
        f"sdckit itself failed ({type(problem).__name__}{at}): this is not your mistake. Please report it with the "
        f"version {__version__}, the verb {verb!r} and what `sdckit {TRACEBACK} {verb} …` (or SDCKIT_TRACEBACK=1) "
        "prints, without private data",
        as_json,
        OWN_FAULT,
    )


def _cure(problem: "ClickException", typed: Sequence[str]) -> str:
    from click import NoSuchOption

    from sdckit.cli.verb import verb_named

    name = next((each for each in typed if not each.startswith("-")), "")
    text = problem.format_message().rstrip(".")
    if isinstance(problem, NoSuchOption):
        meant = f" (did you mean {problem.possibilities[0]!r}?)" if problem.possibilities else ""
        text = f"there is no option {problem.option_name!r}{meant}"
    return f"{text}; see `{' '.join(filter(None, ('sdckit', name if verb_named(name) else '', '--help')))}`"
