"""Syntheses to attack whose leak is known: drawn afresh, copied from the records, and a mixture of the two."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sdckit import Microdata, Release, protect
from sdckit.attribute import Attribute, Role
from sdckit.draws import Draws
from sdckit.masking import Masking, masking
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.rows import Rows

SHARES = (0.0, 0.3, 0.7, 1.0)


@masking("copy-or-draw", kind=Kind.ANY, reference="a stand-in for tests, 2025")
class CopyOrDraw(Masking):
    """Copy a random record with a probability, else draw a row from a fixed law that has nothing to do with them."""

    rows = Rows.SYNTHESISED

    copied: float = param(0.0, "share of rows that are copies", low=0, high=1)
    length: float = param(1.0, "rows for each record", low=0)

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        rng = draws.over(len(data)).generator("rows")
        rows = round(self.length * len(data))
        source = rng.permutation(len(data)) if rows == len(data) else rng.integers(len(data), size=rows)
        copies = rng.random(rows) < self.copied
        fresh = population(rows, rng)
        columns = {
            each.name: np.where(copies, data.columns[each.name][source], fresh.columns[each.name])
            for each in data.attributes
        }
        return data.with_rows(columns)


def population(records: int, rng: np.random.Generator | int) -> Microdata:
    """People drawn from one law: four numbers that go together, a category, and a confidential one."""
    rng = np.random.default_rng(rng) if isinstance(rng, int) else rng
    common = rng.standard_normal((records, 1))
    numbers = 0.6 * common + 0.8 * rng.standard_normal((records, 4))
    region = rng.integers(0, 4, records)
    illness = np.where(rng.random(records) < 0.3, (numbers[:, 0] > 0).astype(int), rng.integers(0, 5, records))
    keys = tuple(Attribute(name, Kind.CONTINUOUS, Role.KEY) for name in "abcd")
    return Microdata(
        (
            *keys,
            Attribute("region", Kind.UNORDERED, Role.KEY, categories=tuple("NESW")),
            Attribute("illness", Kind.UNORDERED, Role.CONFIDENTIAL, categories=tuple("vwxyz")),
        ),
        {**dict(zip("abcd", numbers.T, strict=True)), "region": region, "illness": illness},
    )


def release_of(copied: float, records: int = 400, seed: int = 1, *, control: int = 400, length: float = 1.0) -> Release:
    """A synthetic file of people, some of whom are copied, beside a control of other people of the same population."""
    release = protect(population(records, seed), CopyOrDraw(copied=copied, length=length), seed=seed)
    return replace(release, control=population(control, seed + 1000)) if control else release
