"""Medical billing: age, sex, postcode and amount, after the experiments of Truta, Fotouhi and Barth-Jones (2004)."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sdckit.errors import ParameterError
from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Kind, Microdata, Role
from sdckit.randomness import child, generator
from sdckit.schema import Declared, Schema

DISTRICTS = (*(f"48{digit}" for digit in range(10)), "490", "491", "495")
OFFICES = 40  # postcodes in a district
FEMALE = 0.54
AGE_GROUPS = ((8, 6, 0.18), (36, 13, 0.42), (70, 11, 0.40))  # mean, deviation, share of the patients


def simulate_billing(n: int, seed: int = 0) -> Microdata:
    """Draw the billing records of n patients: keys Age, Sex and Zip, confidential Amount_Billed.

    Postcodes are a hierarchy of districts (three digits) and offices (five), both with Zipf-distributed frequencies, so
    that some postcodes are frequent and many are rare. Amounts are log-normal and rise by 1 % with each year of age.

    >>> file = simulate_billing(100)
    >>> file.names(role=Role.KEY), len(file)
    (('Age', 'Sex', 'Zip'), 100)
    """
    if n < 1:
        raise ParameterError(f"n = {n} is out of range; use at least one record")
    rng = generator(seed)
    age = _ages(n, child(rng, "age"))
    sex = np.where(child(rng, "sex").random(n) < FEMALE, "F", "M")
    noise = child(rng, "amount").normal(size=n)
    amount = np.round(np.exp(5.5 + 0.01 * age + 0.9 * noise), 2)
    postcodes, probability = _postcodes(child(rng, "tree"))
    zips = child(rng, "zip").choice(postcodes, size=n, p=probability)
    frame = pl.DataFrame({"Age": age, "Sex": sex, "Zip": zips, "Amount_Billed": amount})
    tree = Hierarchy.by_prefix(postcodes)
    schema = Schema(
        {
            "Age": Declared(kind=Kind.DISCRETE, role=Role.KEY),
            "Sex": Declared(kind=Kind.UNORDERED, role=Role.KEY),
            "Zip": Declared(kind=Kind.PARTIALLY_ORDERED, role=Role.KEY, hierarchy=tree),
            "Amount_Billed": Declared(kind=Kind.CONTINUOUS, role=Role.CONFIDENTIAL, decimals=2),
        }
    )
    return Microdata.from_frame(frame, schema=schema)


def _ages(n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Children, adults of working age and the elderly, from 0 to 100."""
    means, deviations, shares = np.array(AGE_GROUPS).T
    group = rng.choice(len(AGE_GROUPS), size=n, p=shares)
    years: NDArray[np.int64] = np.rint(rng.normal(means[group], deviations[group])).astype(np.int64)
    return np.clip(years, 0, 100)


def _postcodes(rng: np.random.Generator) -> tuple[NDArray[np.str_], NDArray[np.float64]]:
    """The postcodes and the probability of each: Zipf's law over districts, and over the offices of each."""
    by_rank = 1 / np.arange(1, OFFICES + 1)
    codes, weights = [], []
    for rank, district in enumerate(rng.permutation(DISTRICTS), start=1):
        offices = rng.choice(100, size=OFFICES, replace=False)
        codes += [f"{district}{office:02d}" for office in offices]
        weights.append(by_rank / by_rank.sum() / rank)
    weight = np.concatenate(weights)
    return np.array(codes), weight / weight.sum()
