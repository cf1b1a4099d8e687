"""Research subset: publish the records that a column marks, and drop the others."""

from collections.abc import Sequence

import numpy as np

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.masking import masking
from sdckit.methods.sampling.sampling import Sampling
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param

TRUE = {"1", "true", "yes"}


@masking("research-subset", kind=Kind.ANY, reference="elemam2008")
class ResearchSubset(Sampling):
    r"""Publish the records whose value in a column is 1, true or yes, and drop the others.

    The records that are dropped belong to the population among which the published ones cannot be distinguished: a
    generalisation with the same `subset` counts them for k-map and δ-presence before this step drops them. Values and
    weights are unchanged.

    Formula: $S = \{i : x_i \text{ is true}\}$

    Use it when a study gets a part of a register, after the register was generalised with `subset`.
    """

    column: str = param("", "column that is 1, true or yes for the records to publish; without one, all are")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        self.applicable(data, attributes)
        if not self.column:
            return data.take(np.arange(len(data)))
        texts = [str(value).removesuffix(".0").casefold() for value in data.values(self.column).tolist()]
        rows = np.flatnonzero([text in TRUE for text in texts])
        if not len(rows):
            raise SchemaError(
                f"{self.name}: no value of {self.column!r} is 1, true or yes; mark the records to publish"
            )
        return data.take(rows)
