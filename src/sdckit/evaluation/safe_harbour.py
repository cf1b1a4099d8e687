"""Safe Harbor: which columns look like one of the eighteen kinds of identifiers of the HIPAA Privacy Rule.

§ 164.514(b)(2) of the rule lists what has to be removed. A column is recognised by the words of its name and label, and
by the form of its values. What looks like nothing may still identify somebody: a scan finds candidates and no proof.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Any

import numpy as np

from sdckit.evaluation.identifier_forms import (
    is_account,
    is_address,
    is_age,
    is_coordinates,
    is_device,
    is_electronic_mail,
    is_exact_date,
    is_few_people,
    is_old_age,
    is_old_birth,
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
BIRTHS = (
    'release the years of birth of people over 89 as one group (method global-recoding-breaks with unit = "year"), or '
    'ages in bands (unit = "age") up to 90'
)
FEW_PEOPLE = (
    "release 000 for areas of 20,000 people or fewer (hierarchy = {{ prefix = [2], together = {{ 000 = [{few}] }} }})"
)
BIRTH_WORDS = frozenset(["dob", "birth", "birthday", "birthdate", "birthyear", "yob", "born"])
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
        "date dob birth birthday birthdate birthyear yob born admission admitted discharge discharged death died",
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
        if _is_coarse(category, texts):
            continue
        named = sorted(words & set(category.words.split()))
        share = float(np.mean([category.form(text) for text in texts])) if category.form and texts else 0.0
        evidence = [f"its name or label contains {named[0]!r}"] if named else []
        if share >= SHARE and (coded or named):
            evidence.append(f"{100 * share:.0f} % of its values have this form")
        if evidence:
            found.append(_finding(name, category, ", ".join(evidence), removed))
    found += _exceptions(name, words, texts, removed)
    if not found and words & set(NUMBERING.words.split()):
        found.append(_finding(name, NUMBERING, "its name or label says that it is an identifier", removed))
    return found


def _is_coarse(category: Category, texts: Sequence[str]) -> bool:
    """Whether all values look like what the rule allows: years or bands of ages, or three digits of a ZIP code."""
    if category.letter not in "BC" or not texts:
        return False
    if category.letter == "B":
        return all(re.fullmatch(r"\d{3}|\d{0,3}[*xX]+", text) for text in texts)
    year = r"\D*(1[89]|20)\d\d(\D*|\s?[–-]\s?(1[89]|20)\d\d)|.*90.*\+|\*"
    return all(re.fullmatch(year, text) for text in texts) or _are_ages(texts)


def _are_ages(texts: Sequence[str]) -> bool:
    """Whether values are ages or bands of them, and not the days of a month or the months of a year."""
    return all(is_age(text) or text == "*" for text in texts) and any(
        not text.isdigit() or int(text) > 31 for text in texts
    )


def _exceptions(name: str, words: set[str], texts: Sequence[str], removed: bool) -> list[Finding]:
    """The values that the rule does not allow in a coarse column: few people in an area, ages over 89, early births."""
    areas, dates, found = CATEGORIES[1], CATEGORIES[2], []
    few = [text for text in texts if is_few_people(text)]
    if few and _is_coarse(areas, texts) and (words & set(areas.words.split()) or few[0].endswith("*")):
        starts = sorted({text[:3] for text in few})
        cure = FEW_PEOPLE.format(few=", ".join(f'"{start}"' for start in starts))
        what = "is an area" if len(starts) == 1 else "are areas"
        found.append((replace(areas, cure=cure), f"{', '.join(starts)} {what} of 20,000 people or fewer"))
    births = bool(words & BIRTH_WORDS)
    if ({"age", "ages"} & words or (births and _are_ages(texts))) and any(map(is_old_age, texts)):
        found.append((replace(dates, cure=AGES), "it has ages over 89"))
    if births and _is_coarse(dates, texts) and any(is_old_birth(text, date.today().year) for text in texts):
        found.append((replace(dates, cure=BIRTHS), "it has years of birth of people over 89"))
    return [_finding(name, category, evidence, removed) for category, evidence in found]


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
