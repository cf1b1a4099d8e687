"""What is published: the file that was assessed, whole, and nothing private."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit import Microdata, Release, protect, read
from sdckit.digest import content_digest
from sdckit.draws import Secret
from sdckit.errors import FileError, NotApplicableError, ParameterError, SchemaError, SdcError
from sdckit.evaluation.gate import Finding, Verdict
from sdckit.evaluation.policy import Policy
from sdckit.evaluation.publish import CHECKSUMS, publish
from sdckit.key import Key
from sdckit.occurring_values import only_occurring
from sdckit.rows import Unknown
from sdckit.schema import Schema

POLICY = Policy.from_dict({"rules": [{"measure": "il1", "max": 10, "note": "MARKER-NOTE"}]})
MET = Verdict((Finding(POLICY.rules[0], 0.5),))
BROKEN = Verdict((Finding(POLICY.rules[0], 11.0),))


def survey(records: int = 40) -> Microdata:
    """People with a name, a town whose rarest value is masked away, and value labels."""
    rng = np.random.default_rng(4)
    frame = pl.DataFrame(
        {
            "name": [f"MARKER-NAME-{number}" for number in range(records)],
            "income": np.round(rng.lognormal(7, 0.5, records), 2),
            "town": ["MARKER-TOWN", *rng.choice(["Ely", "Rye"], records - 1)],
        }
    )
    data = Microdata.from_frame(frame, roles={"name": "identifier", "income": "key", "town": "confidential"})
    town = replace(data.attribute("town"), value_labels={"MARKER-TOWN": "MARKER-LABEL", "Ely": "the Isle of Ely"})
    return data.with_columns({}, [town])


@pytest.fixture
def release() -> Release:
    """The survey with swapped incomes, and the rare town changed to a common one."""
    masked = protect(survey(), "rank-swapping:window=0.3", ["income"], seed=2**127 + 1)
    town = masked.masked.columns["town"].copy()
    names = masked.masked.attribute("town").categories
    assert names is not None
    town[town == names.index("MARKER-TOWN")] = names.index("Ely")
    return replace(masked, masked=masked.masked.with_columns({"town": town}))


def test_the_folder_has_all_that_its_users_need(release: Release, tmp_path: Path) -> None:
    publish(release, MET, tmp_path / "out", more={"report-public.html": lambda path: path.write_text("a page")})
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"data.csv", "schema.toml", "recipe.toml", "report-public.html", "statement.json", CHECKSUMS}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    statement = json.loads((tmp_path / "out" / "statement.json").read_text(encoding="utf-8"))
    assert statement["records"] == 40 and statement["columns"] == ["income", "town"]
    assert statement["policy"]["met"] and statement["policy"]["rules"][0]["value"] == 0.5
    assert statement["recipe"][0]["method"] == "rank-swapping"


def test_the_published_file_is_the_one_that_was_assessed(release: Release, tmp_path: Path) -> None:
    publish(release, MET, tmp_path / "out")
    schema = Schema.from_toml(tmp_path / "out" / "schema.toml")
    data = read(tmp_path / "out" / "data.csv", schema)
    digest = content_digest(release.masked, ordered=False)
    assert content_digest(data, ordered=False) == digest
    assert json.loads((tmp_path / "out" / "statement.json").read_text())["digest"] == digest
    assert f'digest = "{digest}"' in (tmp_path / "out" / "recipe.toml").read_text()
    assert data.attribute("town").value_labels == {"Ely": "the Isle of Ely"}


def test_the_checksums_are_those_of_the_files(release: Release, tmp_path: Path) -> None:
    publish(release, MET, tmp_path / "out")
    lines = (tmp_path / "out" / CHECKSUMS).read_text().splitlines()
    named = dict(reversed(line.split("  ")) for line in lines)
    assert set(named) == {path.name for path in (tmp_path / "out").iterdir()} - {CHECKSUMS}
    for name, digest in named.items():
        assert hashlib.sha256((tmp_path / "out" / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("extension", ["csv", "parquet", "xlsx", "dta", "sav"])
def test_nothing_private_is_published(release: Release, tmp_path: Path, extension: str) -> None:
    publish(release, MET, tmp_path / "out", data_format=extension)
    for path in (tmp_path / "out").iterdir():
        content = path.read_bytes()
        assert b"MARKER" not in content, path.name
        assert content_digest(release.original, ordered=False).encode() not in content
    again = read(tmp_path / "out" / f"data.{extension}")
    assert "MARKER" not in str([(each.categories, each.value_labels) for each in again.attributes])


def test_a_label_goes_with_the_records_that_had_its_value(release: Release) -> None:
    """A column that no step masks has all its labels, until somebody changes it or leaves records out."""
    data = protect(survey(), "rank-swapping:window=0.3", ["income"], seed=1).masked
    assert "MARKER-TOWN" in only_occurring(data).attribute("town").value_labels
    town = np.array(data.columns["town"])
    town[0] = town[1]
    changed = data.with_columns({"town": town})
    without_the_first = [data.take(np.arange(1, 40)), data.take(np.array([1, *range(1, 40)]))]
    for each in (changed, *without_the_first):
        assert "MARKER-TOWN" not in only_occurring(each).attribute("town").value_labels


def test_rows_are_shuffled_unless_their_order_is_kept(release: Release, tmp_path: Path) -> None:
    final = publish(release, MET, tmp_path / "one")
    again = publish(release, MET, tmp_path / "two")
    kept = publish(release, MET, tmp_path / "three", shuffle_rows=False)
    orders = [each.origin.tolist() for each in (final, again, kept)]
    assert sorted(orders[0]) == sorted(orders[1]) == orders[2] == list(range(40))
    assert orders[0] != orders[1] and orders[0] != orders[2]
    income = read(tmp_path / "one" / "data.csv").columns["income"]
    assert np.allclose(income, release.masked.columns["income"][final.origin])


def test_the_key_of_the_published_file_finds_its_rows(release: Release, tmp_path: Path) -> None:
    final = publish(release, MET, tmp_path / "out")
    again = Key.of(final).release(release.original, read(tmp_path / "out" / "data.csv"))
    assert np.array_equal(again.origin, final.origin)


def test_the_key_is_written_before_the_folder_appears(release: Release, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    seen: list[bool] = []
    kept: list[Release] = []

    def keep(final: Release) -> None:
        seen.append(folder.exists())
        kept.append(final)

    final = publish(release, MET, folder, write_key=keep)
    assert seen == [False] and folder.exists()
    assert kept == [final]


def test_without_its_key_nothing_is_published(release: Release, tmp_path: Path) -> None:
    def fail(final: Release) -> None:
        raise FileError("the disk is full")

    with pytest.raises(FileError):
        publish(release, MET, tmp_path / "out", write_key=fail)
    assert list(tmp_path.iterdir()) == []


def test_a_release_that_must_not_be_published_leaves_nothing(release: Release, tmp_path: Path) -> None:
    identified = replace(release, masked=release.original.without([]))
    short = replace(release, secret=Secret.of(31337))
    cases = [
        (SdcError, "policy is not met", lambda: publish(release, BROKEN, tmp_path / "out")),
        (SchemaError, "identifier 'name'", lambda: publish(identified, MET, tmp_path / "out")),
        (ParameterError, "can be guessed", lambda: publish(short, MET, tmp_path / "out")),
        (ParameterError, "its recipe", lambda: publish(replace(release, recipe=None), MET, tmp_path / "out")),
        (
            NotApplicableError,
            "a reason",
            lambda: publish(replace(release, rows=Unknown("a reason")), MET, tmp_path / "out"),
        ),
    ]
    for kind, message, attempt in cases:
        with pytest.raises(kind, match=message):
            attempt()
        assert list(tmp_path.iterdir()) == []


def test_a_failure_half_way_leaves_nothing(release: Release, tmp_path: Path) -> None:
    def fail(path: Path) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        publish(release, MET, tmp_path / "out", more={"report.html": fail})
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_has_files_is_left_alone(release: Release, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious").write_text("mine")
    with pytest.raises(FileError, match="exists already"):
        publish(release, MET, tmp_path / "out")
    with pytest.raises(FileError, match="no folder"):
        publish(release, MET, tmp_path / "no" / "such" / "folder")


def test_notes_and_reasons_of_rules_are_free_text_and_stay_at_home(release: Release, tmp_path: Path) -> None:
    publish(release, MET, tmp_path / "out")
    assert "MARKER-NOTE" not in (tmp_path / "out" / "statement.json").read_text()


def test_published_data_have_the_same_values_and_fewer_categories(release: Release) -> None:
    data = only_occurring(release.masked)
    assert data.attribute("town").categories == ("Ely", "Rye")
    assert data.values("town").tolist() == release.masked.values("town").tolist()


def test_the_statement_has_the_differential_privacy_of_the_recipe(tmp_path: Path) -> None:
    private = protect(survey(), "randomised-response:epsilon=0.7", ["town"], seed=2**127 + 1)
    publish(private, MET, tmp_path / "out")
    statement = json.loads((tmp_path / "out" / "statement.json").read_text(encoding="utf-8"))
    guarantee = statement["differential_privacy"]
    assert guarantee["epsilon"] == 0.7 and guarantee["covered"] == ["town"] and guarantee["not_covered"] == ["income"]
    assert "the same length that differ in one record" in guarantee["neighbours"]


def test_a_recipe_without_a_guarantee_states_none(release: Release, tmp_path: Path) -> None:
    publish(release, MET, tmp_path / "out")
    assert "differential_privacy" not in json.loads((tmp_path / "out" / "statement.json").read_text(encoding="utf-8"))
