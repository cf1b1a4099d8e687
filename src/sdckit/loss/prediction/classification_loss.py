"""Classification loss: does a tree learnt from the masked file still classify original records?"""

import numpy as np
from numpy.typing import NDArray

from sdckit.loss.prediction.held_out import CATEGORIES, PredictionLoss
from sdckit.measure import Cost, loss
from sdckit.microdata import Microdata

LEAF = 5  # records of a leaf at least


@loss("classification-loss", reference="herranz2010", cost=Cost.SLOW)
class ClassificationLoss(PredictionLoss):
    r"""Share of a classification tree's skill that is lost when it is learnt from the masked file.

    Records are held out in turn. A tree learnt from the other original records and one learnt from their masked rows
    both classify them; the skill of either is the share of the naive guess's errors that it avoids, where the naive
    guess is the most frequent class of the held-out records. A number is classified as above the original's median or
    not. An attribute that the others cannot predict in the original is not counted. The interval shows how the figure
    varies with the records on which the trees are judged; the variation of the trees themselves is not included.

    Formula: $\frac{\sum_t \max(S_t - \max(S'_t, 0), 0)}{\sum_t S_t}$,  $S = 1 - \frac{\text{errors}}{\text{errors of
    the naive guess}}$, learnt from $x$ and $x'$

    Use it when the file is released for machine learning: it asks whether models can be trained on it.
    """

    def can_be_predicted(self, original: Microdata, name: str) -> bool:
        return not original.attribute(name).coded or len(np.unique(original.columns[name])) <= CATEGORIES

    def outcomes(self, original: Microdata, masked: Microdata, name: str) -> tuple[NDArray[np.float64], ...]:
        median = 0.0
        if not original.attribute(name).coded:
            seen = original.columns[name][~original.absent(name)]
            median = float(np.median(seen)) if len(seen) else 0.0
        classes = []
        for file in (original, masked):
            column = file.columns[name]
            found = column if original.attribute(name).coded else column > median
            classes.append(np.where(file.absent(name), np.nan, found))
        return tuple(classes)

    def errors(
        self,
        known: NDArray[np.float64],
        outcome: NDArray[np.float64],
        tested: NDArray[np.float64],
        truth: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        from sklearn.tree import DecisionTreeClassifier  # takes a second, which only this fit is worth

        classes, counts = np.unique(outcome, return_counts=True)
        if 2 * len(classes) > len(
            outcome
        ):  # more classes than a tree has leaves for: it predicts the most frequent one
            return np.asarray(truth != classes[counts.argmax()], dtype=np.float64)
        tree = DecisionTreeClassifier(min_samples_leaf=LEAF, random_state=0)
        return np.asarray(tree.fit(known, outcome).predict(tested) != truth, dtype=np.float64)

    def least_errors(self, truth: NDArray[np.float64]) -> NDArray[np.float64]:
        classes, counts = np.unique(truth, return_counts=True)
        return np.asarray(truth != classes[counts.argmax()], dtype=np.float64)
