"""Categories and the tree above them, as the maskings of categories use it.

A masked value is a node of its attribute's hierarchy. The masked attribute keeps the original categories first and has
the inner nodes appended, so a code means the same in both files.
"""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.errors import SchemaError
from sdckit.hierarchy import ROOT, Hierarchy, category_text
from sdckit.microdata import Attribute

NOT_THERE = -1


def tree_of(attribute: Attribute) -> Hierarchy:
    """The hierarchy of a coded attribute; without one, nothing but the root is above its values."""
    if attribute.hierarchy is not None:
        return attribute.hierarchy
    return Hierarchy(dict.fromkeys((text for text in texts_of(attribute) if text != ROOT), ROOT))


def declared_tree(attribute: Attribute, owner: str) -> Hierarchy:
    """The hierarchy that a method cannot do without."""
    if attribute.hierarchy is None:
        raise SchemaError(
            f"{owner} needs the hierarchy of {attribute.name!r} and it has none; declare one in the schema, such as "
            "hierarchy = { prefix = [1, 2] }"
        )
    return attribute.hierarchy


def texts_of(attribute: Attribute) -> tuple[str, ...]:
    """The categories as nodes of the tree are written."""
    return tuple(category_text(category) for category in attribute.categories or ())


def with_nodes(attribute: Attribute, nodes: Iterable[str]) -> Attribute:
    """The attribute with the nodes that it lacks appended to its categories."""
    known = set(texts_of(attribute))
    new = [node for node in dict.fromkeys(nodes) if node not in known]
    return replace(attribute, categories=(*(attribute.categories or ()), *new)) if new else attribute


def code_table(attribute: Attribute, nodes: Iterable[str]) -> NDArray[np.int32]:
    """The codes of these nodes in an attribute that has them all."""
    code_of = {text: code for code, text in enumerate(texts_of(attribute))}
    return np.array([code_of[node] for node in nodes], dtype=np.int32)


def generalise(attribute: Attribute, levels: int, tree: Hierarchy) -> tuple[str, ...]:
    """For each category the node that number of levels up, at most the root."""
    return tuple(tree.generalise(text, levels) for text in texts_of(attribute))


def ancestor_table(attribute: Attribute) -> NDArray[np.bool_]:
    """Which categories (columns) are a category (row) itself or above it in the tree."""
    tree = tree_of(attribute)
    return turning_table(attribute, map(tree.ancestors, texts_of(attribute)))


def turning_table(attribute: Attribute, nodes: Iterable[Iterable[str]], *, hidden: bool = False) -> NDArray[np.bool_]:
    """Which categories (columns) are among the nodes that a category (row) can become.

    Where the step is hidden, a later one changed the nodes again, and a file that is read has the categories that occur
    in it and no others: a category that can become a node which is not there can have become anything.
    """
    texts = texts_of(attribute)
    code_of = {text: code for code, text in enumerate(texts)}
    table = np.zeros((len(texts), len(texts)), dtype=bool)
    for code, possible in enumerate(nodes):
        found = [code_of.get(node, NOT_THERE) for node in possible]
        if hidden and NOT_THERE in found:
            table[code] = True
        else:
            table[code, [each for each in found if each != NOT_THERE]] = True
    return table


def propagate(allowed: NDArray[np.bool_], turns_into: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What a set of categories can have become, where `turns_into[a, b]` says that a can become b.

    Where everything is possible nothing is known, and everything stays possible.
    """
    known = allowed.shape[1]
    possible = np.zeros((len(allowed), turns_into.shape[1]), dtype=bool)
    for code in np.flatnonzero(allowed.any(axis=0)):
        possible[allowed[:, code]] |= turns_into[code]
    possible[allowed.all(axis=1) & (known > 0)] = True
    return possible


def up_the_tree(known: Candidates, attributes: Iterable[Attribute]) -> Candidates:
    """A category can have become any node above it, or have stayed."""
    allowed = {
        each.name: propagate(known.allowed[each.name], ancestor_table(each))
        for each in attributes
        if each.name in known.allowed
    }
    return Candidates(known.records, allowed=allowed)
