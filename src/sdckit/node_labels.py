"""The labels of the nodes of a graph: an attribute that is an identifier."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute, Kind, Role

NODE = "node"  # the name of the attribute
Labels = Sequence[Any] | NDArray[Any]


def label_attribute(labels: Labels) -> tuple[Attribute, NDArray[Any]] | None:
    """The attribute of the labels and its column, numbers or categories; None for numbers from 0 in order."""
    numbers = _whole_numbers(labels)
    if numbers is not None and np.array_equal(numbers, np.arange(len(labels))):
        return None
    if numbers is not None:
        return Attribute(NODE, Kind.DISCRETE, Role.IDENTIFIER, integral=True), numbers.astype(np.float64)
    texts = tuple(dict.fromkeys(str(each) for each in labels))
    code = {text: number for number, text in enumerate(texts)}
    column = np.array([code[str(each)] for each in labels], dtype=np.int32)
    return Attribute(NODE, Kind.UNORDERED, Role.IDENTIFIER, categories=texts), column


def _whole_numbers(labels: Labels) -> NDArray[np.int64] | None:
    """The labels as whole numbers; None where one is written differently from the number that it is."""
    if isinstance(labels, np.ndarray) and labels.dtype == np.int64:
        return labels
    try:
        numbers = np.array([int(each) for each in labels], dtype=np.int64)
    except (TypeError, ValueError, OverflowError):
        return None
    return (
        numbers
        if all(str(number) == str(label) for number, label in zip(numbers.tolist(), labels, strict=True))
        else None
    )
