"""Output whose reader may go away, as with `| head`: the verb goes on, and its exit code is what it would have been.

Output that cannot be written for another reason, such as a full disk, is an error once the verb is done.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO


class _LenientOutput:
    """A text stream that drops what nobody reads any more; `problem` is why the rest could not be written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.problem: OSError | None = None

    def write(self, text: str) -> int:
        """Write, or drop the text where the reader has gone."""
        try:
            return self._stream.write(text)
        except OSError as problem:
            self._drop_the_rest(problem)
            return len(text)

    def flush(self) -> None:
        """Flush, or drop what is pending where the reader has gone."""
        try:
            self._stream.flush()
        except OSError as problem:
            self._drop_the_rest(problem)

    def _drop_the_rest(self, problem: OSError) -> None:
        if not isinstance(problem, BrokenPipeError):
            self.problem = problem
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def survives_closed_pipe() -> Iterator[None]:
    """While the block runs, a closed pipe at stdout is not an error."""
    stream = sys.stdout
    if stream is None:  # started without a standard output
        with open(os.devnull, "w", encoding="utf-8") as sys.stdout:
            yield
        sys.stdout = stream
        return
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")  # a name that the terminal's encoding lacks is no error
    sys.stdout = output = _LenientOutput(stream)
    try:
        yield
    finally:
        output.flush()
        sys.stdout = stream
    if output.problem is not None:
        raise output.problem
