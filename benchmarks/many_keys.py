"""How far the search for the best levels gets with many keys: the Adult file with 8, 12 and 15 keys, k = 5.

The eight keys of ARX's example are joined by hours, capital gains, relationship and capital losses, then by income,
years of education and the survey weight, the numbers in intervals. Records suppressed: at most 5 %.
"""

from math import prod
from time import process_time

import polars as pl
from benchmarks.anonymity_models import trees

from sdckit.datasets.reference import local_copy
from sdckit.hierarchy import Hierarchy
from sdckit.methods.generalisation.optimal_generalisation import OptimalGeneralisation
from sdckit.microdata import Microdata

INTERVALS = {
    "hours-per-week": [5, 10, 50],
    "capital-gain": [1000, 10000],
    "capital-loss": [1000],
    "education-num": [2, 4, 8],
    "fnlwgt": [100_000, 500_000],
}
GROUPS = {
    "relationship": "Husband;spouse Wife;spouse Own-child;family Other-relative;family Unmarried;alone "
    "Not-in-family;alone",
    "income": "<=50K >50K",
}
FURTHER = ("hours-per-week", "capital-gain", "relationship", "capital-loss", "income", "education-num", "fnlwgt")
# Keys, and combinations counted at most.
SETTINGS = ((8, 100_000), (12, 100_000), (15, 20_000), (15, 100_000), (15, 200_000))


def every_tree(frame: pl.DataFrame) -> dict[str, Hierarchy]:
    """The hierarchies of all fifteen keys."""
    found = trees()
    for name in FURTHER:
        if name in INTERVALS:
            found[name] = Hierarchy.by_intervals(frame[name].unique().to_list(), INTERVALS[name])
        else:
            found[name] = Hierarchy.by_levels([[*path.split(";"), "*"] for path in GROUPS[name].split()])
    return found


def main() -> None:
    path = local_copy("adult")
    if path is None:
        print("the Adult file is not available")
        return
    frame = pl.read_csv(path, infer_schema_length=0).drop_nulls(list(trees()))
    frame = frame.with_columns(pl.col("age", *INTERVALS).cast(pl.Int64))
    hierarchies = every_tree(frame)
    for keys, most in SETTINGS:
        names = tuple(hierarchies)[:keys]
        data = Microdata.from_frame(
            frame.select(names),
            roles=dict.fromkeys(names, "key"),
            kinds=dict.fromkeys(names, "partially-ordered"),
            hierarchies={name: hierarchies[name] for name in names},
        )
        nodes = prod(hierarchies[name].height + 1 for name in names)
        start = process_time()
        found = OptimalGeneralisation(group_size=5, suppression=0.05, max_checked=most).search(data, names)
        took = process_time() - start
        print(
            f"{keys:2} keys, {nodes:>10,} combinations: loss {found.loss:.4f}, proven gap {found.gap:.4f}, "
            f"{found.checked:>7,} counted, {len(found.alternatives)} alternatives, {took:6.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
