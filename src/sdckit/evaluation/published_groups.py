"""Published groups: the classes of a masked file, one row each, with the number of records in it."""

from collections.abc import Sequence

import polars as pl

from sdckit.errors import ParameterError, SchemaError
from sdckit.microdata import Microdata, Role

COUNT, WEIGHTED = "records", "weighted_records"


def published_groups(masked: Microdata, names: Sequence[str], group_size: int = 3) -> pl.DataFrame:
    """The combinations of values of these columns with their counts, the most frequent first.

    Groups of fewer than `group_size` records, and those without any value, become one row without values; where that
    row would have too few records, the smallest other group joins it. Where the file has weights, their total is given
    too.

    >>> people = Microdata.from_frame(pl.DataFrame({"town": ["Ely"] * 3 + ["Rye"] * 4 + ["Wells"]}))
    >>> published_groups(people, ["town"]).rows()
    [('Rye', 4), (None, 4)]
    """
    if not names:
        raise ParameterError("no columns to group by; name some, or give columns the role 'key' in the schema")
    if len(masked) < group_size:
        raise SchemaError(f"{len(masked)} records cannot fill a group of {group_size}; use a smaller group size")
    frame: pl.DataFrame = masked.to_frame("polars").select(
        *dict.fromkeys([*names, *masked.names(role=Role.WEIGHT)[:1]])
    )
    for added in (COUNT, WEIGHTED):
        if added in names:
            raise ParameterError(f"the column {added!r} has the name of a count; rename it")
    weights = [name for name in masked.names(role=Role.WEIGHT)[:1] if name not in names]
    totals = [pl.len().alias(COUNT), *(pl.col(name).sum().alias(WEIGHTED) for name in weights)]
    groups = frame.group_by(list(names)).agg(totals).sort([COUNT, *names], descending=[True, *[False] * len(names)])
    blank = pl.all_horizontal(pl.col(name).is_null() for name in names)
    hidden = groups.select(((pl.col(COUNT) < group_size) | blank).alias("hidden"))["hidden"].to_list()
    counts = groups[COUNT].to_list()
    for row in range(len(hidden) - 1, -1, -1):
        if not any(hidden) or sum(count for count, each in zip(counts, hidden, strict=True) if each) >= group_size:
            break
        hidden[row] = True
    mask = pl.Series(hidden, dtype=pl.Boolean)
    rest = groups.filter(mask)
    if not len(rest):
        return groups
    nothing = [pl.lit(None, dtype=groups.schema[name]).alias(name) for name in names]
    joined = rest.select(*nothing, *(pl.col(name).sum() for name in groups.columns[len(names) :])).head(1)
    return pl.concat([groups.filter(~mask), joined.select(groups.columns).cast(groups.schema)])
