"""The private key: it restores the correspondence of exactly the files it was made of."""

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit import Microdata, Release, protect, write
from sdckit.draws import Secret
from sdckit.errors import FileError, NotApplicableError, SchemaError
from sdckit.evaluation.release_counts import release_counts, stage_of
from sdckit.files import read
from sdckit.files.key_file import read_key, write_key
from sdckit.key import Key, _checksum
from sdckit.rows import Matched, Sampled, Unknown, Unrelated
from sdckit.testing.files import a_file


def plain(data: Microdata, rows: object = slice(None)) -> Microdata:
    """The file as a stranger would read it: no lineage."""
    return Microdata(data.attributes, {name: column[rows] for name, column in data.columns.items()})


@pytest.fixture(scope="module")
def shuffled() -> Release:
    """A file masked and put in a random order."""
    release = protect(a_file(40), "rank-swapping", seed=1)
    order = np.random.default_rng(3).permutation(40)
    return Release(release.original, plain(release.masked, order), release.recipe, Matched(order))


@pytest.fixture(scope="module")
def key(shuffled: Release) -> Key:
    return Key.of(shuffled)


@given(st.permutations(range(15)), st.integers(1, 15))
def test_any_order_and_any_sample_comes_back_through_the_text(order: list[int], size: int) -> None:
    data = a_file(15)
    origin = np.array(order[:size])
    release = Release(data, plain(data.without(["name"]), origin), None, Sampled(origin))
    again = Key.from_json(Key.of(release).to_json()).release(data, release.masked)
    assert np.array_equal(again.origin, origin)
    assert isinstance(again.rows, Matched if size == 15 else Sampled)


def test_a_row_of_no_record_and_a_synthesis_come_back() -> None:
    data = a_file(5)
    for rows in (Sampled(np.array([4, -1, 0, 1, 2])), Unrelated()):
        release = Release(data, plain(data), None, rows)
        again = Key.from_json(Key.of(release).to_json()).release(data, plain(data))
        assert type(again.rows) is type(rows)
        assert np.array_equal(again.known_origin, release.known_origin)


def test_a_release_whose_rows_are_not_known_has_no_key() -> None:
    release = Release(a_file(5), plain(a_file(5)), None, Unknown("nothing shows it"))
    with pytest.raises(NotApplicableError, match="nothing shows it"):
        Key.of(release)


def test_the_key_finds_the_rows_of_a_written_file(shuffled: Release, tmp_path: Path) -> None:
    write(shuffled.masked, tmp_path / "masked.parquet")
    masked = read(tmp_path / "masked.parquet")
    written = Key.of(Release(shuffled.original, masked, shuffled.recipe, shuffled.rows))
    write_key(written, tmp_path / "release.key")
    again = read_key(tmp_path / "release.key").release(shuffled.original, masked, shuffled.recipe)
    assert np.array_equal(again.origin, shuffled.origin)


@pytest.mark.skipif(os.name != "posix", reason="permissions of this kind are of POSIX systems")
def test_a_key_file_is_for_its_owner_alone(key: Key, tmp_path: Path) -> None:
    path = tmp_path / "release.key"
    path.write_text("old")
    path.chmod(0o644)
    with pytest.raises(FileError, match="exists already"):
        write_key(key, path)
    write_key(key, path, force=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    write_key(key, tmp_path / "new.key")
    assert stat.S_IMODE((tmp_path / "new.key").stat().st_mode) == 0o600


def changed(data: Microdata) -> Microdata:
    age = data.columns["age"].copy()
    age[3] += 1
    return data.with_columns({"age": age})


def test_each_mistake_has_its_own_message(key: Key, shuffled: Release) -> None:
    original, masked = shuffled.original, shuffled.masked
    backwards = np.arange(40)[::-1]
    cases = {
        "exchanged": (plain(masked), plain(original)),
        "rows of the masked file were put in another order": (original, plain(masked, backwards)),
        "the masked file has 39 rows, and the key describes one of 40": (original, plain(masked, np.arange(39))),
        "the masked file is not the one that the key describes": (original, changed(masked)),
        "rows of the original were put in another order": (plain(original, backwards), masked),
        "the original has 30 rows": (plain(original, np.arange(30)), masked),
        "the original is not the one that the key describes": (changed(original), masked),
        "belongs to neither": (a_file(40, seed=5), plain(a_file(40, seed=6).without(["name"]))),
    }
    for message, (before, after) in cases.items():
        with pytest.raises(SchemaError, match=message) as problem:
            key.release(before, after, shuffled.recipe)
        assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: text[: len(text) // 2], "is not a key file"),
        (lambda text: "{}", "is not a key file"),
        (lambda text: "[1]", "is not a key file"),
        (lambda text: json.dumps(json.loads(text) | {"version": 9}), "is of version 9"),
        (lambda text: json.dumps(json.loads(text) | {"guessable": True}), "is damaged"),
        (lambda text: json.dumps({k: v for k, v in json.loads(text).items() if k != "rows"}), "is damaged"),
    ],
)
def test_a_damaged_key_is_refused(spoil, message: str, key: Key, tmp_path: Path) -> None:
    path = tmp_path / "release.key"
    path.write_text(spoil(key.to_json()))
    with pytest.raises(FileError, match=message):
        read_key(path)


@pytest.mark.parametrize(
    "changes",
    [{"rows": {"kind": "matched"}}, {"rows": {"kind": "matched", "origin": "!"}}, {"original": {}}, {"secret": "zz"}],
)
def test_a_key_with_other_content_than_a_key_has_is_refused(changes, key: Key) -> None:
    content = json.loads(key.to_json()) | changes
    del content["checksum"]
    with pytest.raises(FileError, match="is not a key file"):
        Key.from_json(json.dumps(content | {"checksum": _checksum(content)}))


@pytest.mark.parametrize("file", ["original", "masked"])
@pytest.mark.parametrize("wrong", [None, True, "40", 40.5, [40], {}])
@pytest.mark.parametrize("entry", ["records", "ordered", "unordered"])
def test_a_digest_of_wrong_types_is_refused_even_with_its_checksum(file: str, entry: str, wrong, key: Key) -> None:
    content = json.loads(key.to_json())
    del content["checksum"]
    content[file][entry] = wrong
    text = json.dumps(content | {"checksum": _checksum(content)})
    if isinstance(wrong, str) and entry != "records":
        assert getattr(getattr(Key.from_json(text), file), entry) == wrong
        return
    with pytest.raises(FileError, match="is not a key file"):
        Key.from_json(text)


@pytest.fixture(scope="module")
def counted() -> Key:
    """The key of a chain, with the counts after each step."""
    data, stages = a_file(40), []
    release = protect(
        data,
        ["rounding:base=10", "mdav"],
        seed=1,
        after_step=lambda name, file: stages.append(stage_of(len(stages) + 1, name, file, data)),
    )
    return Key.of(replace(release, counts=release_counts(release, stages)))


def test_the_counts_after_each_step_come_back_through_the_text(counted: Key) -> None:
    assert counted.counts is not None and len(counted.counts.steps) == 2
    assert Key.from_json(counted.to_json()).counts == counted.counts


def test_a_key_written_before_it_had_counts_is_read(counted: Key) -> None:
    content = json.loads(counted.to_json())
    del content["checksum"], content["counts"]
    old = Key.from_json(json.dumps(content | {"checksum": _checksum(content)}))
    assert old.counts is None and old.original == counted.original


@pytest.mark.parametrize("entry", ["keys", "stages", "attributes", "steps"])
@pytest.mark.parametrize("wrong", [None, 3, [3], [{}], [{"stage": 1, "attributes": []}]])
def test_counts_of_wrong_types_are_refused_even_with_their_checksum(entry: str, wrong, counted: Key) -> None:
    content = json.loads(counted.to_json())
    del content["checksum"]
    content["counts"][entry] = wrong
    with pytest.raises(FileError, match="is not a key file"):
        Key.from_json(json.dumps(content | {"checksum": _checksum(content)}))


def test_a_lost_key_and_a_file_that_is_no_text_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no key file"):
        read_key(tmp_path / "lost.key")
    (tmp_path / "picture.key").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(FileError, match="is not a key file"):
        read_key(tmp_path / "picture.key")
    with pytest.raises(FileError, match="is a folder"):
        read_key(tmp_path)


def test_the_key_shows_nothing_of_the_rows_when_printed(key: Key) -> None:
    assert "origin" not in repr(key).replace("original", "") and "secret" not in repr(key)


@pytest.mark.parametrize(
    ("secret", "kept", "guessable"),
    [
        (Secret.of(2**127 + 5), Secret.of(2**127 + 5), False),
        (Secret.of(7), Secret.of(7), True),
        (Secret.unknown(guessable=True), Secret(b"", True), True),
        (Secret.unknown(guessable=False), None, False),
        (None, None, False),
    ],
)
def test_the_secret_and_whether_it_can_be_guessed_come_back(secret, kept, guessable: bool) -> None:
    data = a_file(5)
    release = Release(data, plain(data), None, Matched(np.arange(5)), secret)
    key = Key.from_json(Key.of(release).to_json())
    assert key.guessable is guessable
    assert key.secret == (kept.value or None if kept is not None else None)
    assert key.release(data, plain(data)).secret == kept


def test_the_profile_of_the_original_comes_back() -> None:
    data = a_file(5)
    key = Key.of(Release(data, plain(data), None, Matched(np.arange(5))))
    assert key.profile is not None and Key.from_json(key.to_json()).profile == key.profile
    content = json.loads(key.to_json())
    assert (content["format"], content["version"], content["secret"], content["counts"]) == (
        "sdckit-key",
        1,
        None,
        None,
    )
    assert key.original.records == 5 and key.original.same_rows(key.original)


def test_a_value_that_only_looks_like_true_is_not_taken_for_it(key: Key) -> None:
    content = json.loads(key.to_json()) | {"guessable": 1}
    del content["checksum"]
    assert Key.from_json(json.dumps(content | {"checksum": _checksum(content)})).guessable is False
