"""Occurring values: a file without the categories, labels, hierarchies, edits and index that no released value needs.

A category that was masked away, the label of a value that no longer occurs, a node of a hierarchy, the limit in an edit
and the index of a frame are content of the original. Whatever leaves the house goes through `only_occurring`. A column
that no step masked, of all records, has all its labels: nothing of it was masked away. A code of missing values occurs
where it is written.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sdckit.edits import Edits
from sdckit.microdata import Attribute, Microdata, same_value


def only_occurring(data: Microdata) -> Microdata:
    """The file with the categories and value labels that occur in it; no hierarchy, edit, index or lineage.

    >>> import polars
    >>> file = Microdata.from_frame(polars.DataFrame({"town": ["Ely", "Rye", "Ely"]})).take(np.array([0, 2]))
    >>> file.attribute("town").categories, only_occurring(file).attribute("town").categories
    (('Ely', 'Rye'), ('Ely',))
    """
    attributes, columns = [], dict(data.columns)
    for each in data.attributes:
        column = data.columns[each.name]
        bare = replace(each, hierarchy=None)
        missing = data.missing_codes(each.name)
        whole = each.name in data.form.unchanged
        if each.categories is None:
            occurring = np.unique(column[~np.isnan(column)]).tolist() if each.value_labels else []
            attributes.append(bare if whole else _with_labels_of(bare, [*occurring, *missing]))
            continue
        codes = np.unique(column[column >= 0])
        bands, bare = each.bands, replace(bare, bands=None)
        categories = tuple((bands.text(code) if bands is not None else None) or each.categories[code] for code in codes)
        if len(codes) < len(each.categories):
            table = np.full(len(each.categories) + 1, -1, dtype=np.int32)
            table[codes] = np.arange(len(codes))
            columns[each.name] = table[column]
        bare = replace(bare, categories=categories)
        attributes.append(bare if whole else _with_labels_of(bare, [*categories, *missing]))
    form = replace(data.form, index=None)
    return replace(data, attributes=tuple(attributes), columns=columns, edits=Edits(), form=form, lineage=None)


def _with_labels_of(attribute: Attribute, occurring: Sequence[object]) -> Attribute:
    texts = {same_value(value) for value in occurring}
    labels = {value: label for value, label in attribute.value_labels.items() if same_value(value) in texts}
    return replace(attribute, value_labels=labels)
