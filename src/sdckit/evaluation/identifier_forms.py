"""The forms of identifiers: which texts look like a telephone number, an exact date, a small area and so on."""

import ipaddress
import re

# Three-digit ZIP areas with 20,000 people or fewer by the census of 2000, as the guidance on the rule lists them.
SMALL_ZIP_AREAS = (36, 59, 63, 102, 203, 556, 692, 790, 821, 823, 830, 831, 878, 879, 884, 890, 893)
MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
EXACT_DATES = (
    r"(1[89]|20)\d\d[-/.](0?[1-9]|1[0-2])([-/.]([0-2]?\d|3[01]))?([T ].*)?",
    r"([0-2]?\d|3[01])[-/.]([0-2]?\d|3[01])[-/.]((1[89]|20)?\d\d)([T ].*)?",
    rf"([0-2]?\d|3[01])?[-/. ]*{MONTH}[-/., ]*([0-2]?\d|3[01])?[-/., ]*(1[89]|20)?\d\d",
)
YEARS = r"(\d{1,2}|1[0-2]\d)"
AGE = rf"(under |≥ ?)?{YEARS}(\.0*)?( ?[–-] ?{YEARS}|( to under {YEARS})?|\+| and over)"
OPEN = re.compile(r"\+|over|≥")
VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))


def is_exact_date(text: str) -> bool:
    """Whether a text is a date with more than its year.

    >>> is_exact_date("2024-05-17"), is_exact_date("17 May 2024"), is_exact_date("2024")
    (True, True, False)
    """
    return any(re.fullmatch(form, text.strip(), re.IGNORECASE) for form in EXACT_DATES)


def is_small_area(text: str) -> bool:
    """Whether a text is a ZIP code with more than three digits, or the three of an area with few people.

    >>> is_small_area("48201"), is_small_area("482**"), is_small_area("036**")
    (True, False, True)
    """
    if re.fullmatch(r"\d{5}(-\d{4})?|\d{4}[*xX]", text):
        return True
    return is_few_people(text)


def is_coordinates(text: str) -> bool:
    """Whether a text is a pair of degrees with decimals."""
    return bool(re.fullmatch(r"\(?-?\d{1,2}\.\d{2,}[,; ]+-?\d{1,3}\.\d{2,}\)?", text.strip()))


def is_few_people(text: str) -> bool:
    """Whether a text is the three digits of a ZIP area with few people.

    >>> is_few_people("036**"), is_few_people("482**"), is_few_people("48201")
    (True, False, False)
    """
    return bool(re.fullmatch(r"\d{3}[*xX]*", text)) and int(text[:3]) in SMALL_ZIP_AREAS


def is_age(text: str) -> bool:
    """Whether a text is an age, a band of ages or an open group of ages.

    >>> is_age("35"), is_age("35–44"), is_age("90+"), is_age("under 16"), is_age("1950")
    (True, True, True, True, False)
    """
    return bool(re.fullmatch(AGE, text.strip()))


def is_old_age(text: str) -> bool:
    """Whether a text is an age over 89, or a band with such ages, that is not the group of 90 and more.

    >>> is_old_age("91"), is_old_age("90"), is_old_age("90–94"), is_old_age("95+")
    (True, True, True, True)
    >>> is_old_age("90+"), is_old_age("85+"), is_old_age("35"), is_old_age("under 16")
    (False, False, False, False)
    """
    if not is_age(text):
        return False
    *_, highest = (int(number) for number in re.findall(r"(?<![.\d])\d+", text))
    return highest > 90 if OPEN.search(text) else highest >= 90


def is_old_birth(text: str, year: int) -> bool:
    """Whether a text is a year of birth of people who turn 90 by this year; an open group of all before is none.

    >>> is_old_birth("1931", 2025), is_old_birth("1930–1934", 2025), is_old_birth("1936", 2025)
    (True, True, False)
    >>> is_old_birth("under 1936", 2025), is_old_birth("90+", 2025)
    (False, False)
    """
    years = [int(number) for number in re.findall(r"\b(?:1[89]|20)\d\d\b", text)]
    return bool(years) and min(years) <= year - 90 and not re.search(r"under|before|earlier|[≤<]", text)


def is_phone(text: str) -> bool:
    """Whether a text is a telephone number with separators or a plus sign.

    >>> is_phone("(313) 555-0143"), is_phone("+49 69 798 0"), is_phone("3135550143"), is_phone("1990-1995")
    (True, True, False, False)
    """
    stripped = text.strip()
    digits = len(re.sub(r"\D", "", stripped))
    american = r"(\+?1[-. ]?)?(\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}( ?(x|ext\.?) ?\d+)?"
    return bool(re.fullmatch(american, stripped)) or (
        stripped.startswith("+") and 7 <= digits <= 15 and bool(re.fullmatch(r"\+[\d ()./-]+", stripped))
    )


def is_electronic_mail(text: str) -> bool:
    """Whether a text is an e-mail address."""
    return bool(re.fullmatch(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}", text.strip()))


def is_social_security(text: str) -> bool:
    """Whether a text is a social security number of the United States, written with hyphens."""
    return bool(re.fullmatch(r"(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}", text.strip()))


def is_account(text: str) -> bool:
    """Whether a text is an IBAN or a card number, by their check digits.

    >>> is_account("DE89 3704 0044 0532 0130 00"), is_account("4111 1111 1111 1111"), is_account("4111 1111 1111 1112")
    (True, True, False)
    """
    plain = re.sub(r"[ -]", "", text.strip())
    if re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", plain):
        moved = plain[4:] + plain[:4]
        return int("".join(str(int(character, 36)) for character in moved)) % 97 == 1
    if not re.fullmatch(r"[3-6]\d{12,18}", plain):
        return False
    doubled = [int(digit) * (1 + index % 2) for index, digit in enumerate(reversed(plain))]
    return sum(each - 9 if each > 9 else each for each in doubled) % 10 == 0


def is_vehicle(text: str) -> bool:
    """Whether a text is a vehicle identification number, by its check digit."""
    plain = text.strip().upper()
    if not re.fullmatch(r"[A-HJ-NPR-Z0-9]{17}", plain) or plain.isdigit():
        return False
    total = sum(
        weight * (int(character) if character.isdigit() else VIN_VALUES[character])
        for weight, character in zip(VIN_WEIGHTS, plain, strict=True)
    )
    return plain[8] == ("X" if total % 11 == 10 else str(total % 11))


def is_device(text: str) -> bool:
    """Whether a text is the hardware address of a device."""
    return bool(re.fullmatch(r"([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}", text.strip()))


def is_web_address(text: str) -> bool:
    """Whether a text is the address of a page."""
    return bool(re.fullmatch(r"(https?://|www\.)\S+", text.strip(), re.IGNORECASE))


def is_address(text: str) -> bool:
    """Whether a text is an IP address.

    >>> is_address("192.168.0.1"), is_address("fe80::1"), is_address("1.5")
    (True, True, False)
    """
    try:
        ipaddress.ip_address(text.strip())
    except ValueError:
        return False
    return True
