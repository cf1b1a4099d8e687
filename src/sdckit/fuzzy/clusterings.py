"""Fuzzy clusterings as values: a method with its parameters, which a recipe names as `noise-clustering(1.5+2)`."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import c_means
from sdckit.fuzzy.closeness import check_fuzziness
from sdckit.fuzzy.cluster_widths import mean_distance
from sdckit.fuzzy.clusters import Adjust, Clusters
from sdckit.fuzzy.entropy_c_means import entropy_c_means
from sdckit.fuzzy.fuzzy_possibilistic_c_means import fuzzy_possibilistic_c_means
from sdckit.fuzzy.noise_clustering import noise_clustering
from sdckit.fuzzy.possibilistic_c_means import possibilistic_c_means
from sdckit.fuzzy.possibilistic_fuzzy_c_means import possibilistic_fuzzy_c_means


@dataclass(frozen=True)
class Clustering:
    """A fuzzy clustering and its parameters; as text it is written `fuzzy-c-means(1.5)`."""

    title: ClassVar[str] = ""
    in_words: ClassVar[str] = "a fuzzy clustering, such as fuzzy-c-means(1.5) or noise-clustering(1.5+1)"

    def fit(
        self,
        points: NDArray[np.float64],
        centres: NDArray[np.float64],
        *,
        weights: NDArray[np.float64] | None = None,
        adjust: Adjust | None = None,
    ) -> Clusters:
        """The clusters, from initial centres; `adjust` maps weighted means to centres, as `alternate` says."""
        raise TypeError(f"{type(self).__name__} must define fit")

    @classmethod
    def from_arguments(cls, name: str, arguments: Sequence[str]) -> "Clustering":
        """The clustering of that name with these numbers, as in `fuzzy-c-means(1.5)`.

        >>> Clustering.from_arguments("noise-clustering", ["1.5", "2"])
        NoiseClustering(fuzziness=1.5, noise_share=2.0)

        A number alone is the fuzziness of fuzzy c-means.
        """
        clusterings = {each.title: each for each in _subclasses(Clustering)}
        if name.replace(".", "", 1).isdecimal() and not arguments:
            return FuzzyCMeans(float(name))
        if name not in clusterings:
            raise ValueError(f"there is no clustering {name!r}; there are {', '.join(clusterings)}")
        accepted = [each.name for each in fields(clusterings[name])]
        if len(arguments) > len(accepted):
            raise ValueError(f"{name} takes at most {len(accepted)} numbers: {', '.join(accepted)}")
        return clusterings[name](*map(float, arguments))

    @classmethod
    def from_number(cls, number: float) -> "Clustering":
        """A number alone is the fuzziness of fuzzy c-means."""
        return FuzzyCMeans(float(number))

    def with_fuzziness(self, fuzziness: float) -> "Clustering":
        """The same clustering with another exponent of the memberships; a ValueError where it has none."""
        values: dict[str, float] = {each.name: getattr(self, each.name) for each in fields(self)}
        if "fuzziness" not in values:
            raise ValueError(f"{self.title} has no fuzziness to choose; take another clustering")
        return type(self)(**(values | {"fuzziness": float(fuzziness)}))

    def __str__(self) -> str:
        return f"{self.title}({'+'.join(f'{getattr(self, each.name):.12g}' for each in fields(self))})"


def _subclasses(base: type[Clustering]) -> list[type[Clustering]]:
    return [each for child in base.__subclasses__() for each in (child, *_subclasses(child)) if each.title]


@dataclass(frozen=True)
class FuzzyCMeans(Clustering):
    """Fuzzy c-means; a fuzziness of 1 is k-means."""

    title = "fuzzy-c-means"

    fuzziness: float = 1.1

    def __post_init__(self) -> None:
        check_fuzziness(self.fuzziness)

    def fit(
        self,
        points: NDArray[np.float64],
        centres: NDArray[np.float64],
        *,
        weights: NDArray[np.float64] | None = None,
        adjust: Adjust | None = None,
    ) -> Clusters:
        return c_means(points, centres, self.fuzziness, weights=weights, adjust=adjust)


@dataclass(frozen=True)
class NoiseClustering(Clustering):
    """Noise clustering; the noise cluster is at a multiple of the mean distance of records to c-means centres."""

    title = "noise-clustering"

    fuzziness: float = 1.1
    noise_share: float = 1.0

    def __post_init__(self) -> None:
        check_fuzziness(self.fuzziness)
        if not self.noise_share > 0:
            raise ValueError(f"the distance to the noise cluster is positive, not {self.noise_share:g}")

    def fit(
        self,
        points: NDArray[np.float64],
        centres: NDArray[np.float64],
        *,
        weights: NDArray[np.float64] | None = None,
        adjust: Adjust | None = None,
    ) -> Clusters:
        plain = c_means(points, centres, self.fuzziness, weights=weights, adjust=adjust)
        distance = self.noise_share * mean_distance(points, plain.centres, weights)
        if not distance > 0:
            return plain
        return noise_clustering(points, plain.centres, self.fuzziness, distance, weights=weights, adjust=adjust)


@dataclass(frozen=True)
class PossibilisticCMeans(Clustering):
    """Possibilistic c-means, from the centres of fuzzy c-means and with the widths of its clusters."""

    title = "possibilistic-c-means"

    fuzziness: float = 1.5

    def __post_init__(self) -> None:
        check_fuzziness(self.fuzziness)

    def fit(
        self,
        points: NDArray[np.float64],
        centres: NDArray[np.float64],
        *,
        weights: NDArray[np.float64] | None = None,
        adjust: Adjust | None = None,
    ) -> Clusters:
        return possibilistic_c_means(points, centres, self.fuzziness, weights=weights, adjust=adjust)


@dataclass(frozen=True)
class FuzzyPossibilisticCMeans(Clustering):
    """Fuzzy possibilistic c-means, with an exponent of the memberships and one of the typicalities."""

    title = "fuzzy-possibilistic-c-means"

    fuzziness: float = 1.1
    typicality: float = 2.0

    def __post_init__(self) -> None:
        check_fuzziness(self.fuzziness)
        check_fuzziness(self.typicality, "typicality")

    def fit(
        self,
        points: NDArray[np.float64],
        centres: NDArray[np.float64],
        *,
        weights: NDArray[np.float64] | None = None,
        adjust: Adjust | None = None,
    ) -> Clusters:
        return fuzzy_possibilistic_c_means(
            points, centres, self.fuzziness, self.typicality, weights=weights, adjust=adjust
        )


@dataclass(frozen=True)
class PossibilisticFuzzyCMeans(Clustering):
    """Possibilistic-fuzzy c-means, with an exponent of the memberships and one of the typicalities."""

    title = "possibilistic-fuzzy-c-means"

    fuzziness: float = 1.1
    typicality: float = 2.0

    def __post_init__(self) -> None:
        check_fuzziness(self.fuzziness)
        check_fuzziness(self.typicality, "typicality")

    def fit(
        self,
        points: NDArray[np.float64],
        centres: NDArray[np.float64],
        *,
        weights: NDArray[np.float64] | None = None,
        adjust: Adjust | None = None,
    ) -> Clusters:
        return possibilistic_fuzzy_c_means(
            points, centres, self.fuzziness, self.typicality, weights=weights, adjust=adjust
        )


@dataclass(frozen=True)
class EntropyCMeans(Clustering):
    """Entropy-regularised c-means; the sharpness is one over a squared distance between standardised records."""

    title = "entropy-c-means"

    sharpness: float = 10.0

    def __post_init__(self) -> None:
        if not self.sharpness >= 0:
            raise ValueError(f"the sharpness is not negative, unlike {self.sharpness:g}")

    def fit(
        self,
        points: NDArray[np.float64],
        centres: NDArray[np.float64],
        *,
        weights: NDArray[np.float64] | None = None,
        adjust: Adjust | None = None,
    ) -> Clusters:
        return entropy_c_means(points, centres, self.sharpness, weights=weights, adjust=adjust)
