"""A guess of the kind and the role of every attribute, with the reasons: a draft for the person who knows the file.

A guess depends on, in this order: patterns in the text (e-mail, telephone, IBAN, postcode), words in the column name,
and the values (all distinct, few codes, skewed amounts). In doubt it protects more.
"""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.attribute import Level
from sdckit.files.guess_rules import Facts, Verdict, judge
from sdckit.files.missing_codes import missing_codes
from sdckit.graph import Graph
from sdckit.households import declared_or_equal
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.node_labels import NODE
from sdckit.schema import Declared, Schema

SAMPLE = 2000  # values of a text column compared with the patterns


@dataclass(frozen=True)
class Guess:
    """A guessed schema, and the reasons for the guess of each attribute."""

    schema: Schema
    reasons: dict[str, list[str]]


def infer_schema(data: Microdata) -> Guess:
    """Guess the kinds and roles of a file's attributes from names, patterns and values."""
    known = Schema.of(data)
    verdicts = {attribute.name: _guess(data, attribute) for attribute in data.attributes}
    verdicts = _with_some_key(verdicts)
    attributes = {
        name: _declare(known.attributes[name], data.attribute(name), verdict) for name, verdict in verdicts.items()
    }
    reasons = {name: list(verdict.reasons) for name, verdict in verdicts.items()}
    roles = [replace(data.attribute(name), role=verdict.role) for name, verdict in verdicts.items()]
    for name, declared in declared_or_equal(data.with_columns({}, roles)).items():
        if not declared:
            attributes[name] = replace(attributes[name], level=Level.HOUSEHOLD)
            reasons[name].append("equal within every household")
    return Guess(Schema(attributes, data.edits), reasons)


def _guess(data: Microdata, attribute: Attribute) -> Verdict:
    """The guess for one column, without the codes that probably mark missing values."""
    if isinstance(data, Graph) and attribute.name == NODE:
        return Verdict(Role.IDENTIFIER, ("the labels of the nodes, which are not released",))
    facts = facts_of(data, attribute)
    proposed = None if facts.temporal else missing_codes(attribute, facts.numbers)
    if proposed is None or facts.numbers is None:
        return judge(facts)
    if not proposed.declared:
        verdict = judge(facts)
        return replace(verdict, reasons=(*verdict.reasons, proposed.reason))
    others = facts.numbers[~np.isin(facts.numbers, proposed.codes)]
    distinct = len(np.unique(others))
    verdict = judge(replace(facts, numbers=others, present=len(others), distinct=distinct))
    return replace(verdict, reasons=(*verdict.reasons, proposed.reason), missing=proposed.codes)


def identifying_reason(data: Microdata, name: str) -> str | None:
    """Why a column is probably an identifier, whatever a schema declares; None where it is not."""
    verdict = judge(facts_of(data, data.attribute(name)))
    return "; ".join(verdict.reasons) if verdict.role is Role.IDENTIFIER else None


def facts_of(data: Microdata, attribute: Attribute) -> Facts:
    """The summary of one column."""
    column = data.columns[attribute.name][~data.absent(attribute.name)]
    values, counts = np.unique(column, return_counts=True)
    numbers: NDArray[np.float64] | None = column
    texts: list[str] = []
    if attribute.categories is not None:
        found = [attribute.categories[code] for code in values]
        whole = all(isinstance(value, int | float) and not isinstance(value, bool) for value in found)
        numbers = np.array([float(value) for value in found]).repeat(counts) if whole else None
        texts = [] if whole else [str(value) for value in found[:SAMPLE] if not isinstance(value, bool)]
    temporal = is_temporal(data, attribute.name)
    return Facts(attribute, len(data), len(column), len(values), numbers, texts, temporal)


def _with_some_key(verdicts: dict[str, Verdict]) -> dict[str, Verdict]:
    """The guesses with the numbers as keys where there is no other key: an intruder could only know these."""
    if any(verdict.role is Role.KEY for verdict in verdicts.values()):
        return verdicts
    why = "no other column could link a record to a person or firm, so the numbers are keys"
    return {
        name: replace(verdict, role=Role.KEY, reasons=(*verdict.reasons, why))
        if verdict.role is Role.CONFIDENTIAL
        else verdict
        for name, verdict in verdicts.items()
    }


def _declare(known: Declared, attribute: Attribute, verdict: Verdict) -> Declared:
    """The declaration of the attribute with the guessed role, and the guessed kind where none is known."""
    categories = known.categories and tuple(each for each in known.categories if each not in verdict.missing)
    declared = replace(known, role=verdict.role, missing=(*known.missing, *verdict.missing), categories=categories)
    if attribute.hierarchy is not None or verdict.kind is None:
        return declared
    if attribute.coded and verdict.kind & Kind.ORDERED and known.categories is None:
        return declared
    return replace(declared, kind=verdict.kind, hierarchy=verdict.hierarchy)


def is_temporal(data: Microdata, name: str) -> bool:
    """Whether the numbers of a column count days or microseconds."""
    dtype = data.form.types.get(name)
    return isinstance(dtype, pl.DataType) and dtype.is_temporal() and not data.attribute(name).coded
