"""What intruders re-identify in generalised files, beside a guess in the smallest class that covers a record.

The guess needs no recipe and is computed here from the written values, by no code of the intruders. Files: Adult with
the hierarchies of ARX's example, EU-SILC with one hierarchy, and a household survey with one hierarchy in which 4 % of
four keys are missing. A value that is missing in the original is not known.
"""

import numpy as np
import polars as pl
from benchmarks.anonymity_models import adult, trees
from numpy.typing import NDArray

from sdckit.catalogue import build
from sdckit.datasets.reference import local_copy
from sdckit.hierarchy import ROOT, Hierarchy
from sdckit.microdata import Microdata, Role
from sdckit.release import Release, protect

METHODS = ("local-generalisation", "mondrian-strict", "local-suppression", "optimal-generalisation")
KEYS = {
    "eusilc": ["age", "rb090", "db040", "pl030", "pb220a", "hsize"],
    "testdata": ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex", "age"],
}
HOLES = ("roof", "water", "age", "sex")


def file(name: str) -> Microdata | None:
    """One of the files, a part of its records."""
    path = local_copy(name)
    if path is None:
        return None
    frame = pl.read_csv(path, infer_schema_length=0, null_values=["NA", ""])
    if name == "adult":
        frame = frame.select(list(trees())).drop_nulls().with_columns(pl.col("age").cast(pl.Int64))
        return adult(frame.sample(3000, seed=5))
    frame = frame.select(KEYS[name]).with_columns(pl.col("age").cast(pl.Float64).cast(pl.Int64)).sample(1500, seed=5)
    frame = frame.filter(pl.col("age") >= 0)
    if name == "testdata":
        rng = np.random.default_rng(7)
        gone = [pl.when(pl.Series(rng.random(len(frame)) < 0.04)).then(None).otherwise(pl.col(each)) for each in HOLES]
        frame = frame.with_columns(column.alias(each) for column, each in zip(gone, HOLES, strict=True))
    kinds = dict.fromkeys(KEYS[name], "unordered") | {"age": "partially-ordered"}
    ages = Hierarchy.by_intervals(range(110), [5, 10, 20, 40])
    return Microdata.from_frame(frame, roles=dict.fromkeys(KEYS[name], "key"), kinds=kinds, hierarchies={"age": ages})


def texts(data: Microdata, name: str) -> list[str | None]:
    """The values as text, None where missing."""
    return [None if value is None else str(value) for value in data.values(name)]


def covering(tree: Hierarchy | None, value: str | None, nodes: NDArray[np.object_]) -> NDArray[np.bool_]:
    """Which released nodes, None a hole, can be of a value."""
    if value is None:
        return np.ones(len(nodes), dtype=bool)
    above = {None, ROOT, value, *(tree.ancestors(value) if tree is not None else ())}
    return np.array([node in above for node in nodes])


def smallest_covering_class(release: Release, names: tuple[str, ...]) -> float:
    """The expected share of correct guesses among the rows of the smallest classes that cover a record."""
    rows = list(zip(*(texts(release.masked, name) for name in names), strict=True))
    number = {row: index for index, row in enumerate(dict.fromkeys(rows))}
    of = np.array([number[row] for row in rows])
    sizes = np.bincount(of)
    fits = np.ones((len(rows), len(sizes)), dtype=bool)
    for column, name in enumerate(names):
        tree = release.original.attribute(name).hierarchy
        nodes = np.array([row[column] for row in number], dtype=object)
        known = texts(release.original, name)
        masks = {value: covering(tree, value, nodes) for value in set(known)}
        fits &= np.array([masks[value] for value in known])
    smallest = np.where(fits, sizes, len(rows) + 1).min(axis=1)
    chosen = fits & (sizes == smallest[:, None])
    return float((chosen[np.arange(len(rows)), of] / (smallest * chosen.sum(axis=1))).mean())


def main() -> None:
    for title in ("adult", *KEYS):
        data = file(title)
        if data is None:
            print(f"the file {title} is not available")
            continue
        names = data.names(role=Role.KEY)
        for method in METHODS:
            release = protect(data, f"{method}:group_size=5", seed=1)
            least = smallest_covering_class(release, names)
            found = [
                build("risk", intruder, targets=0).measure(release, seed=1).value
                for intruder in ("ordinary-intruder", "informed-intruder")
            ]
            print(
                f"{title:<10} {method:<24} smallest covering class {least:6.1%}   ordinary {found[0]:6.1%}   "
                f"informed {found[1]:6.1%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
