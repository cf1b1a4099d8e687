"""What the syntheses by linear regression share: the outcomes are replaced, the predictors and the rows are kept."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import PreservesStatistics, Statistic
from sdckit.draws import Draws
from sdckit.edit_checks import compare_edits
from sdckit.errors import SchemaError
from sdckit.formatting import percent
from sdckit.kernels.moments import correlations, means_and_covariances
from sdckit.kernels.residual_qr import ResidualQR, residual_qr
from sdckit.masking import Masking
from sdckit.methods.synthesis.derived_attributes import derived_attributes
from sdckit.methods.synthesis.kept_edits import with_equalities_in_place
from sdckit.methods.synthesis.predictors import predictor_columns, predictor_names
from sdckit.microdata import Microdata
from sdckit.normal_law import RowNormalLaw, at_least
from sdckit.parameters import param

NEARLY = 0.05  # share of a standard deviation below which a value is as good as known
NOTED = 1e-9  # change of a preserved moment, in standard deviations, that publishing is noted for


@dataclass(frozen=True, kw_only=True)
class RegressionSynthesis(Masking):
    """Replace the named attributes by values drawn from their regression on others, which are released unchanged.

    `kept_share`  the part of a residual that its own original residual makes up; the rest is drawn. None where the
                  release does not show the residual variance
    """

    draws_values = True

    given: tuple[str, ...] | None = param(
        None,
        "attributes to condition on; by default other keys, confidential ones and weights; empty: none",
    )

    @property
    def kept_share(self) -> float | None:
        """The correlation of a released residual with the original one."""
        return 0.0

    def synthetic_residuals(self, regression: ResidualQR, draws: Draws) -> NDArray[np.float64]:
        """The residuals that are released instead of the original ones."""
        raise TypeError(f"{type(self).__name__} must define synthetic_residuals")

    def records_needed(self, predictors: int, outcomes: int) -> int:
        """The fewest records with which some freedom is left; `predictors` counts the intercept, too."""
        return predictors + outcomes + 1

    def predictors(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The attributes that the replaced ones are conditional on."""
        return predictor_names(self.name, data, attributes, self.given)

    def design(self, data: Microdata, attributes: Sequence[str]) -> NDArray[np.float64]:
        """The columns of the regression without the intercept: numbers, and indicators of categories."""
        return predictor_columns(data, self.predictors(data, attributes))

    def also_reads(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        return self.predictors(data, attributes)

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        self.refuse_missing(data, names)
        design = self.design(data, names)
        self.require_records(data, names, design.shape[1] + 1)
        values = self.synthesised(data.matrix(names), design, draws.over(len(data)))
        made = data.with_matrix(names, self.published(data, names, values))
        return with_equalities_in_place(self, data, derived_attributes(data, names), dict(made.columns))

    def synthesised(
        self, outcomes: NDArray[np.float64], design: NDArray[np.float64], draws: Draws
    ) -> NDArray[np.float64]:
        """The synthetic outcomes, before they are rounded and clipped."""
        regression = residual_qr(outcomes, design)
        return regression.fitted + self.synthetic_residuals(regression, draws)

    def require_records(self, data: Microdata, names: Sequence[str], predictors: int) -> None:
        """Raise an error where the file has too few records for its attributes."""
        needed = self.records_needed(predictors, len(names))
        if len(data) < needed:
            raise SchemaError(
                f"{self.name} needs at least {needed} records for {self.sizes_text(names, predictors)}, and the file "
                f"has {len(data)}; replace fewer attributes, or list fewer in given"
            )

    def sizes_text(self, names: Sequence[str], predictors: int) -> str:
        """How many attributes are replaced, and by how many regression coefficients each."""
        attributes = "1 replaced attribute" if len(names) == 1 else f"{len(names)} replaced attributes"
        coefficients = "1 regression coefficient" if predictors == 1 else f"{predictors} regression coefficients"
        return f"{attributes} with {coefficients}{'' if len(names) == 1 else ' each'}"

    def row_law(
        self, released: Microdata, attributes: Sequence[str], known: Microdata | None = None
    ) -> RowNormalLaw | None:
        """The record behind a row is normal about a point between its fitted values and its released ones."""
        share = self.kept_share
        predictors = self.predictors(released, attributes)
        holes = any(released.missing(name) for name in attributes)
        if share is None or holes or len(released) <= len(attributes) + 1:
            return None
        values = released.matrix(attributes)
        regression = residual_qr(values, predictor_columns(released, predictors))
        means = regression.fitted + share * (values - regression.fitted)
        variances = values.var(axis=0)
        return RowNormalLaw(means, at_least((1 - share**2) * regression.covariances, variances))

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        predictors = self.predictors(original, attributes)
        regression = residual_qr(original.matrix(attributes), predictor_columns(original, predictors))
        names = list(map(repr, predictors))
        notes = [f"{self.name}: conditional on {', '.join(names) if names else 'no attribute, only on the means'}"]
        residual = np.sqrt((regression.triangular**2).sum(axis=0) / len(original))
        for name, size in zip(attributes, residual, strict=True):
            deviation = float(original.columns[name].std())
            if not size and len(np.unique(original.columns[name])) > 1:
                notes.append(f"{name!r} is determined by the given attributes and therefore released unchanged")
            elif 0 < size < NEARLY * deviation:
                notes.append(
                    f"{name!r} is nearly determined by the given attributes: what they do not explain has "
                    f"{percent(size / deviation)} of its standard deviation, so that released values are near the "
                    "original ones; replace these attributes too, or list others in given"
                )
        return notes + self._publishing_note(original, masked, attributes) + self._edits_note(original, masked)

    def _edits_note(self, original: Microdata, masked: Microdata) -> list[str]:
        """What keeps the edits that more rows break than before: moments are exact only where no row is drawn again."""
        worse = [each.edit for each in compare_edits(original, masked) if each.after > each.before]
        if not worse:
            return []
        return [
            f"{self.name} keeps ranges and linear equalities; use partial-trees to keep {', '.join(map(str, worse))}"
        ]

    def _publishing_note(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        """What rounding and declared ranges changed in the statistics that are preserved exactly before."""
        if not isinstance(self, PreservesStatistics) or len(original) != len(masked):
            return []
        design = self.design(original, attributes)  # released unchanged
        before, after = (
            means_and_covariances(np.column_stack([file.matrix(attributes), design])) for file in (original, masked)
        )
        deviation = np.sqrt(np.diag(before[1]))
        moved = np.abs(after[0] - before[0])[deviation > 0] / deviation[deviation > 0]
        changed = {"means": (float(moved.max(initial=0.0)), " standard deviations")}
        if Statistic.COVARIANCES in self.preserves:
            gaps = np.abs(correlations(after[1]) - correlations(before[1]))[: len(attributes)]
            changed["correlations"] = (float(gaps.max(initial=0.0)), "")
        if max(size for size, _ in changed.values()) <= NOTED:
            return []
        by = " and ".join(f"{name} by up to {size:.2g}{unit}" for name, (size, unit) in changed.items())
        return [f"{self.name}: rounding and declared ranges changed {by}"]
