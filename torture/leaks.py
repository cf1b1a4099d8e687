"""Leak scanner: everything private is marked and sought in all that is published, by every masking in every format.

Of each trial, `protect` and `publish` write the masked file, its recipe and the folder that is handed over. Sought are
identifiers, values and labels that no longer occur, the key, the secret, digests of the original, paths and names of
this machine; and the published order of the rows must have nothing to do with that of the original.
"""

import contextlib
import io
import shutil
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy.stats import spearmanr

import sdckit
from sdckit.cli import main
from sdckit.files.formats import format_of
from sdckit.files.key_file import read_key
from sdckit.files.release_files import read_masked
from sdckit.microdata import Microdata
from sdckit.rows import origin_of
from sdckit.schema import Schema
from torture._files import writable_suffixes
from torture._log import Log
from torture._marked_file import marked_file
from torture._private_marks import marks_of, scanned

COUNT = 10_000  # more than there are: every masking in every format
POLICY = '[[rules]]\nmeasure = "il1"\nmax = 1e30\noptional = true\n'
UNUSUAL = 5.0  # standard errors of a rank correlation


def run(count: int, seed: int, log: Log) -> None:
    """Scan `count` combinations of a masking and a format, all of them where there are fewer."""
    every = [
        (entry.name, suffix) for entry in sdckit.entries("masking", sdckit.Microdata) for suffix in writable_suffixes()
    ]
    chosen = np.random.default_rng(seed).permutation(len(every))[:count]
    data = marked_file(seed)
    with TemporaryDirectory(prefix="torture-") as name:
        for number in np.sort(chosen):
            method, suffix = every[int(number)]
            folder = Path(name) / f"trial-{number}"
            folder.mkdir()
            _trial(data, method, suffix, folder, log)
            shutil.rmtree(folder)
        _private_files(data, Path(name), log)


def _trial(data: Microdata, method: str, suffix: str, folder: Path, log: Log) -> None:
    original, masked, schema = folder / f"original{suffix}", folder / f"masked{suffix}", folder / "schema.toml"
    write_whole(data, original)
    schema.write_text(Schema.of(data).to_toml(), encoding="utf-8")
    (folder / "policy.toml").write_text(POLICY, encoding="utf-8")
    recipe, key, out = folder / "recipe.toml", folder / "masked.key", folder / "out"
    code, shown = command(
        *("protect", original, masked, "--schema", schema, "--method", method, "--recipe-out", recipe, "--key-out", key)
    )
    if code != 0:
        log.count(f"protect refused: {shown[:90]}")
        return
    files = [masked, recipe]
    code, shown = command(
        *("publish", masked, "--original", original, "--schema", schema, "--policy", folder / "policy.toml"),
        *("--recipe", recipe, "--key", key, "--out", out, "--key-out", folder / "out.key"),
    )
    if code == 0:
        files += [path for path in out.rglob("*") if path.is_file()]
        _order(folder / "out.key", f"{method} {suffix}", log)
    elif code == 3:
        log.failure(f"{method} {suffix}: publish fails: {shown[:200]}")
    log.count("published" if code == 0 else f"publish refused: {shown[:90]}")
    marks = marks_of(data, read_masked(masked, Schema.of(data)), key, folder)
    log.outcomes["files scanned"] += len(files)
    for path, meaning in scanned(files, marks):
        log.failure(f"{method} {suffix}: {path.relative_to(folder)} contains {meaning}")


def write_whole(data: Microdata, path: Path) -> None:
    """Write a file with its identifiers, as its owner has it."""
    found = format_of(path.suffix)
    assert found is not None and found.write is not None
    found.write(data, path, False)


def command(*words: object) -> tuple[int, str]:
    """Run the command line; its exit code and what it printed on stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(word) for word in words])
    errors = [line for line in err.getvalue().splitlines() if line.startswith("error")]
    return code, errors[-1] if errors else err.getvalue()


def _order(key: Path, title: str, log: Log) -> None:
    rows = read_key(key).rows
    try:
        origin = origin_of(rows)
    except sdckit.SdcError:
        return
    correlation = float(spearmanr(origin, np.arange(len(origin))).statistic)
    if abs(correlation) * np.sqrt(len(origin)) > UNUSUAL:
        log.failure(f"{title}: the published order follows that of the original (rank correlation {correlation:.2f})")


def _private_files(data: Microdata, folder: Path, log: Log) -> None:
    """Files that are never published can be read by their owner alone."""
    original, masked, schema = folder / "original.csv", folder / "masked.csv", folder / "schema.toml"
    write_whole(data, original)
    schema.write_text(Schema.of(data).to_toml(), encoding="utf-8")
    key, report, dossier, receipt = (folder / name for name in ("a.key", "a.html", "a.json", "b.json"))
    protect = ("protect", original, masked, "--schema", schema, "--method", "mdav", "--key-out", key)
    measure = ("report", original, masked, report, "--schema", schema, "--key", key, "--json-out", dossier)
    subject = ("receipt", original, masked, "--schema", schema, "--record", 0, "--out", receipt)
    sweep = ("sweep", original, "--schema", schema, "--methods", "mdav", "--seeds", 1, "--out", folder / "map")
    for words in (
        protect,
        measure,
        subject,
        (*sweep, "--measure", "il1", "--measure", "distance-linkage", "--workers", 1),
    ):
        code, shown = command(*words)
        if code != 0:
            log.failure(f"{words[0]} on the marked file ends with exit code {code}: {shown[:200]}")
    private = [key, report, dossier, receipt, receipt.with_suffix(".txt"), *(folder / "map" / "points").rglob("*.json")]
    for path in filter(Path.is_file, private):
        mode = stat.S_IMODE(path.stat().st_mode)
        log.count("private files")
        if mode & 0o077:
            log.failure(f"the private file {path.relative_to(folder)} has mode {mode:o}, not 600")
