"""Private files: their owner alone can read them, from the first byte on."""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from sdckit import datasets, protect, report, sweep
from sdckit.errors import SdcError
from sdckit.evaluation.assess import assess
from sdckit.evaluation.publish import new_folder
from sdckit.files.atomic import replacing
from sdckit.files.key_file import read_key, write_key
from sdckit.key import Key, _checksum
from sdckit.release import Release

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions of this kind are of POSIX systems")


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    """Whatever the user's umask is: the default permissions let everybody read."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture(scope="module")
def release() -> Release:
    return protect(datasets.simulate_business(30, seed=1), "mdav", seed=2**127 + 9)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_private_while_it_is_written(tmp_path: Path) -> None:
    with replacing(tmp_path / "out.csv") as temporary:
        assert mode(temporary) == 0o600
        temporary.write_text("x")
        assert mode(temporary) == 0o600
    assert mode(tmp_path / "out.csv") == 0o644
    (tmp_path / "out.csv").chmod(0o640)
    with replacing(tmp_path / "out.csv", force=True) as temporary:
        temporary.write_text("y")
    assert mode(tmp_path / "out.csv") == 0o640
    with new_folder(tmp_path / "release") as folder:
        assert mode(folder) == 0o700
    assert mode(tmp_path / "release") == 0o755


@pytest.mark.slow
def test_the_internal_report_and_its_dossier_are_private_and_the_public_ones_are_not(
    release: Release, tmp_path: Path
) -> None:
    from sdckit.reporting.document import describe_dossier

    result = assess(release, ["distance-linkage", "il1"])
    (tmp_path / "internal.html").write_text("an old report that everybody could read")
    for name, public, expected in (("internal", False, 0o600), ("public", True, 0o644)):
        document = describe_dossier(result, public=public)
        assert mode(report(document, tmp_path / f"{name}.html", force=True)) == expected
        assert mode(document.write(tmp_path / f"{name}.json")) == expected
        assert mode(report(result, tmp_path / f"{name}-2.html", public=public)) == expected


def test_points_of_a_sweep_are_private(tmp_path: Path) -> None:
    data = datasets.simulate_business(30, seed=1)
    sweep(data, ["rounding"], measures=["il1", "distance-linkage"], seeds=1, workers=1, folder=tmp_path)
    points = list((tmp_path / "points").iterdir())
    assert points and all(mode(path) == 0o600 for path in points)


def test_a_key_cut_short_anywhere_is_refused_in_one_line(release: Release, tmp_path: Path) -> None:
    path = write_key(Key.of(release), tmp_path / "key")
    text = path.read_text()
    for end in [*range(0, len(text) - 2, 37), len(text) - 2]:
        path.write_text(text[:end])
        with pytest.raises(SdcError, match="key"):
            read_key(path)


def test_an_edited_key_is_refused_or_names_other_files(release: Release, tmp_path: Path) -> None:
    content = json.loads(Key.of(release).to_json())
    entries = [(key,) for key in content if key != "checksum"]
    entries += [(key, inner) for key in ("original", "masked", "rows") for inner in content[key]]
    for entry in entries:
        for value in (None, True, -1, 0, 10**30, "x", "", [], {}, [[]], "eJwDAAAAAAE="):
            edited = json.loads(json.dumps(content))
            within = edited if len(entry) == 1 else edited[entry[0]]
            if within[entry[-1]] == value:
                continue
            within[entry[-1]] = value
            for forged in (False, True):
                edited.pop("checksum", None)
                edited["checksum"] = _checksum(edited) if forged else content["checksum"]
                (tmp_path / "key").write_text(json.dumps(edited))
                attempt(tmp_path / "key", release, forged=forged)


def attempt(path: Path, release: Release, *, forged: bool) -> None:
    """An error of one line; a key can be read only where its checksum was computed anew."""
    message = ""
    try:
        read_key(path).release(release.original, release.masked)
    except SdcError as problem:
        message = str(problem)
    assert "\n" not in message and (message or forged)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "[" * 100_000, "\x00", '{"format": "sdckit-key"}', "1e999"])
def test_what_is_no_key_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "key").write_text(text)
    with pytest.raises(SdcError, match="key"):
        read_key(tmp_path / "key")
