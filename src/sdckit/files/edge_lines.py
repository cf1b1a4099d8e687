"""The lines of an edge list whose nodes have names: labels, weights, and a line with the names of the columns."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sdckit.errors import FileError, private

SEPARATORS = ("\t", ",", ";")  # the first of these that the first line has; otherwise spaces
COLUMN_NAMES = (
    {"source", "from", "src", "node1", "node_1", "id_1", "one"},
    {"target", "to", "dst", "node2", "node_2", "id_2", "other"},
)
DATA = re.compile(r"\{.*\}\s*$")  # the attributes of an edge as networkx writes them
WEIGHT = re.compile(r"'weight': *([^,}]+)")


@dataclass
class EdgeLines:
    """The labels of the ends of each edge, the labels of single nodes, and the weights where there are any."""

    one: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)
    single: list[str] = field(default_factory=list)
    weight: list[float] | None = None


def edges_by_line(path: Path, text: str) -> EdgeLines:
    """The edges of a text with two labels in each line, and perhaps a weight."""
    found = EdgeLines()
    rows = [(number, fields) for number, fields in enumerate(_fields(text), start=1) if fields]
    if rows and _are_column_names(rows[0][1], [fields for _, fields in rows[1:4]]):
        rows = rows[1:]
    weighted = any(len(fields) == 3 for _, fields in rows)
    weights: list[float] = []
    for number, fields in rows:
        if len(fields) == 1:
            found.single.append(fields[0])
            continue
        if len(fields) > 3:
            raise FileError(
                f"{path}: edge {number} has {len(fields)} columns; write two, its ends, and perhaps a weight"
            )
        if weighted:
            weights.append(_weight(path, number, fields))
        found.one.append(fields[0])
        found.other.append(fields[1])
    found.weight = weights if weighted else None
    return found


def _fields(text: str) -> Iterator[list[str]]:
    lines = text.splitlines()
    separator = next((each for each in SEPARATORS if lines and each in lines[0]), None)
    if separator is None:
        for line in lines:
            data = DATA.search(line)
            given = WEIGHT.search(data[0]) if data else None
            yield [*(line[: data.start()] if data else line).split(), *([given[1]] if given else [])]
        return
    for row in csv.reader(lines, delimiter=separator, skipinitialspace=True):
        fields = [each.strip() for each in row]
        while fields and not fields[-1]:
            fields.pop()
        yield fields


def _are_column_names(first: list[str], others: list[list[str]]) -> bool:
    """Whether a first line names the columns: by usual names, or because all later labels are whole numbers."""
    if len(first) < 2 or not others:
        return False
    if names_of_ends(first):
        return True
    labels = [label for fields in others for label in fields[:2]]
    return all(map(str.isdecimal, labels)) and not any(map(str.isdecimal, first[:2]))


def names_of_ends(names: Sequence[str]) -> bool:
    """Whether the first two columns are named as the ends of edges usually are."""
    return len(names) > 1 and all(name.lower() in usual for name, usual in zip(names, COLUMN_NAMES, strict=False))


def _weight(path: Path, number: int, fields: list[str]) -> float:
    try:
        return float(fields[2])
    except IndexError:
        raise FileError(f"{path}: edge {number} has no weight, and others have; give each edge one") from None
    except ValueError:
        raise FileError(
            f"{path}: the third column of edge {number} is {private(fields[2])} and no weight; write a number, leave "
            "the column out, or separate labels that contain spaces by tabs"
        ) from None
