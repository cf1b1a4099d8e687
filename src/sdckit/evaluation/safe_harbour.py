"""Safe Harbor: which columns look like one of the eighteen kinds of identifiers of the HIPAA Privacy Rule.

§ 164.514(b)(2) of the rule lists what has to be removed. A column is recognised by the words of its name and label, and
by the form of its values. What looks like nothing may still identify somebody: a scan finds candidates and no proof.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from sdckit.evaluation.identifier_forms import (
    is_account,
    is_address,
    is_coordinates,
    is_device,
    is_electronic_mail,
    is_exact_date,
    is_old_age,
    is_phone,
    is_small_area,
    is_social_security,
    is_vehicle,
    is_web_address,
)
from sdckit.frames.to_frame import polars_series
from sdckit.microdata import Attribute, Microdata, Role
from sdckit.schema import Schema

MOST_VALUES = 10_000  # distinct values of a column that are looked at
FEW_RECORDS = 20  # fewer distinct values than these prove no numbering
SPARSE = 10  # integers with gaps above this on average are amounts, no numbering of records
SHARE = 0.5  # of the values that have a form, from which the column has it
REMOVE = "give it the role 'identifier', by which it is never released"


@dataclass(frozen=True)
class Category:
    """One kind of identifier: the letter of the rule, words of names, the form of values, and what to do."""

    letter: str
    title: str
    words: str
    form: Callable[[str], bool] | None = None
    cure: str = REMOVE


AREAS = "release at most three digits of a ZIP code (hierarchy = { prefix = [2] }), none of an area of 20,000 or fewer"
DATES = 'release the year alone (hierarchy = { date = ["year"] })'
AGES = "release ages of 90 and more as one group (method top-bottom-recoding or global-recoding-breaks)"
CATEGORIES = (
    Category("A", "names", "name surname forename firstname lastname fullname maiden initials nickname"),
    Category(
        "B",
        "areas smaller than a state",
        "address street city town village county district parish municipality precinct zip zipcode postcode postal "
        "tract latitude longitude lat lon lng geocode gps coordinates",
        lambda text: is_small_area(text) or is_coordinates(text),
        AREAS,
    ),
    Category(
        "C",
        "dates and ages over 89",
        "date dob birth birthday birthdate admission admitted discharge discharged death died",
        is_exact_date,
        DATES,
    ),
    Category("D", "telephone numbers", "phone telephone tel mobile cellphone", is_phone),
    Category("E", "fax numbers", "fax"),
    Category("F", "e-mail addresses", "email mail", is_electronic_mail),
    Category("G", "social security numbers", "ssn socialsecurity nino", is_social_security),
    Category("H", "medical record numbers", "mrn medicalrecord recordnumber patientid patientnumber patientno caseid"),
    Category("I", "health plan numbers", "beneficiary memberid policynumber insuranceid insurancenumber hicn mbi"),
    Category("J", "account numbers", "account acct iban creditcard cardnumber", is_account),
    Category("K", "certificates and licences", "license licence certificate npi passport"),
    Category("L", "vehicles", "vin licenseplate plate vehicle", is_vehicle),
    Category("M", "devices", "serial serialnumber device imei udi macaddress", is_device),
    Category("N", "web addresses", "url website homepage", is_web_address),
    Category("O", "IP addresses", "ip ipaddress", is_address),
    Category("P", "biometric identifiers", "fingerprint voiceprint retina iris biometric dna genome"),
    Category("Q", "photographs of faces", "photo photograph picture portrait face image"),
)
NUMBERING = Category("R", "any other unique number or code", "id identifier uuid guid")


@dataclass(frozen=True)
class Finding:
    """A column that looks like an identifier, by what evidence, and what to do about it.

    `removed` says that it has the role of an identifier, so that no release contains it.
    """

    column: str
    letter: str
    title: str
    evidence: str
    cure: str
    removed: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)


def scan(data: Microdata) -> list[Finding]:
    """The columns of a file that look like identifiers, in the order of the file."""
    found = []
    for attribute in data.attributes:
        texts = [str(text) for text in polars_series(data, attribute).drop_nulls().unique().to_list()]
        removed = attribute.role is Role.IDENTIFIER
        found += _column(attribute.name, attribute.label, sorted(texts)[:MOST_VALUES], removed, attribute.coded)
        if found and found[-1].column == attribute.name:
            continue
        if len(texts) == len(data) - data.missing(attribute.name) >= FEW_RECORDS and _numbers_records(data, attribute):
            found.append(_finding(attribute.name, NUMBERING, "every record has a value of its own", removed))
    return found


def scan_schema(schema: Schema) -> list[Finding]:
    """The columns of a schema that look like identifiers, by names, labels and declared categories."""
    found = []
    for name, declared in schema.attributes.items():
        texts = [str(each) for each in declared.categories or ()]
        found += _column(name, declared.label or "", texts, declared.role is Role.IDENTIFIER, True)
    return found


def _numbers_records(data: Microdata, attribute: Attribute) -> bool:
    """Whether distinct values are codes: texts, or integers in the order of the records or with small gaps."""
    if attribute.coded or attribute.role is Role.WEIGHT:
        return attribute.coded
    column = data.columns[attribute.name]
    column = column[~np.isnan(column)]
    return attribute.integral and bool((np.diff(column) > 0).all() or np.ptp(column) < SPARSE * len(column))


def _column(name: str, label: str, texts: Sequence[str], removed: bool, coded: bool) -> list[Finding]:
    """What one column looks like; numbers alone, such as amounts of five digits, are no ZIP codes."""
    words, found = words_of(name) | words_of(label), []
    for category in CATEGORIES:
        named = sorted(words & set(category.words.split()))
        share = float(np.mean([category.form(text) for text in texts])) if category.form and texts else 0.0
        if category.letter in "BC" and texts and share == 0 and not _coarse_is_unclear(category, texts):
            named = []  # coarse enough as it is released: years, three digits of a ZIP code
        evidence = [f"its name or label contains {named[0]!r}"] if named else []
        if share >= SHARE and (coded or named):
            evidence.append(f"{100 * share:.0f} % of its values have this form")
        if evidence:
            found.append(_finding(name, category, ", ".join(evidence), removed))
    old = [text for text in texts if is_old_age(text)]
    if {"age", "ages"} & words and old:
        found.append(_finding(name, replace(CATEGORIES[2], cure=AGES), "it has ages over 89", removed))
    if not found and words & set(NUMBERING.words.split()):
        found.append(_finding(name, NUMBERING, "its name or label says that it is an identifier", removed))
    return found


def _coarse_is_unclear(category: Category, texts: Sequence[str]) -> bool:
    """Whether values do not look like what the rule allows: years, or three digits of a ZIP code."""
    allowed = r"\D*(1[89]|20)\d\d\D*|.*90.*\+|\*" if category.letter == "C" else r"\d{3}[*xX]*|\*"
    return not all(re.fullmatch(allowed, text) for text in texts)


def _finding(column: str, category: Category, evidence: str, removed: bool) -> Finding:
    return Finding(column, category.letter, category.title, evidence, category.cure, removed)


def words_of(text: str) -> set[str]:
    """The words of a name, with neighbours joined.

    >>> sorted(words_of("patientID"))
    ['id', 'patient', 'patientid']
    """
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", text)
    lower = [part.casefold() for part in parts]
    return {*lower, *("".join(pair) for pair in pairwise(lower)), "".join(lower)}
