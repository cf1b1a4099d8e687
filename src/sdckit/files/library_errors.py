"""What a library raises on a damaged file, as an error that the user understands."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from sdckit.errors import FileError, SdcError

PANIC = (
    "PanicException"  # of libraries in Rust: it is no `Exception`, so that it ends a process that does not expect it
)
OURS = Path(__file__).parents[1]


def readable_by_library(path: str | Path, title: str) -> AbstractContextManager[None]:
    """While the block reads a file, a failure inside a library is a `FileError`; one of our own code is not hidden."""
    return _failing_with(f"{path} cannot be read: it is damaged, or not a file of the format {title}")


def writable_by_library(path: str | Path, title: str) -> AbstractContextManager[None]:
    """While the block writes a file, a failure inside a library is a `FileError`; one of our own code is not hidden."""
    return _failing_with(f"{path} cannot be written in the format {title}; use another format")


@contextmanager
def _failing_with(message: str) -> Iterator[None]:
    try:
        yield
    except (SdcError, ImportError, OSError, MemoryError):
        raise
    except BaseException as problem:
        if isinstance(problem, Exception) and _in_our_code(problem):
            raise
        if not isinstance(problem, Exception) and type(problem).__name__ != PANIC:
            raise
        reason = (str(problem).splitlines() or [""])[0][:120]
        raise FileError(f"{message} ({type(problem).__name__}{f': {reason}' if reason else ''})") from None


def _in_our_code(problem: BaseException) -> bool:
    """Whether the error was raised by a line of this package."""
    trace = problem.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return (
        trace is not None and Path(trace.tb_frame.f_code.co_filename).is_relative_to(OURS) and not _of_compiled(problem)
    )


def _of_compiled(problem: BaseException) -> bool:
    """Whether a line of ours called compiled code, which has no line of its own in the trace."""
    return isinstance(problem, UnicodeError) or type(problem).__module__ not in ("builtins", OURS.name)
