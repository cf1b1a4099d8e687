"""A sweep continues only from points that it wrote itself, for the same data, settings and version."""

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars
import pytest

import sdckit
from sdckit.evaluation import experiment as module
from sdckit.evaluation.experiment import Experiment, Trial, chosen_measures
from sdckit.evaluation.point_store import PointStore, user_secret
from sdckit.external import External
from sdckit.intruder import Intruder, OtherRelease
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.testing.files import ordinary

TRIAL = Trial.of(Recipe.of("rounding"), 0)


@pytest.fixture(autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of the test's own."""
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder


def experiment(folder: Path, intruder: Intruder = Intruder(), data: Microdata | None = None) -> Experiment:
    file = data or ordinary()
    return Experiment(file, chosen_measures(["il1s"], file), intruder, folder)


def test_a_point_is_read_again(tmp_path: Path) -> None:
    made = experiment(tmp_path).run(TRIAL)
    assert experiment(tmp_path).finished(TRIAL) == made


def test_any_change_of_a_byte_makes_it_unbelievable(tmp_path: Path) -> None:
    first = experiment(tmp_path)
    first.run(TRIAL)
    path = first.cache_path(TRIAL)
    assert path is not None
    whole = path.read_bytes()
    for position in range(0, len(whole), 7):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        found = experiment(tmp_path).finished(TRIAL)
        assert found is None, position
        path.write_bytes(whole[:position])
        assert experiment(tmp_path).finished(TRIAL) is None


def test_a_point_of_another_trial_under_this_name_is_not_believed(tmp_path: Path) -> None:
    first, other = experiment(tmp_path), Trial.of(Recipe.of("rounding"), 1)
    first.run(TRIAL)
    path, elsewhere = first.cache_path(TRIAL), first.cache_path(other)
    assert path is not None and elsewhere is not None
    elsewhere.write_bytes(path.read_bytes())
    assert first.finished(other) is None


def test_whoever_lacks_the_secret_cannot_write_a_point(tmp_path: Path) -> None:
    first = experiment(tmp_path)
    made = first.run(TRIAL)
    forger = Experiment(first.data, first.measures, first.intruder, tmp_path)
    forger.__dict__["store"] = PointStore(tmp_path, b"guess" * 6)
    assert made.point is not None
    forged = {"point": made.point.to_dict() | {"scores": {"il1s": 0.0}}, "masked": made.masked, "problem": ""}
    forger.store.write("rounding", forger._subject(TRIAL), forged)
    assert first.finished(TRIAL) is None
    assert first.run(TRIAL) == made  # computed again


def test_the_secret_is_private_and_drawn_again_where_others_can_read_it(state: Path) -> None:
    secret = user_secret()
    path = state / "sdckit" / "points.secret"
    assert user_secret() == secret and stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    assert user_secret() != secret and stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_bytes(b"short")
    assert len(user_secret()) == 32


def test_without_a_place_for_the_secret_nothing_is_believed_later(tmp_path: Path, state: Path) -> None:
    (state / "sdckit").write_text("a file where the folder should be", encoding="utf-8")
    experiment(tmp_path).run(TRIAL)
    assert experiment(tmp_path).finished(TRIAL) is None


def other_settings() -> dict[str, Experiment]:
    """Experiments that differ from the first one in one thing that a point depends on."""
    data = ordinary()
    keys = list(data.names(kind=sdckit.Kind.CONTINUOUS))[:2]
    frame = polars.DataFrame({name: data.values(name) for name in keys})
    tens = {keys[0]: lambda values: values * 10}
    hundreds = {keys[0]: lambda values: values * 100}
    masked = data.only(keys)
    moved = masked.with_columns({keys[0]: masked.columns[keys[0]] + 1.0})
    intruders = {
        "known attributes": Intruder(attributes=[keys[0]]),
        "a file of his own": Intruder(file=External(frame)),
        "other units": Intruder(file=External(frame, convert=tens)),
        "other units again": Intruder(file=External(frame, convert=hundreds)),
        "fewer present": Intruder(file=External(frame, present=0.5)),
        "other people": Intruder(file=External(frame, record=[*range(1, len(frame)), 0])),
        "another release": Intruder(also=(OtherRelease(masked),)),
        "a changed one": Intruder(also=(OtherRelease(moved),)),
        "other links": Intruder(also=(OtherRelease(masked, row_of=np.arange(len(data))[::-1]),)),
        "its recipe": Intruder(also=(OtherRelease(masked, Recipe.of("rounding")),)),
    }
    changed = data.with_columns({keys[0]: data.columns[keys[0]] + 1e-9})
    renamed = replace(data, attributes=tuple(replace(each, label="new") for each in data.attributes))
    more = {
        "the data": Experiment(changed, chosen_measures(["il1s"], data)),
        "the schema": Experiment(renamed, chosen_measures(["il1s"], data)),
        "the measures": Experiment(data, chosen_measures(["il1"], data)),
        "nothing": Experiment(data, chosen_measures(["il1s"], data)),
    }
    return {name: experiment(Path("."), each) for name, each in intruders.items()} | more


def test_whatever_a_point_depends_on_is_in_its_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {name: each.fingerprint for name, each in other_settings().items()}
    assert len(set(found.values())) == len(found), found
    assert other_settings()["nothing"].fingerprint == found["nothing"]  # and nothing of chance
    monkeypatch.setattr(module.sdckit, "__version__", "0.0.1")
    assert other_settings()["nothing"].fingerprint != found["nothing"]


def test_points_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    first = experiment(tmp_path)
    first.run(TRIAL)
    path = first.cache_path(TRIAL)
    assert path is not None and stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert json.loads(path.read_text(encoding="utf-8"))["code"]
