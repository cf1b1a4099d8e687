"""Linked suppression: values go missing wherever another attribute is missing."""

from collections.abc import Sequence

import numpy as np

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.errors import ParameterError
from sdckit.masking import Masking, masking
from sdckit.methods.suppression.local_suppression import unchanged_or_missing, without_suppressed
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param


@masking("linked-suppression", kind=Kind.ANY, reference="templ2015")
class LinkedSuppression(Masking):
    """Suppress the values of linked attributes in every record in which a leading attribute is missing.

    A region that was suppressed is disclosed by the district, and an occupation by its code: the step comes after the
    one that suppresses the leading attribute and repeats its pattern on the linked ones (ghost variables in sdcMicro).
    Nothing else changes. Linked attributes that are swapped are named together in aggregated-rank-swapping or
    record-swapping, which move all of them by the same permutation.

    Formula: x′ᵢⱼ = missing if the leading attribute is missing in record i, else xᵢⱼ

    Use it when a suppressed key can be read from another attribute.
    """

    suppresses = True
    leaves_out = True

    leading: str = param("", "attribute whose missing values the others follow; without one, the first one named")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        leading = self.leading or names[0]
        if leading not in data:
            raise ParameterError(f"{self.name}: the file has no column {leading!r}, which the others are to follow")
        codes = data.codes(names).astype(np.int64)
        codes[data.absent(leading)] = -1
        return without_suppressed(data, names, codes)

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The leading attribute."""
        return (self.leading,) if self.leading else ()

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value is unchanged or went missing."""
        return unchanged_or_missing(known)
