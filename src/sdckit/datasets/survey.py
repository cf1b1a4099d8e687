"""A household survey: persons in households, weights, attributes of every kind, and item non-response."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.edits import Edit, Edits
from sdckit.errors import ParameterError
from sdckit.microdata import Kind, Microdata, Role
from sdckit.randomness import child, generator
from sdckit.schema import Declared, Schema

SIZES = (0.30, 0.33, 0.16, 0.14, 0.05, 0.02)  # households of one to six
REGIONS = {
    "North": (0.35, 900.0),
    "South": (0.25, 600.0),
    "East": (0.22, 420.0),
    "West": (0.13, 300.0),
    "Isles": (0.05, 80.0),
}
EDUCATION = ("none", "primary", "secondary", "tertiary")
MARITAL = ("single", "married", "divorced", "widowed")
RETURN_ON_EDUCATION = 0.35  # each level of education adds this to the logarithm of income
GIVEN = ("Alma", "Boris", "Carme", "Dario", "Elsa", "Fidel", "Greta", "Hugo", "Irene", "Joan", "Kira", "Lluc", "Marta")
FAMILY = ("Abril", "Bosch", "Costa", "Duran", "Esteve", "Ferrer", "Gil", "Homs", "Ibarra", "Juncal", "Kent", "Lara")


def simulate_survey(n: int, seed: int = 0) -> Microdata:
    """Draw n persons in households, with a name, a weight, keys of every kind and confidential amounts.

    Members of a household share their region and weight. The logarithm of income rises by 0.35 with each level of
    education; expenditure follows income. One person in twenty keeps the income back, others the education or status.

    >>> file = simulate_survey(100)
    >>> file.names(role=Role.IDENTIFIER), file.names(role=Role.CONFIDENTIAL)
    (('name',), ('income', 'expenditure', 'ill'))
    """
    if n < 1:
        raise ParameterError(f"n = {n} is out of range; use at least one record")
    rng = generator(seed)
    household = np.repeat(np.arange(n), child(rng, "size").choice(len(SIZES), size=n, p=SIZES) + 1)[:n]
    age = _ages(household, child(rng, "age"))
    education = np.where(
        age < 18, np.minimum(age // 6, 2), child(rng, "education").choice(4, n, p=(0.05, 0.25, 0.4, 0.3))
    )
    draw = child(rng, "income").normal(size=n)
    income = np.where(age < 16, 0.0, np.round(np.exp(8.6 + RETURN_ON_EDUCATION * education + 0.6 * draw), 2))
    expenditure = np.round((0.5 + 0.4 * child(rng, "expenditure").random(n)) * income + 1200, 2)
    region, weight = _regions(household, child(rng, "region"))
    frame = pl.DataFrame(
        {
            "name": _names(household, child(rng, "name")),
            "household": household + 1,
            "weight": weight,
            "region": region,
            "sex": np.where(child(rng, "sex").random(n) < 0.51, "female", "male"),
            "age": age,
            "marital": _with_gaps(_marital(age, child(rng, "marital")), 0.01, child(rng, "no marital")),
            "education": _with_gaps(np.array(EDUCATION)[education], 0.02, child(rng, "no education")),
            "income": _with_gaps(income, 0.05, child(rng, "no income")),
            "expenditure": expenditure,
            "ill": child(rng, "ill").random(n) < 0.02 + 0.003 * age,
        }
    )
    return Microdata.from_frame(frame, schema=_schema())


def _schema() -> Schema:
    amount = Declared(kind=Kind.CONTINUOUS, role=Role.CONFIDENTIAL, decimals=2)
    category = Declared(kind=Kind.UNORDERED, role=Role.KEY)
    return Schema(
        {
            "name": Declared(kind=Kind.UNORDERED, role=Role.IDENTIFIER),
            "household": Declared(kind=Kind.DISCRETE, role=Role.HOUSEHOLD),
            "weight": Declared(kind=Kind.CONTINUOUS, role=Role.WEIGHT, decimals=2),
            "region": category,
            "sex": category,
            "age": Declared(kind=Kind.DISCRETE, role=Role.KEY),
            "marital": category,
            "education": Declared(kind=Kind.DISCRETE, role=Role.KEY, categories=EDUCATION),
            "income": amount,
            "expenditure": amount,
            "ill": Declared(kind=Kind.UNORDERED, role=Role.CONFIDENTIAL),
        },
        Edits((Edit({"age": 1}, 0, 105), Edit({"income": 1}, low=0), Edit({"expenditure": 1}, low=0))),
    )


def _position_in_household(household: NDArray[np.int64]) -> NDArray[np.int64]:
    """0 for the first of each household, 1 for the second, and so on."""
    starts = np.r_[0, np.flatnonzero(np.diff(household)) + 1]
    lengths = np.diff(np.r_[starts, len(household)])
    position: NDArray[np.int64] = np.arange(len(household)) - np.repeat(starts, lengths)
    return position


def _ages(household: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """The first two of a household are adults of similar age, the others mostly their children."""
    head = np.clip(rng.normal(50, 17, household[-1] + 1), 18, 100)[household]
    partner = np.maximum(head + rng.normal(0, 4, len(head)), 18)
    offspring = head - rng.normal(30, 5, len(head))
    position = _position_in_household(household)
    years: NDArray[np.int64] = np.rint(np.select([position == 0, position == 1], [head, partner], offspring)).astype(
        np.int64
    )
    return np.clip(years, 0, 105)


def _regions(household: NDArray[np.int64], rng: np.random.Generator) -> tuple[NDArray[np.str_], NDArray[np.float64]]:
    """The region of each household, and its weight: how many persons each respondent represents."""
    shares = np.array([share for share, _ in REGIONS.values()])
    mean_weights = np.array([weight for _, weight in REGIONS.values()])
    drawn = rng.choice(len(REGIONS), size=household[-1] + 1, p=shares)
    weight = np.round(mean_weights[drawn] * rng.uniform(0.8, 1.25, len(drawn)), 2)
    return np.array(list(REGIONS))[drawn][household], weight[household]


def _marital(age: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.str_]:
    adult, old = np.array([0.35, 0.5, 0.13, 0.02]), np.array([0.1, 0.5, 0.1, 0.3])
    probability = np.where(age[:, None] < 65, adult, old)
    drawn = (rng.random(len(age))[:, None] > probability.cumsum(axis=1)).sum(axis=1)
    status: NDArray[np.str_] = np.array(MARITAL)[np.where(age < 18, 0, np.minimum(drawn, len(MARITAL) - 1))]
    return status


def _names(household: NDArray[np.int64], rng: np.random.Generator) -> list[str]:
    """A given name for each person, and two family names for each household."""
    first, second = rng.choice(FAMILY, size=(2, household[-1] + 1))
    given = rng.choice(GIVEN, size=len(household))
    return [f"{name} {first[number]} {second[number]}" for name, number in zip(given, household, strict=True)]


def _with_gaps(values: NDArray[np.generic], share: float, rng: np.random.Generator) -> pl.Series:
    return pl.Series(values).set(pl.Series(rng.random(len(values)) < share), None)
