"""Secrets: nothing that is published gives the seed, the order of the rows or an original value."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit import Microdata, protect
from sdckit.catalogue import entries
from sdckit.cli import main
from sdckit.digest import content_digest
from sdckit.draws import Draws, Secret
from sdckit.errors import SchemaError
from sdckit.evaluation.gate import Finding, Verdict
from sdckit.evaluation.policy import Policy
from sdckit.evaluation.publish import publish
from sdckit.files.key_file import write_key
from sdckit.files.release_files import read_release
from sdckit.key import Key, _checksum
from sdckit.masking import Masking
from sdckit.release import Release
from sdckit.rows import Unrelated
from tests.leaks.files import LONG_SEED, gone, installed_maskings, marked, releases_of_every_method
from tests.leaks.scan import content_of

POLICY = Policy.from_dict({"rules": [{"measure": "il1", "max": 10}]})
MET = Verdict((Finding(POLICY.rules[0], 0.5),))
QUICK = ("rank-swapping", "global-recoding", "additive-noise")


def scan_published(name: str, release: Release, folder: Path) -> None:
    """Publish a release and look into every file for the secret, its keys, the order and what was masked away."""
    assert release.secret is not None
    final = publish(release, MET, folder / name)
    content = "\n".join(content_of(path) for path in sorted((folder / name).iterdir()))
    secret = release.secret.value
    forms = [secret.hex(), str(int.from_bytes(secret, "big")), Draws.of(release.secret).key.hex()]
    forms += [content_digest(release.original, ordered=ordered) for ordered in (True, False)]
    forms += [content_digest(final.masked, ordered=True)]
    if not isinstance(final.rows, Unrelated):
        forms += [json.dumps(final.origin.tolist()), str(final.origin.tolist())]
    found = [form for form in forms if form in content]
    assert not found, f"{name}: {found}"
    left = {text for text in gone(release.original, release.masked) if text in content}
    assert not left, f"{name}: {sorted(left)[:3]}"


def test_nothing_private_is_published_by_a_few_methods(tmp_path: Path) -> None:
    for name, release in releases_of_every_method(marked(), QUICK):
        scan_published(name, release, tmp_path)


@pytest.mark.slow
def test_nothing_private_is_published_by_any_method(tmp_path: Path) -> None:
    names = [
        name for name, release in releases_of_every_method(marked()) if not scan_published(name, release, tmp_path)
    ]
    assert set(names) == installed_maskings()


def test_the_categories_of_a_recoding_are_not_published_with_the_recipe(tmp_path: Path) -> None:
    recoding = "global-recoding-groups:groups=BRANCH1X|BRANCH2X=far"
    release = protect(marked(), recoding, ["branch"], seed=LONG_SEED)
    scan_published("recoding", release, tmp_path)
    assert 'method = "global-recoding-groups"' in (tmp_path / "recoding" / "recipe.toml").read_text(encoding="utf-8")


def drawing() -> list[str]:
    return [
        entry.name
        for entry in entries("masking", Microdata)
        if issubclass(entry.component, Masking) and entry.component.draws_values and entry.component.seeded
    ]


@pytest.mark.parametrize("method", drawing())
def test_two_releases_share_no_noise(method: str) -> None:
    """With and without one record, or with other parameters: the difference of two releases is not the difference of
    the originals, and the noise in one says nothing about that in the other."""
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"x": rng.normal(0, 100, 300), "y": rng.normal(0, 100, 300)})
    secret = Secret.of(LONG_SEED)

    def released(data: pl.DataFrame, masking: object, secret: Secret) -> np.ndarray:
        return protect(Microdata.from_frame(data), masking, seed=secret).masked.columns["x"][:299]

    def noise(data: pl.DataFrame, masking: object) -> np.ndarray:
        """What the secret adds to the values that the method releases on average over secrets."""
        others = [released(data, masking, Secret.of(LONG_SEED + each)) for each in range(1, 17)]
        return released(data, masking, secret) - np.mean(others, axis=0)

    (entry,) = (each for each in entries("masking", Microdata) if each.name == method)
    grids = {each.name: each.grid for each in entry.parameters if each.grid}
    first = next(iter(grids), None)
    one, *others = [entry.build(**{first: value}) for value in grids[first][-2:]] if first else [entry.build()]
    whole = noise(frame, one)
    for again in (noise(frame.head(299), one), *(noise(frame, other) for other in others)):
        assert abs(np.corrcoef(whole, again)[0, 1]) < 0.25  # 4 standard errors


def test_trying_seeds_does_not_find_the_draws() -> None:
    data = Microdata.from_frame(pl.DataFrame({"x": np.random.default_rng(3).normal(0, 1, 20)}))
    released = protect(data, "additive-noise").masked.columns["x"]
    for seed in range(2000):
        assert not np.array_equal(protect(data, "additive-noise", seed=seed).masked.columns["x"], released)


@pytest.fixture
def two_files(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    frame = pl.DataFrame({"x": rng.normal(0, 9, 40).round(2), "n": rng.permutation(40)})
    frame.write_csv(tmp_path / "original.csv")
    words = ["protect", tmp_path / "original.csv", tmp_path / "masked.csv", "--method", "rank-swapping"]
    options = ["--attributes", "x", "--key-out", tmp_path / "key", "--recipe-out", tmp_path / "recipe.toml", "-q"]
    assert main([str(each) for each in [*words, *options]]) == 0
    return tmp_path


def with_key(folder: Path, verb: Sequence[object]) -> int:
    return main([str(each) for each in (*verb, "--key", folder / "key")])


@pytest.mark.parametrize("fault", ["lost", "cut", "foreign", "edited", "a folder", "not text"])
def test_every_verb_refuses_a_key_that_cannot_be_right(
    two_files: Path, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    key = two_files / "key"
    text = key.read_text(encoding="utf-8")
    key.unlink()
    if fault == "cut":
        key.write_text(text[: len(text) // 2], encoding="utf-8")
    elif fault == "foreign":
        write_key(Key.of(protect(pl.DataFrame({"x": [1.0, 2.0, 3.0]}), "mdav")), key)
    elif fault == "edited":
        key.write_text(text.replace('"records": 40', '"records": 41'), encoding="utf-8")
    elif fault == "a folder":
        key.mkdir()
    elif fault == "not text":
        key.write_bytes(b"\xff\xfe\x00\x01")
    (two_files / "policy.toml").write_text('[[rules]]\nmeasure = "il1"\nmax = 10\n', encoding="utf-8")
    original, masked, recipe = two_files / "original.csv", two_files / "masked.csv", two_files / "recipe.toml"
    policy = ("--original", original, "--policy", two_files / "policy.toml")
    for verb in (
        ("assess", original, masked),
        ("attack", original, masked, "--recipe", recipe),
        ("gate", masked, *policy),
        ("report", original, masked, two_files / "r.html"),
        ("publish", masked, *policy, "--recipe", recipe, "--out", two_files / "release"),
    ):
        assert with_key(two_files, verb) == 2, verb
        message = capsys.readouterr().err.strip()
        assert message.startswith("error: ") and "\n" not in message and "key" in message
    assert not (two_files / "release").exists() and not (two_files / "r.html").exists()


def test_a_forged_correspondence_is_refused_where_unmasked_columns_contradict_it(two_files: Path) -> None:
    content = json.loads((two_files / "key").read_text(encoding="utf-8"))
    release = read_release(two_files / "original.csv", two_files / "masked.csv", key=two_files / "key")
    other = Release(release.original, release.masked, None, type(release.rows)(release.origin[::-1].copy()))
    content["rows"] = json.loads(Key.of(other).to_json())["rows"]
    content.pop("checksum")
    (two_files / "key").write_text(json.dumps(content | {"checksum": _checksum(content)}), encoding="utf-8")
    files = (two_files / "original.csv", two_files / "masked.csv")
    with pytest.raises(SchemaError, match="rows of the key do not fit"):
        read_release(*files, key=two_files / "key", recipe=two_files / "recipe.toml")
