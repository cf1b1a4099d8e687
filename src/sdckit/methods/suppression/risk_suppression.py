"""Risk suppression: records above an individual risk lose values until they are below it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.errors import ParameterError, SchemaError
from sdckit.kernels.equivalence_classes import MISSING, wildcard_frequencies, wildcard_sums
from sdckit.kernels.individual_risk import individual_risks
from sdckit.masking import Masking, masking
from sdckit.methods.suppression.local_suppression import unchanged_or_missing, without_suppressed
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import param


@masking("risk-suppression", kind=Kind.ANY, reference="templ2015")
class RiskSuppression(Masking):
    """Suppress values in the records whose individual risk exceeds a threshold, until it does not.

    The risk of a record is the expected 1 / F over the persons of the population who agree with it on the keys, by the
    sampling weights as in individual-risk; without weights it is 1 / f in the file. In rounds, every record above the
    threshold loses the next value, by default that of the key with the most categories. A missing value agrees with
    every value, so a suppression never raises the risk of another record. With `suppressed` only these keys are lost,
    in the order named, and some records may stay above the threshold, as the notes say. It is the counterpart of
    sdcMicro's `localSupp`.

    Formula: E(1 / Fᵢ | fᵢ) ≤ threshold,  fᵢ and F̂ᵢ counted over the records that agree on all keys that both have

    Use it when the file is a survey with weights: a sample unique that stands for many persons need not lose anything.
    """

    suppresses = True
    leaves_out = True

    threshold: float = param(
        0.1, "largest individual risk that a record may have", low=1e-6, high=1, grid=(0.05, 0.1, 0.2)
    )
    suppressed: tuple[str, ...] = param((), "keys whose values may be removed, in this order; by default all of them")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        unknown = [name for name in self.suppressed if name not in names]
        if unknown:
            raise ParameterError(
                f"{self.name}: {unknown[0]!r} is to be suppressed and not among the keys; name it as an attribute too"
            )
        codes = data.codes(names).astype(np.int64)
        weights = weights_in(data)
        for column in self.order(codes, names):
            codes[risks_of(codes, weights) > self.threshold, column] = MISSING
        return without_suppressed(data, names, codes)

    def order(self, codes: NDArray[np.int64], names: Sequence[str]) -> list[int]:
        """The columns in the order in which values are lost."""
        if self.suppressed:
            return [list(names).index(name) for name in self.suppressed]
        categories = [len(np.unique(column)) for column in codes.T]
        return sorted(range(len(names)), key=lambda column: -categories[column])

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The weights."""
        return data.names(role=Role.WEIGHT)[:1]

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        """How many records are above the threshold before and after."""
        if masked.lineage is not None or any(name not in masked for name in attributes):
            return []
        before, after = (
            int((risks_of(file.codes(attributes).astype(np.int64), weights_in(file)) > self.threshold).sum())
            for file in (original, masked)
        )
        return [f"{self.name}: {before} records had an individual risk above {self.threshold:g}, and {after} have now"]

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value is unchanged or went missing."""
        return unchanged_or_missing(known)


def risks_of(codes: NDArray[np.int64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """The individual risk of each record; without weights one over its frequency."""
    frequency = wildcard_frequencies(codes)
    if weights is None:
        return 1.0 / frequency
    return individual_risks(frequency, np.maximum(wildcard_sums(codes, weights), frequency))


def weights_in(data: Microdata) -> NDArray[np.float64] | None:
    """The sampling weights; None where the file has none."""
    names = data.names(role=Role.WEIGHT)
    if not names or data.attribute(names[0]).coded:
        return None
    weights = data.matrix([names[0]])[:, 0]
    if not (weights > 0).all():
        raise SchemaError(
            f"some weights in {names[0]!r} are zero, negative or missing; drop these records, or give them the weight "
            "that they represent"
        )
    return weights
