"""Private files: their owner alone can read them, from the first byte on."""

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from sdckit import datasets, protect, report, sweep
from sdckit.cli import main
from sdckit.cli.outputs import outputs_of
from sdckit.cli.verb import every_verb
from sdckit.errors import SdcError
from sdckit.evaluation.assess import assess
from sdckit.evaluation.publish import new_folder
from sdckit.files.atomic import replacing
from sdckit.files.key_file import read_key, write_key
from sdckit.key import Key, _checksum
from sdckit.release import Release
from tests.cli.test_output_paths import path_parameters

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


PRIVATE_WORDS = ("private", "internal use", "never publish", "readable by you alone", "key and write")


def private_outputs() -> set[tuple[str, str]]:
    """The options that write what nobody else may read, by their help."""
    return {
        (verb, name)
        for verb, declared in every_verb().items()
        for name, parameter in path_parameters(verb).items()
        if name in outputs_of(declared.function) and any(word in (parameter.help or "") for word in PRIVATE_WORDS)
    }


def test_every_output_that_is_called_private_is_for_its_owner_alone(tmp_path: Path) -> None:
    people, safe, policy = tmp_path / "people.csv", tmp_path / "safe.csv", tmp_path / "policy.toml"
    rows = "".join(f"p{n},{20 + n * 7 % 50},{1000 + n * 13 % 700}\n" for n in range(40))
    people.write_text(f"name,age,pay\n{rows}", encoding="utf-8")
    policy.write_text('[[rules]]\nmeasure = "il1"\nmax = 100\n', encoding="utf-8")
    steps = ("--method", "additive-noise", "--attributes", "age,pay", "--recipe-out", tmp_path / "recipe.toml")
    written = {name: tmp_path / f"{name}.json" for name in ("key_out", "run_out", "receipt", "pseudonyms", "final")}
    report = tmp_path / "report.html"
    for path in (*written.values(), report):
        path.write_text("an old file that everybody could read", encoding="utf-8")
    schema = tmp_path / "schema.toml"
    declared = {"name": "identifier", "age": "key", "pay": "key"}
    schema.write_text("".join(f'[attributes.{name}]\nrole = "{role}"\n' for name, role in declared.items()))
    keys = ("--key-out", written["key_out"], "--run-out", written["run_out"], "--report", report)
    release = ("--policy", policy, "--recipe", tmp_path / "recipe.toml", "--key", written["key_out"])
    folder = ("--out", tmp_path / "release", "--key-out", written["final"])
    commands = {
        ("protect", "key_out"): ("protect", people, safe, "--schema", schema, *steps, *keys),
        ("receipt", "out"): ("receipt", people, safe, "--schema", schema, "--record", 0, "--out", written["receipt"]),
        ("pseudonymise", "key_out"): (
            *("pseudonymise", people, tmp_path / "p.csv", "--columns", "name", "--key-out", written["pseudonyms"]),
        ),
        ("publish", "key_out"): ("publish", safe, "--original", people, "--schema", schema, *release, *folder),
    }
    tried = {*commands, ("protect", "run_out"), ("protect", "report"), ("web", "state")}  # the last has its own tests
    assert private_outputs() == tried
    for command in commands.values():
        assert main([*map(str, command), "--force", "--quiet"]) == 0, command[0]
    for path in (*written.values(), written["receipt"].with_suffix(".txt"), report):
        assert mode(path) == 0o600, path.name
