"""Randomised response: categories change by a fixed matrix that limits what an answer shows (Warner 1965)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.kernels.transitions import draw_transitions
from sdckit.likelihood import Law, TransitionLaw
from sdckit.masking import masking
from sdckit.methods.category_masking import CategoryMasking, CategoryPlan, Table
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param
from sdckit.privacy import PrivacyLoss, numbers_of_categories


@masking("randomised-response", kind=Kind.CATEGORICAL, reference="warner1965")
class RandomisedResponse(CategoryMasking):
    r"""Keep each category with a probability given by ε, and otherwise release another of the declared ones.

    No released category is more than e^ε times as likely for one person as for another, so each value is
    ε-differentially private by itself. The matrix depends on the number of categories alone, which have to be public:
    declare them in the schema. PRAM with an invariant matrix depends on the data and has no such limit. Counts are
    biased towards equal frequencies; an analyst who has the matrix obtains unbiased counts by its inverse. The losses
    of several attributes add up.

    Formula: $\Pr[x' = a \mid x = a] = \frac{e^{\varepsilon}}{e^{\varepsilon} + c - 1}$,  any other $b$:
    $\frac{1}{e^{\varepsilon} + c - 1}$,  $c$ categories

    Use it when single answers must be deniable and users estimate shares.

    Excludes nothing: any category may be released for any person.
    """

    epsilon: float = param(1.0, "privacy loss of each attribute (ε)", low=0, high=50, grid=(0.5, 1, 2, 4))

    def matrix(self, attribute: Attribute) -> NDArray[np.float64]:
        """The probability of each category (row) to be released as each (column)."""
        number = len(attribute.categories or ())
        other = 1 / (np.exp(self.epsilon) + number - 1)
        matrix = np.full((number, number), other)
        np.fill_diagonal(matrix, np.exp(self.epsilon) * other)
        return matrix

    def fit(self, data: Microdata, attributes: Sequence[str] = ()) -> CategoryPlan:
        self.refuse_missing(data, self.applicable(data, attributes))
        return super().fit(data, attributes)

    def table(self, attribute: Attribute, codes: NDArray[np.int32]) -> tuple[Attribute, Table]:
        return attribute, self.matrix(attribute)

    def mask_codes(self, codes: NDArray[np.int32], table: Table, draws: Draws) -> NDArray[np.int32]:
        return draw_transitions(codes, table.astype(np.float64), draws.uniform(1)[:, 0])

    def law(self, released: Microdata, original: Microdata | None = None) -> Law:
        return TransitionLaw(tuple(np.log(self.matrix(each)) for each in released.attributes))

    def corrected_counts(self, released: Microdata, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        (attribute,) = released.attributes
        return np.asarray(np.linalg.solve(self.matrix(attribute).T, counts), dtype=np.float64)

    def drawn_counts(
        self, attribute: Attribute, counts: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        drawn: NDArray[np.int64] = rng.multinomial(counts, self.matrix(attribute)).sum(axis=0)
        return drawn

    def privacy(self, data: Microdata, attributes: Sequence[str]) -> PrivacyLoss:
        """ε for each attribute."""
        loss = self.epsilon * len(attributes)
        return PrivacyLoss(self.name, tuple(attributes), loss, categories=numbers_of_categories(data, attributes))


def epsilon_of(matrix: NDArray[np.float64]) -> float:
    """The privacy loss of a matrix: the greatest log-ratio of the probabilities of one released category.

    >>> round(epsilon_of(np.array([[0.75, 0.25], [0.25, 0.75]])), 6) == round(float(np.log(3)), 6)
    True
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.log(matrix.max(axis=0)) - np.log(matrix.min(axis=0))
    return float(np.max(ratios, initial=0.0))
