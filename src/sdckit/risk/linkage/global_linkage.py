"""Linkage of all records at once, one to one."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.kernels.assignment import best_assignment
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.measure import Cost, Finds, Need, risk
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.linkage.linkage import Linkage
from sdckit.risk.linkage.one_to_one import OneToOne, order_of_content


@risk("global-linkage", reference="jonker1987", finds=Finds.RECORDS, needs={Need.ROWS}, cost=Cost.SLOW)
class GlobalLinkage(Linkage):
    r"""Share of records re-identified by the one-to-one assignment to released records of least total distance.

    Both files are standardised by their own means and deviations. No row is linked to two records, so that a row goes
    to the record that it fits best and the links correct each other: against noise and swapping it re-identifies more
    than linking one by one. Among equal records or rows the assignment is random. The details say whether the
    assignment is proven to be the best: after a number of steps the remaining records take the nearest free row.

    Formula: $\hat{\pi} = \operatorname{argmin}_\pi \sum_x \lVert z(x) - z'(\pi(x)) \rVert^2$ over one-to-one $\pi$

    Intruder: knows some attributes of many or all records exactly and links them all together.

    Use it when the intruder may have a register of the whole population, or of all records in the file.
    """

    joint: ClassVar[bool] = True
    sample: ClassVar[int] = 500

    effort: int = param(
        2000, "records visited along paths, per known record, before the search ends short of the optimum", low=0
    )

    def attempt(self, view: AttackerView, *, seed: int | None, taught: Release | None = None) -> OneToOne:
        known, released = view.standardised()
        draws = child(generator(seed or 0), "global-linkage")
        of_known = order_of_content(known, child(draws, "known"))
        of_released = order_of_content(released, child(draws, "released"))
        found = best_assignment(known[of_known], released[of_released], budget=self.effort * max(len(known), 1))
        link = np.full(len(known), -1, dtype=np.int64)
        link[of_known] = np.where(found.link >= 0, of_released[np.maximum(found.link, 0)], -1)
        return OneToOne(link, equal_rows(known), equal_rows(released), {"exact": found.exact})

    def summary(self, details: Sequence[Mapping[str, object]]) -> dict[str, object]:
        return {"exact": all(each["exact"] for each in details)}
