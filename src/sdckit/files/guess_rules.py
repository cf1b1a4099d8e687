"""The rules by which the role and the kind of one column are guessed, in the order in which they are tried."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.files.column_names import (
    AGE_WORDS,
    CODE_WORDS,
    ID_WORDS,
    ORDERED_WORDS,
    POSTCODE_WORDS,
    key_by_label,
    role_by_name,
    weight_by_label,
    words_of,
)
from sdckit.microdata import Attribute, Kind, Role

ALMOST_ALL = 0.9
FEW_CODES = 12
MANY = 50  # from here on, sorted integers are no accident
REPEATING = 0.5  # share of distinct values up to which codes repeat
OLDEST = 130  # no age is higher
LARGEST_HOUSEHOLD, MEAN_HOUSEHOLD = 30, 8  # records that share the number of a household
SPARSE_NUMBERS = 4  # a file with a quarter of the households still has ascending numbers of them
SHORTEST_NUMBER = 10_000  # shorter ones repeat in all but small files
HEAPED = 0.05  # share of multiples of a hundred beyond which people rounded the numbers
EVENLY = 1.63  # the distance of Kolmogorov and Smirnov that one of a hundred even spreads exceeds
PATTERNS = (
    ("an e-mail address", r"[^@\s]+@[^@\s]+\.[^@\s.]+"),
    ("an IBAN", r"[A-Z]{2}\d{2}( ?[A-Z0-9]{4}){2,7}( ?[A-Z0-9]{1,3})?"),
    ("a social-security number", r"\d{3}-\d{2}-\d{4}"),
    ("a telephone number", r"(\+|00)\d[\d ()/.-]{6,}\d|\(?0\d{1,4}\)?[ /.-]\d[\d /.-]{4,}\d"),
    ("a web address", r"https?://\S+"),
)
POSTCODES = re.compile(r"\d{5}|\d{4}|\d{5}-\d{4}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d")
DATES = re.compile(
    r"(\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2}))([ T]\d{1,2}:\d{2}(:\d{2})?)?"
)


@dataclass(frozen=True)
class Facts:
    """A summary of the values of one column, from which its role is guessed."""

    attribute: Attribute
    records: int
    present: int
    distinct: int
    numbers: NDArray[np.float64] | None
    texts: list[str]
    temporal: bool

    @property
    def distinct_share(self) -> float:
        """The share of the values that are distinct."""
        return self.distinct / self.present if self.present else 0.0

    def match(self, pattern: "str | re.Pattern[str]") -> bool:
        """Whether almost all texts match the pattern."""
        hits = sum(re.fullmatch(pattern, text) is not None for text in self.texts)
        return bool(self.texts) and hits >= ALMOST_ALL * len(self.texts)


@dataclass(frozen=True)
class Verdict:
    """A guessed role and kind, with the reasons."""

    role: Role
    reasons: tuple[str, ...]
    kind: Kind | None = None
    hierarchy: dict[str, Any] | None = None
    missing: tuple[Any, ...] = ()


def judge(facts: Facts) -> Verdict:
    """The guess of the first rule that applies."""
    for rule in RULES:
        verdict = rule(facts)
        if verdict is not None:
            return verdict
    return Verdict(Role.OTHER, ("no sign that an intruder could use it",))


def _constant(facts: Facts) -> Verdict | None:
    if facts.present == 0:
        return Verdict(Role.OTHER, ("every value is missing",))
    if facts.distinct == 1 and facts.records > 1 and role_by_name(facts.attribute.name) is None:
        return Verdict(Role.OTHER, ("every value is the same",))
    return None


def _pattern(facts: Facts) -> Verdict | None:
    if facts.match(DATES):
        return Verdict(Role.KEY, ("the values look like dates, which an intruder may know",))
    for what, pattern in PATTERNS:
        if facts.match(pattern):
            return Verdict(Role.IDENTIFIER, (f"the values look like {what}",))
    words = set(words_of(facts.attribute.name))
    postcode_name = words & POSTCODE_WORDS or {"codigo", "postal"} <= words
    widths = {len(text) for text in facts.texts}
    if (
        facts.texts
        and facts.match(POSTCODES)
        and (postcode_name or facts.distinct > FEW_CODES)
        and facts.distinct_share < 1
    ):
        tree = {"prefix": list(range(1, max(widths)))}
        return Verdict(Role.KEY, ("the values look like postcodes",), Kind.PARTIALLY_ORDERED, tree)
    if postcode_name and facts.numbers is not None and bool((facts.numbers % 1 == 0).all()):
        tree = {"prefix": list(range(1, len(str(int(facts.numbers.max())))))}
        return Verdict(Role.KEY, ("integers in a column named as a postcode",), Kind.PARTIALLY_ORDERED, tree)
    return None


def _dates(facts: Facts) -> Verdict | None:
    return Verdict(Role.KEY, ("dates or times, which an intruder may know",)) if facts.temporal else None


def _record_number(facts: Facts) -> Verdict | None:
    if facts.numbers is None or facts.records < 3 or facts.distinct_share < 1 or not facts.attribute.integral:
        return None
    if facts.present == facts.records and np.ptp(facts.numbers) == facts.records - 1:
        return Verdict(Role.IDENTIFIER, ("the values number the records consecutively",))
    if facts.present > MANY and _sorted(facts.numbers):
        return Verdict(Role.IDENTIFIER, ("distinct integers in the order of the records: probably their numbers",))
    return None


def _group_number(facts: Facts) -> Verdict | None:
    if facts.numbers is None or facts.attribute.coded or facts.present < facts.records or not facts.attribute.integral:
        return None
    if facts.distinct_share == 1 or role_by_name(facts.attribute.name) is not None:
        return None
    if facts.distinct <= OLDEST or not _sorted(facts.numbers):
        return None
    sizes = np.unique(facts.numbers, return_counts=True)[1]
    few = sizes.max() <= LARGEST_HOUSEHOLD and sizes.mean() <= MEAN_HOUSEHOLD
    if few and np.ptp(facts.numbers) < SPARSE_NUMBERS * facts.distinct:
        return Verdict(
            Role.HOUSEHOLD, ("ascending integers shared by neighbouring records: probably numbers of households",)
        )
    return None


def _member_number(facts: Facts) -> Verdict | None:
    numbers = facts.numbers
    if numbers is None or facts.attribute.coded or facts.present < max(facts.records, MANY):
        return None
    if facts.distinct > LARGEST_HOUSEHOLD or facts.distinct < 3 or numbers[0] != 1:
        return None
    if bool(((np.diff(numbers) == 1) | (numbers[1:] == 1)).all()):
        return Verdict(Role.OTHER, ("numbers the members of each household or group in their order",), Kind.UNORDERED)
    return None


def _sorted(numbers: NDArray[np.float64]) -> bool:
    steps = np.diff(numbers)
    return bool((steps >= 0).all() or (steps <= 0).all())


def _entity_number(facts: Facts) -> Verdict | None:
    words = set(words_of(facts.attribute.name))
    if not words & ID_WORDS or facts.distinct <= FEW_CODES < facts.present or role_by_name(facts.attribute.name):
        return None
    values = "all values are distinct" if facts.distinct_share == 1 else "it has many values"
    return Verdict(Role.IDENTIFIER, (f"column name of an identification number, and {values}",))


def _weight_by_label(facts: Facts) -> Verdict | None:
    word = weight_by_label(facts.attribute.label)
    return None if word is None else _weight(facts, f'label contains "{word}"')


def _many_codes(facts: Facts) -> Verdict | None:
    """Codes of which there are many, as of occupations: by the column name or label, or because they have labels."""
    attribute, numbers = facts.attribute, facts.numbers
    if numbers is None or attribute.coded or facts.distinct <= FEW_CODES or facts.distinct_share > REPEATING:
        return None
    if not bool((numbers % 1 == 0).all()) or numbers.min() < 0:
        return None
    found = role_by_name(attribute.name)
    if found is not None and found[0] in (Role.WEIGHT, Role.HOUSEHOLD, Role.IDENTIFIER):
        return None
    words = [word for word in words_of(f"{attribute.name} {attribute.label}") if word in CODE_WORDS]
    labelled = np.isin(np.unique(numbers), [code for code in attribute.value_labels if isinstance(code, int | float)])
    if not words and labelled.mean() < ALMOST_ALL:
        return None
    why = f'"{words[0]}" in the name or label' if words else "their values have labels"
    widths = {len(str(int(number))) for number in np.unique(numbers)}
    tree = {"prefix": list(range(1, max(widths)))} if len(widths) == 1 and max(widths) > 2 else None
    return Verdict(
        found[0] if found is not None else Role.KEY,
        (f"{facts.distinct} distinct integers, {why}: probably category codes",),
        Kind.UNORDERED if tree is None else Kind.PARTIALLY_ORDERED,
        tree,
    )


def _name(facts: Facts) -> Verdict | None:
    name = facts.attribute.name
    found = role_by_name(name)
    if found is None:
        return None
    role, word = found
    contains = f'column name contains "{word}"'
    if role is Role.WEIGHT:
        return _weight(facts, contains)
    if role is Role.HOUSEHOLD:
        if "size" in words_of(name) or facts.distinct_share == 1 or facts.distinct <= FEW_CODES < facts.records / 10:
            return Verdict(Role.KEY, (f"{contains}, and an intruder may know a household's composition",), _kind(facts))
        return Verdict(Role.HOUSEHOLD, (f"{contains}, and its values repeat",))
    if role is Role.IDENTIFIER and facts.numbers is not None and facts.distinct_share < 0.5:
        return Verdict(Role.KEY, (f"{contains}, but its values repeat",), _kind(facts))
    looks_like_age = facts.numbers is not None and facts.numbers.min() >= 0 and facts.numbers.max() <= OLDEST
    if role is Role.KEY and set(words_of(name)) & AGE_WORDS and looks_like_age:
        return Verdict(role, (f"{contains}, and the values are in the range of ages",), Kind.DISCRETE)
    return Verdict(role, (contains,), _kind(facts))


def _label(facts: Facts) -> Verdict | None:
    word = key_by_label(facts.attribute.label)
    if word is None:
        return None
    looks_like_age = facts.numbers is not None and facts.numbers.min() >= 0 and facts.numbers.max() <= OLDEST
    if word in AGE_WORDS and looks_like_age:
        return Verdict(Role.KEY, (f'label contains "{word}", and the values are in the range of ages',), Kind.DISCRETE)
    return Verdict(Role.KEY, (f'label contains "{word}"',), _kind(facts))


def _weight(facts: Facts, contains: str) -> Verdict | None:
    if facts.numbers is None or facts.numbers.min() < 0:
        return None
    if facts.distinct == 1:
        return Verdict(Role.WEIGHT, (f"{contains}; all weights are equal, so they have no effect",), Kind.CONTINUOUS)
    return Verdict(
        Role.WEIGHT, (f"{contains}, and no value is negative; a body weight would be a key",), Kind.CONTINUOUS
    )


def _nearly_all_distinct(facts: Facts) -> Verdict | None:
    if facts.texts and facts.present > 20 and facts.distinct_share > ALMOST_ALL:
        return Verdict(Role.IDENTIFIER, ("text, and nearly all values are distinct",))
    return None


def _categories(facts: Facts) -> Verdict | None:
    if facts.attribute.kind & Kind.ORDERED and facts.attribute.coded:
        return Verdict(Role.KEY, (f"{facts.distinct} ordered categories",))
    if facts.numbers is None and not facts.texts:
        return Verdict(Role.OTHER, ("true or false, with no sign that an intruder could use it",))
    if facts.texts:
        return Verdict(Role.KEY, (f"text with {facts.distinct} distinct values, which an intruder may know",))
    whole = facts.numbers is not None and bool((facts.numbers % 1 == 0).all())
    if whole and facts.distinct <= FEW_CODES and facts.distinct < facts.present:
        return Verdict(Role.KEY, (f"{facts.distinct} distinct integers: probably category codes",), _kind(facts))
    return None


def _drawn_number(facts: Facts) -> Verdict | None:
    """Numbers given to records at random: distinct, of one length and spread evenly, as amounts hardly ever are."""
    numbers = facts.numbers
    if numbers is None or facts.present <= MANY or facts.distinct_share < 1 or not facts.attribute.integral:
        return None
    low, high = numbers.min(), numbers.max()
    if low < SHORTEST_NUMBER or len(str(int(low))) != len(str(int(high))) or (numbers % 100 == 0).mean() > HEAPED:
        return None
    steps = np.arange(1, facts.present + 1) / facts.present
    farthest = np.abs((np.sort(numbers) - low) / (high - low) - steps).max()
    if farthest * np.sqrt(facts.present) > EVENLY:
        return None
    return Verdict(
        Role.IDENTIFIER,
        (f"distinct integers of {len(str(int(low)))} digits, evenly spread: probably numbers given to the records",),
    )


def _amounts(facts: Facts) -> Verdict | None:
    if facts.numbers is None:
        return None
    deviation = facts.numbers.std()
    skewness = float((((facts.numbers - facts.numbers.mean()) / deviation) ** 3).mean()) if deviation > 0 else 0.0
    if skewness > 1:
        return Verdict(Role.CONFIDENTIAL, (f"many distinct numbers, skewed as amounts are (skewness {skewness:.1f})",))
    return Verdict(Role.CONFIDENTIAL, ("many distinct numbers: an amount or a measurement",))


RULES: tuple[Callable[[Facts], Verdict | None], ...] = (
    _constant,
    _pattern,
    _dates,
    _record_number,
    _entity_number,
    _group_number,
    _member_number,
    _weight_by_label,
    _many_codes,
    _name,
    _label,
    _nearly_all_distinct,
    _categories,
    _drawn_number,
    _amounts,
)


def _kind(facts: Facts) -> Kind | None:
    """Unordered where there are few integers and the column name is not that of a count; else None."""
    if facts.numbers is None or facts.attribute.coded or facts.distinct > FEW_CODES or facts.distinct == facts.present:
        return None
    ordered = set(words_of(facts.attribute.name)) & (ORDERED_WORDS | AGE_WORDS)
    whole = bool((facts.numbers % 1 == 0).all())
    return Kind.UNORDERED if whole and not ordered and np.abs(facts.numbers).max() < 1000 else None
