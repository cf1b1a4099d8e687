"""Most exposed: the records with the highest risks. It names records, so it belongs to no public document."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.measure import Score
from sdckit.microdata import Role
from sdckit.release import Release


@dataclass(frozen=True, eq=False)
class MostExposed:
    """Record numbers from 0, the most exposed first; each risk by record of the original file (NaN: not evaluated).

    `tied` counts the records left out whose risks are as high as those of the last one listed.
    """

    records: tuple[int, ...]
    risks: Mapping[str, NDArray[np.float64]]
    tied: int


def most_exposed_records(scores: Iterable[Score], limit: int) -> MostExposed | None:
    """The records whose risks are highest on average; None where no record stands out.

    Risks that are the same for every record do not show who is exposed and are left out.
    """
    risks = _risks_that_differ(scores)
    if not risks:
        return None
    total = np.sum([np.nan_to_num(figures) for figures in risks.values()], axis=0)
    ranked = np.argsort(-total, kind="stable")
    exposed = ranked[total[ranked] > 0]
    if len(exposed) == 0:
        return None
    tied = int((total[exposed[limit:]] == total[exposed[limit - 1]]).sum()) if len(exposed) > limit else 0
    return MostExposed(tuple(int(record) for record in exposed[:limit]), risks, tied)


def key_values(release: Release, records: Iterable[int]) -> tuple[dict[str, str], ...]:
    """The original values of the keys of some records, as text; "" where one is missing. They are private."""
    original = release.original
    names = original.names(role=Role.KEY)
    rows = original.only(names).take(np.array(tuple(records), dtype=np.int64))
    shown = rows.to_frame("polars") if names else None
    if shown is None:
        return tuple({} for _ in range(len(rows)))
    return tuple(
        {name: "" if value is None else str(value) for name, value in zip(names, row, strict=True)}
        for row in shown.rows()
    )


def _risks_that_differ(scores: Iterable[Score]) -> dict[str, NDArray[np.float64]]:
    """The risks by record that are not the same for every record."""
    differing = {}
    for score in scores:
        if score.by_record is None:
            continue
        judged = score.by_record[np.isfinite(score.by_record)]
        if len(judged) and judged.min() < judged.max():
            differing[score.name] = score.by_record
    return differing
