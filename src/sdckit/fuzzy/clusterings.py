"""Fuzzy clusterings as values: a method with its parameters, which a recipe names as `noise-clustering(1.5+2)`."""

from dataclasses import dataclass, fields
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import c_means
from sdckit.fuzzy.closeness import LARGEST, check_fuzziness
from sdckit.fuzzy.cluster_widths import check_cut, mean_distance
from sdckit.fuzzy.clusters import Clusters, Iteration
from sdckit.fuzzy.entropy_c_means import check_sharpness, entropy_c_means
from sdckit.fuzzy.exponential_possibilistic_c_means import exponential_possibilistic_c_means
from sdckit.fuzzy.fuzzy_possibilistic_c_means import fuzzy_possibilistic_c_means
from sdckit.fuzzy.named_values import NamedValue
from sdckit.fuzzy.noise_clustering import noise_clustering
from sdckit.fuzzy.possibilistic_c_means import possibilistic_c_means
from sdckit.fuzzy.possibilistic_fuzzy_c_means import possibilistic_fuzzy_c_means


@dataclass(frozen=True)
class Clustering(NamedValue):
    """A fuzzy clustering and its parameters; as text `fuzzy-c-means(1.5)`, of which the fuzziness may be written alone.

    >>> Clustering.from_arguments("noise-clustering", ["1.5", "2"])
    NoiseClustering(fuzziness=1.5, noise_share=2.0)
    """

    noun = "clustering"
    numeric = "fuzzy-c-means"
    in_words: ClassVar[str] = "a fuzzy clustering, such as fuzzy-c-means(1.5) or noise-clustering(1.5+1)"

    def fit(self, points: NDArray[np.float64], centres: NDArray[np.float64], **how: Unpack[Iteration]) -> Clusters:
        """The clusters, from initial centres; iterated as `Iteration` says."""
        raise TypeError(f"{type(self).__name__} must define fit")

    def with_fuzziness(self, fuzziness: float) -> "Clustering":
        """The same clustering with another exponent of the memberships; a ValueError where it has none."""
        values: dict[str, float] = {each.name: getattr(self, each.name) for each in fields(self)}
        if "fuzziness" not in values:
            raise ValueError(f"{self.title} has no fuzziness to choose; use another clustering")
        return type(self)(**(values | {"fuzziness": float(fuzziness)}))


@dataclass(frozen=True)
class FuzzyCMeans(Clustering):
    """Fuzzy c-means; a fuzziness of 1 is k-means."""

    title = "fuzzy-c-means"

    fuzziness: float = 1.1

    def __post_init__(self) -> None:
        check_fuzziness(self.fuzziness)

    def fit(self, points: NDArray[np.float64], centres: NDArray[np.float64], **how: Unpack[Iteration]) -> Clusters:
        return c_means(points, centres, self.fuzziness, **how)


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

    def fit(self, points: NDArray[np.float64], centres: NDArray[np.float64], **how: Unpack[Iteration]) -> Clusters:
        plain = c_means(points, centres, self.fuzziness, **how)
        distance = self.noise_share * mean_distance(points, plain.centres, how.get("weights"), how.get("metric"))
        if not distance > 0:
            return plain
        return noise_clustering(points, plain.centres, self.fuzziness, distance, **how)


@dataclass(frozen=True)
class PossibilisticCMeans(Clustering):
    """Possibilistic c-means, from the centres of fuzzy c-means and with the widths of its clusters.

    With a cut below 1 the widths are estimated again, from the records that are typical by more than the cut.
    """

    title = "possibilistic-c-means"

    fuzziness: float = 1.5
    cut: float = 1.0

    def __post_init__(self) -> None:
        check_fuzziness(self.fuzziness)
        check_cut(self.cut)

    def fit(self, points: NDArray[np.float64], centres: NDArray[np.float64], **how: Unpack[Iteration]) -> Clusters:
        return possibilistic_c_means(points, centres, self.fuzziness, cut=self.cut, **how)


@dataclass(frozen=True)
class ExponentialPossibilisticCMeans(PossibilisticCMeans):
    """Possibilistic c-means with typicalities exp(−D / η); the fuzziness is of the c-means that finds the widths."""

    title = "exponential-possibilistic-c-means"

    def fit(self, points: NDArray[np.float64], centres: NDArray[np.float64], **how: Unpack[Iteration]) -> Clusters:
        return exponential_possibilistic_c_means(points, centres, self.fuzziness, cut=self.cut, **how)


@dataclass(frozen=True)
class WithTypicalities(Clustering):
    """A clustering with an exponent of the memberships and one of the typicalities."""

    fuzziness: float = 1.1
    typicality: float = 2.0

    def __post_init__(self) -> None:
        check_fuzziness(self.fuzziness, largest=LARGEST)
        check_fuzziness(self.typicality, "typicality", LARGEST)


@dataclass(frozen=True)
class FuzzyPossibilisticCMeans(WithTypicalities):
    """Fuzzy possibilistic c-means, with an exponent of the memberships and one of the typicalities."""

    title = "fuzzy-possibilistic-c-means"

    def fit(self, points: NDArray[np.float64], centres: NDArray[np.float64], **how: Unpack[Iteration]) -> Clusters:
        return fuzzy_possibilistic_c_means(points, centres, self.fuzziness, self.typicality, **how)


@dataclass(frozen=True)
class PossibilisticFuzzyCMeans(WithTypicalities):
    """Possibilistic-fuzzy c-means, with an exponent of the memberships and one of the typicalities."""

    title = "possibilistic-fuzzy-c-means"

    def fit(self, points: NDArray[np.float64], centres: NDArray[np.float64], **how: Unpack[Iteration]) -> Clusters:
        return possibilistic_fuzzy_c_means(points, centres, self.fuzziness, self.typicality, **how)


@dataclass(frozen=True)
class EntropyCMeans(Clustering):
    """Entropy-regularised c-means; the sharpness is one over a squared distance between standardised records."""

    title = "entropy-c-means"

    sharpness: float = 10.0

    def __post_init__(self) -> None:
        check_sharpness(self.sharpness)

    def fit(self, points: NDArray[np.float64], centres: NDArray[np.float64], **how: Unpack[Iteration]) -> Clusters:
        return entropy_c_means(points, centres, self.sharpness, **how)
