"""Recoded attributes: the original as it is written in the release, so that both can be compared band by band."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute, Kind
from sdckit.bands import Bands
from sdckit.hierarchy import category_text
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
    table, meaning = became
    before = release.original.with_columns({name: table[release.original.columns[name]]}, [meaning])
    return before.only([name]), release.masked.with_columns({}, [meaning]).only([name])


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


def _became(release: Release, name: str) -> tuple[NDArray[np.int32], Attribute] | None:
    """The released code of each original one, the missing value last; None where nothing became a new category.

    A category of which every value was suppressed is counted as its node on the level of the others.
    """
    meaning = release.masked.attribute(name)
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
    table = np.append(np.where(single, highest, np.arange(categories)), -1).astype(np.int32)
    return _with_suppressed(table, meaning, np.flatnonzero(single), np.flatnonzero(highest < 0))


def _with_suppressed(
    table: NDArray[np.int32], meaning: Attribute, recoded: NDArray[np.int64], gone: NDArray[np.int64]
) -> tuple[NDArray[np.int32], Attribute]:
    """The table with the nodes of categories that no released row has, where all others climbed as many levels."""
    tree, texts = meaning.hierarchy, [category_text(each) for each in meaning.categories or ()]
    if tree is None or not len(gone):
        return table, meaning
    climbed = {tree.ancestors(texts[code]).index(texts[table[code]]) for code in recoded if texts[code] in tree}
    if len(climbed) != 1:
        return table, meaning
    (levels,) = climbed
    known = {text: code for code, text in enumerate(texts)}
    nodes = {int(code): tree.ancestors(texts[code])[levels] for code in gone if texts[code] in tree}
    new = [node for node in dict.fromkeys(nodes.values()) if node not in known]
    known |= {node: len(texts) + number for number, node in enumerate(new)}
    for code, node in nodes.items():
        table[code] = known[node]
    return table, replace(meaning, categories=(*(meaning.categories or ()), *new))
