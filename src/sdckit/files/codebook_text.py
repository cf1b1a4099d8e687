"""The DDI-Codebook (version 2.5) of a file, with what occurs in it and nothing else.

Every figure is computed from the file itself: categories with their frequencies, the range and mean of numbers, and how
many values are missing. What was masked away is not in it.
"""

from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from sdckit.attribute import Attribute, Kind, Level, Role
from sdckit.files.codebook import HOUSEHOLD, KIND_NOTE, ROLE_NOTE
from sdckit.formatting import printable
from sdckit.frames.to_frame import number_series
from sdckit.hierarchy import category_text
from sdckit.microdata import Microdata
from sdckit.occurring_values import only_occurring

NAMESPACE = "ddi:codebook:2_5"
CODED = (".sav", ".zsav")  # files that have the codes of missing values; others have empty cells
MOST_CATEGORIES = 1_000  # listed one by one


def codebook_text(data: Microdata, file_name: str) -> str:
    """The codebook of a file as XML text; identifiers are not in it, as no written file has them."""
    file = only_occurring(data.without(data.names(role=Role.IDENTIFIER)))
    root = Element("codeBook", {"xmlns": NAMESPACE, "version": "2.5"})
    citation = SubElement(SubElement(root, "stdyDscr"), "citation")
    SubElement(SubElement(citation, "titlStmt"), "titl").text = printable(file_name)
    described = SubElement(SubElement(root, "fileDscr", {"ID": "F1"}), "fileTxt")
    SubElement(described, "fileName").text = printable(file_name)
    sizes = SubElement(described, "dimensns")
    SubElement(sizes, "caseQnty").text = str(len(file))
    SubElement(sizes, "varQnty").text = str(len(file.attributes))
    variables = SubElement(root, "dataDscr")
    for number, each in enumerate(file.attributes, start=1):
        element = SubElement(variables, "var", {"ID": f"V{number}", "files": "F1"})
        _variable(element, file, each, with_codes=file_name.lower().endswith(CODED))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _variable(element: Element, file: Microdata, attribute: Attribute, *, with_codes: bool) -> None:
    name = attribute.name
    element.set("name", printable(name))
    element.set("intrvl", "contin" if attribute.kind is Kind.CONTINUOUS else "discrete")
    element.set("nature", _nature(attribute))
    if attribute.decimals:
        element.set("dcml", str(attribute.decimals))
    if attribute.role is Role.WEIGHT:
        element.set("wgt", "wgt")
    if attribute.label:
        SubElement(element, "labl").text = printable(attribute.label)
    if attribute.level is Level.HOUSEHOLD:
        SubElement(element, "anlysUnit").text = HOUSEHOLD
    reasons = file.form.reasons.get(name)
    codes = {} if reasons is None or not with_codes else reasons.codes_to_write(file.absent(name))
    if codes:
        invalid = SubElement(element, "invalrng")
        for code in codes:
            SubElement(invalid, "item", {"VALUE": category_text(code)})
    present = file.columns[name][~file.absent(name)]
    _statistics(element, file, attribute, present)
    for value, times in _categories(attribute, present):
        _category(element, value, attribute.value_labels.get(value), times)
    for code, rows in codes.items():
        _category(element, code, attribute.value_labels.get(code), int(rows.sum()), missing=True)
    text = attribute.categories is not None and any(isinstance(each, str) for each in attribute.categories)
    SubElement(element, "varFormat", {"type": "character" if text else "numeric"})
    SubElement(element, "notes", {"type": ROLE_NOTE}).text = attribute.role.value
    SubElement(element, "notes", {"type": KIND_NOTE}).text = attribute.kind.title


def _nature(attribute: Attribute) -> str:
    if attribute.kind & Kind.CATEGORICAL:
        return "nominal"
    return "ordinal" if attribute.coded else "ratio" if attribute.kind is Kind.CONTINUOUS else "interval"


def _statistics(element: Element, file: Microdata, attribute: Attribute, present: Any) -> None:
    """The number of values that are there and missing; of numbers also their range and mean."""
    figures = {"vald": str(len(present)), "invd": str(len(file) - len(present))}
    if not attribute.coded and len(present):
        ends = np.array([present.min(), present.max()])
        low, high = number_series(attribute, ends, file.form.types.get(attribute.name)).to_list()
        figures |= {"min": str(low), "max": str(high)}
        if isinstance(low, int | float):
            figures["mean"] = f"{present.mean():.10g}"
    for kind, figure in figures.items():
        SubElement(element, "sumStat", {"type": kind}).text = figure


def _categories(attribute: Attribute, present: Any) -> list[tuple[Any, int]]:
    """The values that are listed with their frequencies: categories, and numbers that have labels."""
    if attribute.categories is None and not attribute.value_labels:
        return []
    values, times = np.unique(present, return_counts=True)
    if attribute.categories is not None:
        if len(values) > MOST_CATEGORIES:
            return []
        return [(attribute.categories[code], int(count)) for code, count in zip(values, times, strict=True)]
    count = dict(zip(values.tolist(), times.tolist(), strict=True))
    labelled = [value for value in attribute.value_labels if isinstance(value, int | float) and float(value) in count]
    return [(value, int(count[float(value)])) for value in labelled]


def _category(element: Element, value: Any, label: str | None, times: int, *, missing: bool = False) -> None:
    category = SubElement(element, "catgry", {"missing": "Y"} if missing else {})
    SubElement(category, "catValu").text = printable(category_text(value))
    if label:
        SubElement(category, "labl").text = printable(label)
    SubElement(category, "catStat", {"type": "freq"}).text = str(times)
