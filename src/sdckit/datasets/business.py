"""A business survey: skewed, correlated amounts that satisfy accounting equations, in sectors and regions."""

import numpy as np
import polars as pl

from sdckit.edits import Edit, Edits
from sdckit.errors import ParameterError
from sdckit.microdata import Kind, Microdata, Role
from sdckit.randomness import child, generator
from sdckit.schema import Declared, Schema

SECTORS = {"trade": 0.34, "construction": 0.2, "manufacturing": 0.18, "hotels": 0.14, "transport": 0.09, "energy": 0.05}
REGIONS = {"centre": 0.4, "coast": 0.3, "valley": 0.2, "mountain": 0.1}
AMOUNTS = ("turnover", "materials", "wages", "other_costs")
LOG_MEANS = np.array([6.5, 5.6, 5.0, 4.2])  # thousands
LOG_DEVIATIONS = np.array([1.4, 1.5, 1.3, 1.4])
LOG_CORRELATION = np.array(
    [
        [1.00, 0.90, 0.85, 0.75],
        [0.90, 1.00, 0.70, 0.65],
        [0.85, 0.70, 1.00, 0.70],
        [0.75, 0.65, 0.70, 1.00],
    ]
)


def simulate_business(n: int, seed: int = 0) -> Microdata:
    """Draw n firms: total costs are the sum of their parts, and profit is turnover less total costs.

    The logarithms of turnover, materials, wages and other costs are jointly normal with the means, standard deviations
    and correlations in this module, so that the true structure is known; amounts are integers, in thousands.

    >>> file = simulate_business(100)
    >>> file.edits.violations(file.columns)
    {}
    """
    if n < 1:
        raise ParameterError(f"n = {n} is out of range; use at least one record")
    rng = generator(seed)
    normal = child(rng, "amounts").normal(size=(n, len(AMOUNTS))) @ np.linalg.cholesky(LOG_CORRELATION).T
    amounts = np.rint(np.exp(LOG_MEANS + LOG_DEVIATIONS * normal)).astype(np.int64)
    columns = dict(zip(AMOUNTS, amounts.T, strict=True))
    costs = columns["materials"] + columns["wages"] + columns["other_costs"]
    heads = np.rint(columns["wages"] / child(rng, "pay").lognormal(3.3, 0.3, n)).astype(np.int64)
    frame = pl.DataFrame(
        {
            "firm": [f"Firm {number:06d}" for number in child(rng, "firm").permutation(n)],
            "sector": child(rng, "sector").choice(list(SECTORS), size=n, p=list(SECTORS.values())),
            "region": child(rng, "region").choice(list(REGIONS), size=n, p=list(REGIONS.values())),
            "employees": np.maximum(heads, 1),
            **columns,
            "total_costs": costs,
            "profit": columns["turnover"] - costs,
        }
    )
    return Microdata.from_frame(frame, schema=_schema())


def _schema() -> Schema:
    attributes = {
        "firm": Declared(kind=Kind.UNORDERED, role=Role.IDENTIFIER),
        "sector": Declared(kind=Kind.UNORDERED, role=Role.KEY),
        "region": Declared(kind=Kind.UNORDERED, role=Role.KEY),
        "employees": Declared(kind=Kind.DISCRETE, role=Role.KEY),
        "turnover": Declared(kind=Kind.CONTINUOUS, role=Role.KEY),
    }
    for name in (*AMOUNTS[1:], "total_costs", "profit"):
        attributes[name] = Declared(kind=Kind.CONTINUOUS, role=Role.CONFIDENTIAL)
    sums = (
        Edit({"total_costs": 1, "materials": -1, "wages": -1, "other_costs": -1}, 0, 0),
        Edit({"turnover": 1, "total_costs": -1, "profit": -1}, 0, 0),
    )
    positive = (Edit({name: 1}, low=0) for name in (*AMOUNTS, "total_costs"))
    return Schema(attributes, Edits((*sums, Edit({"employees": 1}, low=1), *positive)))
