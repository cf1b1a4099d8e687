"""A file in which every private thing is marked, so that a scan finds it wherever it went."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec

import numpy as np
import polars as pl

from sdckit.catalogue import entries
from sdckit.errors import SdcError
from sdckit.hierarchy import Hierarchy
from sdckit.masking import Masking
from sdckit.microdata import Microdata, Role
from sdckit.release import Release, protect
from sdckit.schema import Declared, Schema

RECORDS = 200  # enough for every method
TOWNS = 24
LONG_SEED = 2**127 + 12345


def marked_frame(records: int = RECORDS) -> pl.DataFrame:
    """People whose name, town, grade and branch are marked text; most of the towns are of one person."""
    rng = np.random.default_rng(8)
    towns = [f"TOWN{number:03d}X" for number in range(TOWNS)]
    grades = [f"GRADE{number}X" for number in range(9)]
    return pl.DataFrame(
        {
            "name": [f"NAME{number:03d}X" for number in range(records)],
            "income": np.round(rng.lognormal(7, 0.6, records), 2),
            "hours": rng.integers(1, 60, records),
            "town": [*towns, *rng.choice(towns[:6], records - len(towns))],
            "grade": pl.Series(rng.choice(grades, records), dtype=pl.Enum([*grades, "GRADE_UNUSED_X"])),
            "branch": pl.Series([f"BRANCH{number}X" for number in rng.integers(0, 12, records)], dtype=pl.Categorical),
            "code": rng.integers(100, 130, records),
            "effort": pl.Series(rng.choice(["low", "mid", "high"], records), dtype=pl.Enum(["low", "mid", "high"])),
        }
    )


def marked_schema(frame: pl.DataFrame) -> Schema:
    """Every column declared; the codes have marked labels, the towns a tree of marked nodes."""
    towns = sorted(set(frame["town"]))
    tree = Hierarchy.by_levels([(town, f"NODE{int(town[4:7]) % 5}X", "*") for town in towns])
    return Schema(
        {
            "name": Declared(role=Role.named("identifier")),
            "income": Declared(role=Role.named("key")),
            "hours": Declared(role=Role.named("key")),
            "town": Declared(role=Role.named("key"), hierarchy=tree),
            "grade": Declared(role=Role.named("key")),
            "branch": Declared(role=Role.named("confidential")),
            "code": Declared(role=Role.named("key"), value_labels={code: f"LABEL{code}X" for code in range(100, 130)}),
            "effort": Declared(role=Role.named("key")),
        }
    )


def marked() -> Microdata:
    """The marked people as a file."""
    frame = marked_frame()
    return Microdata.from_frame(frame, schema=marked_schema(frame))


def installed_maskings() -> set[str]:
    """The maskings whose packages are there."""
    return {
        entry.name
        for entry in entries("masking", Microdata)
        if all(find_spec(package) is not None for package in getattr(entry.component, "requires", ()))
    }


def releases_of_every_method(data: Microdata, methods: Sequence[str] | None = None) -> Iterator[tuple[str, Release]]:
    """A release by each masking of the catalogue, or by those named, on the attributes that it can mask together."""
    for entry in entries("masking", Microdata):
        if methods is not None and entry.name not in methods:
            continue
        if entry.name not in installed_maskings():
            continue
        assert issubclass(entry.component, Masking)
        masking = entry.component(**entry.component.example)
        names = [each.name for each in data.attributes if each.kind & masking.kinds and each.name != "name"]
        for attributes in ((), tuple(names), *((name,) for name in names)):
            try:
                yield entry.name, protect(data, masking, attributes, seed=LONG_SEED)
                break
            except SdcError:
                continue


def gone(original: Microdata, released: Microdata) -> set[str]:
    """The marked texts of the original that no released value, and no label of a released value, has.

    Of a column that is released unchanged nothing is gone: the label of a value that nobody has was nobody's before.
    """
    there: set[str] = set()
    before: set[str] = {"GRADE_UNUSED_X"}
    for each in original.attributes:
        before |= {str(value) for value in original.values(each.name).tolist()} | set(each.value_labels.values())
        if each.name in released:
            if np.array_equal(original.columns[each.name], released.columns[each.name]):
                there |= set(each.value_labels.values())
            values = {str(value).removesuffix(".0") for value in released.values(each.name).tolist()}
            there |= values | {text for code, text in each.value_labels.items() if str(code) in values}
    return {text for text in before - there if text.endswith("X")}
