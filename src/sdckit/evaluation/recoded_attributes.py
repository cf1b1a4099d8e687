"""Recoded attributes: the original as it is written in the release, so that both can be compared band by band."""

from dataclasses import replace

import numpy as np

from sdckit.attribute import Attribute, Kind
from sdckit.bands import Bands
from sdckit.microdata import Microdata
from sdckit.release import Release


def recoded_pair(release: Release, name: str) -> tuple[Microdata, Microdata] | None:
    """The column of both files in the categories of the release; None where it was not recoded.

    A number that was recoded to bands is counted by its band. Of categories, each one that became a single other one
    which the original lacks, such as a node of a hierarchy or a group, is counted as that one.
    """
    bands = release.masked.attribute(name).bands
    if bands is not None and None not in bands.labels:
        recoded = bands.recoded(release.original.matrix([name])[:, 0])
        before = release.original.with_matrix([name], recoded[:, None])
        return banded_categories(before, name, bands), banded_categories(release.masked, name, bands)
    if (
        not release.corresponds
        or not release.original.attribute(name).coded
        or not release.masked.attribute(name).coded
    ):
        return None
    became = _became(release, name)
    if became is None:
        return None
    codes = release.original.columns[name]
    before = release.original.with_columns({name: became[codes]}, [release.masked.attribute(name)])
    return before.only([name]), release.masked.only([name])


def banded_categories(data: Microdata, name: str, bands: Bands) -> Microdata:
    """A column of the numbers of bands as an ordered category of their texts."""
    column = data.matrix([name])[:, 0]
    numbers = np.array(bands.numbers)
    order = np.argsort(numbers)
    codes = order.argsort()[np.abs(numbers[None, :] - np.nan_to_num(column)[:, None]).argmin(axis=1)]
    codes = np.where(np.isnan(column), -1, codes)
    texts = tuple(str(bands.labels[index]) for index in order)
    meaning = Attribute(name, Kind.DISCRETE, data.attribute(name).role, categories=texts)
    return replace(data.only([name]), attributes=(meaning,), columns={name: codes})


def _became(release: Release, name: str) -> np.ndarray | None:
    """The released code of each original one, the missing value last; None where nothing became a new category."""
    categories = len(release.original.attribute(name).categories or ())
    origin = release.origin
    rows = np.flatnonzero(origin >= 0)
    before, after = release.original.columns[name][origin[rows]], release.masked.columns[name][rows]
    seen = (before >= 0) & (after >= 0)
    before, after = before[seen], after[seen]
    lowest, highest = np.full(categories, np.iinfo(np.int32).max), np.full(categories, -1)
    np.minimum.at(lowest, before, after)
    np.maximum.at(highest, before, after)
    single = (lowest == highest) & (highest >= categories)
    if not single.any():
        return None
    return np.append(np.where(single, highest, np.arange(categories)), -1).astype(np.int32)
