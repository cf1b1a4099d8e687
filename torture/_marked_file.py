"""A file in which everything private can be recognised wherever it turns up again."""

import numpy as np

from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Attribute, Kind, Microdata, Role

RECORDS = 80
REGIONS = tuple(f"Zqregion{letter}" for letter in "abcdefghij")
GRADES = tuple(f"Zqgrade{letter}" for letter in "abcdef")
CODES = tuple(f"Zq{first}{second}{third}" for first in "XY" for second in "KLM" for third in "PQRS")
STATUS = {number: f"Zqstatus{letter}" for number, letter in enumerate("abcdef", start=1)}
DROPPED = ("Zqsurname", "Zqpassport")


def marked_file(seed: int) -> Microdata:
    """Eighty records of every kind and role; every number has seven digits or more, every text begins with Zq.

    The last region, grade, code and status occur once, so that many a masking removes them.
    """
    rng = np.random.default_rng([seed, 5])
    return Microdata(
        (
            Attribute("Zqsurname", Kind.UNORDERED, Role.IDENTIFIER, tuple(f"Zqperson{n:04}" for n in range(RECORDS))),
            Attribute("Zqpassport", Kind.CONTINUOUS, Role.IDENTIFIER, integral=True),
            Attribute("region", Kind.UNORDERED, Role.KEY, REGIONS),
            Attribute("grade", Kind.DISCRETE, Role.KEY, GRADES),
            Attribute("code", Kind.PARTIALLY_ORDERED, Role.KEY, CODES, Hierarchy.by_prefix(CODES)),
            Attribute("status", Kind.DISCRETE, Role.KEY, integral=True, value_labels=STATUS, label="status"),
            Attribute("income", Kind.CONTINUOUS, Role.KEY, decimals=2),
            Attribute("rent", Kind.CONTINUOUS, Role.KEY),
            Attribute("wealth", Kind.CONTINUOUS, Role.CONFIDENTIAL, decimals=2),
            Attribute("weight", Kind.CONTINUOUS, Role.WEIGHT, decimals=2),
        ),
        {
            "Zqsurname": rng.permutation(RECORDS),
            "Zqpassport": 70_000_000 + rng.choice(9_999_999, RECORDS, replace=False),
            "region": _with_one_rare(len(REGIONS), rng),
            "grade": _with_one_rare(len(GRADES), rng),
            "code": _with_one_rare(len(CODES), rng),
            "status": _with_one_rare(len(STATUS), rng) + 1,
            "income": np.round(rng.uniform(20_000, 99_000, RECORDS), 2),
            "rent": rng.uniform(1_000, 9_000, RECORDS),
            "wealth": np.round(rng.lognormal(12, 1, RECORDS), 2),
            "weight": np.round(rng.uniform(10_000, 90_000, RECORDS), 2),
        },
    )


def _with_one_rare(categories: int, rng: np.random.Generator) -> np.ndarray:
    values = rng.integers(0, categories - 1, RECORDS)
    values[int(rng.integers(RECORDS))] = categories - 1
    return values
