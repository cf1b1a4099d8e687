"""What maskings to bands share: a number stands for each band, and the text of the band is published."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sdckit.bands import Bands
from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.masking import Locality, Masking
from sdckit.microdata import Attribute, Microdata
from sdckit.released_bands import banded


class BandMasking(Masking):
    """A masking that maps each value of an attribute by itself to a band; missing values stay missing."""

    columnwise = True
    reads_a_part = True
    locality = Locality.ROW

    def bands_of(self, data: Microdata, name: str) -> Bands:
        """The bands of one attribute of the file that enters."""
        raise TypeError(f"{type(self).__name__} must define bands_of")

    def fit(self, data: Microdata, attributes: Sequence[str] = ()) -> "BandPlan":
        """The plan by which every chunk of the file is masked."""
        return BandPlan({name: self.bands_of(data, name) for name in self.applicable(data, attributes)})

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        return self.fit(data, attributes).apply(data, draws)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value became the number of its band."""
        return None if released is None else self.image(known, {each.name: each for each in released.attributes})

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """The same, as the breaks are published."""
        lower, upper = {}, {}
        for name, low in known.lower.items():
            high, attribute = known.upper[name], attributes[name]
            if attribute.bands is None:
                continue
            if attribute.coded:  # positions of categories: those within the interval
                low, high = np.ceil(low), np.floor(high)
            unknown = np.isneginf(low) & np.isposinf(high)
            lower[name] = np.where(unknown, -np.inf, attribute.bands.recoded(low))
            upper[name] = np.where(unknown, np.inf, attribute.bands.recoded(high))
        return Candidates(known.records, lower, upper)

    def _check(self, data: Microdata, attribute: Attribute) -> None:
        super()._check(data, attribute)
        if attribute.bands is not None:
            raise SchemaError(f"{self.name}: {attribute.name!r} was recoded by an earlier step; recode it once")


@dataclass(frozen=True)
class BandPlan:
    """The bands of each attribute."""

    bands: Mapping[str, Bands]

    def apply(self, chunk: Microdata, draws: Draws) -> Microdata:
        """The chunk recoded."""
        values = chunk.matrix(tuple(self.bands))
        recoded = np.empty(values.shape)
        attributes = []
        for index, (name, bands) in enumerate(self.bands.items()):
            recoded[:, index] = bands.recoded(values[:, index])
            attributes.append(banded(chunk.attribute(name), bands))
        return chunk.with_matrix(tuple(self.bands), recoded).with_columns({}, attributes)


def only_whole(data: Microdata, name: str) -> bool:
    """Whether all values of a column are integers, also where they are written as 31.0."""
    if data.attribute(name).integral:
        return True
    column = data.columns[name]
    return bool((column[~np.isnan(column)] % 1 == 0).all())
