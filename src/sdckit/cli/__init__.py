"""The command line: one file a verb. Nothing heavy is imported before a verb runs, so that `--help` answers at once.

Exit codes: 0 done, 1 a policy is not met, 2 a mistake that the user can mend, 130 interrupted.
"""

import os
import sys
from collections.abc import Sequence

from sdckit.errors import SdcError, near_miss

USER_ERROR = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code; a mistake of the user's is one line on stderr, never a traceback."""
    given = [*(sys.argv[1:] if arguments is None else arguments)]  # `list` is a verb in this folder
    as_json = "--json" in given
    try:
        from sdckit.cli.app import app

        code = app(given, prog_name="sdckit", standalone_mode=False)
        sys.stdout.flush()
    except SdcError as problem:
        return _told(str(problem), as_json)
    except (BrokenPipeError, SystemExit):
        # The reader has gone, as with `| head` (typer makes a SystemExit of it). Python must not try again on leaving.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
        return 0
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename else ""
        return _told(f"{where}{problem.strerror or problem}; check the path and its permissions", as_json)
    except MemoryError:
        return _told("the file does not fit into memory; take fewer columns or records at a time", as_json)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Exception as problem:
        # Typer's own errors: an unknown option, a missing argument. They come from different packages in its versions.
        usage = getattr(problem, "format_message", None)
        if usage is not None:
            return _told(_cure(usage(), given), as_json)
        if type(problem).__name__ != "Abort":
            raise
        code = INTERRUPTED
    if code == INTERRUPTED:
        return _told("interrupted; a file that was being written is left as it was", as_json, INTERRUPTED)
    return code if isinstance(code, int) else 0


def _told(message: str, as_json: bool, code: int = USER_ERROR) -> int:
    line = " ".join(message.split())
    if as_json:
        import json

        print(json.dumps({"error": line}, ensure_ascii=False))
    else:
        print(f"error: {line}", file=sys.stderr)
    return code


def _cure(usage: str, given: Sequence[str]) -> str:
    from sdckit.cli.app import VERBS

    verb = given[0] if given and given[0] in VERBS else None
    if usage.startswith("No such command"):
        return f"there is no verb {given[0]!r}{near_miss(given[0], VERBS)}"
    return f"{usage.rstrip('.')}; see `{' '.join(filter(None, ('sdckit', verb, '--help')))}`"
