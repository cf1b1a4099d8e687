"""Read mutated inputs in this process, one after the other, and print the outcome of each as a line of JSON.

`python -m torture._read_mutated FOLDER SUBJECT SEED FIRST LAST`: the parent process sees by the last line which input
ended this one. An outcome is ["ok" | "refused" | what went wrong, detail].
"""

import contextlib
import gc
import io
import json
import os
import resource
import signal
import sys
import unicodedata
import zlib
from pathlib import Path

import numpy as np

from torture._byte_mutations import mutated
from torture._document_mutations import mutated_document
from torture._subjects import FILE, Subject

ONCE_FAILED = Path(__file__).parent / "kept"
KEPT = -1  # in the place of a seed: read the inputs that failed once
LONGEST = 20.0  # seconds of computing for one input, after which the operating system ends this process
MEMORY = 12 * 2**30  # bytes of address space: a file of a few kilobytes may not ask for more


def mutated_input(subject: Subject, folder: Path, seed: int, number: int) -> bytes:
    """The mutated input with this number; the same whenever it is made from the same files."""
    rng = np.random.default_rng([seed, zlib.crc32(subject.name.encode()), number])
    content = subject.path.read_bytes()
    others = sorted(path for path in folder.iterdir() if path.is_file())
    other = others[int(rng.integers(len(others)))].read_bytes()
    if subject.document and rng.random() < 0.7:
        return mutated_document(content, subject.document, rng)
    return mutated(content, other, rng)


def kept_inputs(subject: Subject) -> list[Path]:
    """The inputs of a subject that failed once."""
    return sorted(ONCE_FAILED.glob(f"{subject.file_name} *"))


def outcome(command: tuple[str, ...], file: Path) -> tuple[str, str]:
    """Run a command on a file; "ok", "refused", or what is wrong with how it ended."""
    from sdckit.cli import main

    out, err = io.StringIO(), io.StringIO()
    arguments = [str(file) if word == FILE else word for word in command]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(arguments)
    except BaseException as problem:
        return "escaped", f"{type(problem).__name__}: {problem}"[:300]
    shown = err.getvalue()
    raw = [letter for letter in out.getvalue() + shown if unicodedata.category(letter) == "Cc" and letter != "\n"]
    if code == 3:
        return "own fault", " ".join(shown.split())[:200]
    if raw:
        return "control character", f"{raw[0]!r} in {' '.join((out.getvalue() + shown).split())[:200]!r}"
    if code not in (0, 1, 2):
        return "exit code", str(code)
    errors = [line for line in shown.splitlines() if line.startswith("error: ")]
    if code == 2 and command[0] != "check" and len(errors) != 1:
        return "not one line", " ".join(shown.split())[:300]
    if "Traceback" in shown:
        return "traceback", shown[-300:]
    return ("ok", "") if code in (0, 1) else ("refused", "")


def main(folder: Path, name: str, seed: int, first: int, last: int) -> None:
    """Read the inputs from `first` up to `last`."""
    from torture.mutated_inputs import load_subjects

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    subject = next(each for each in load_subjects(folder) if each.name == name)
    channel = os.fdopen(os.dup(1), "w")
    work = folder.parent / f"work-{os.getpid()}"
    work.mkdir(exist_ok=True)
    for each in folder.iterdir():
        (work / each.name).write_bytes(each.read_bytes())
    os.chdir(work)
    for command in subject.commands:
        outcome(command, subject.path)
    gc.freeze()  # what is imported stays, and need not be looked through with every input
    for number in range(first, last):
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        print(json.dumps([number, "begun", ""]), file=channel, flush=True)
        file = work / f"mutated{subject.path.suffix}"
        kept = seed == KEPT
        content = kept_inputs(subject)[number].read_bytes() if kept else mutated_input(subject, folder, seed, number)
        file.write_bytes(content)
        for command in subject.commands:
            kind, detail = outcome(command, file)
            print(json.dumps([number, kind, f"{command[0]}: {detail}" if detail else ""]), file=channel, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:6]))
