"""Microhybrid: IPSO-C inside each cluster of a microaggregation (Domingo-Ferrer and González-Nicolás 2010)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.errors import NotApplicableError, SchemaError
from sdckit.kernels.mdav import mdav
from sdckit.kernels.residual_qr import ResidualQR, residual_qr
from sdckit.kernels.standardisation import standardise
from sdckit.kernels.tall_products import tall_product
from sdckit.likelihood import Law
from sdckit.masking import Locality, masking
from sdckit.methods.synthesis.regression_synthesis import RegressionSynthesis
from sdckit.microdata import Kind, Microdata
from sdckit.normal_law import ClusterNormalLaw, every_number
from sdckit.parameters import param

LARGEST = 20_000_000  # values in the columns of all clusters up to which they are written down


@masking("microhybrid", kind=Kind.ORDERED, reference="domingo2010")
class Microhybrid(RegressionSynthesis):
    r"""Cluster the records by MDAV and replace the values inside each cluster by IPSO-C.

    Means and covariances are those of the original inside every cluster, and therefore in the whole file, until values
    are rounded or clipped. A `group_size` of 1 is the original file and that of the whole file is IPSO-C: small
    clusters keep records near their own values. With attributes in `given` the clusters are formed on these, too, and
    their regression inside each cluster is preserved (R-microhybrid). A cluster needs 2 |Y| + |X| + 1 records, where
    Y is replaced and X given.

    Formula: $Y'_C = X_C \hat{B}_C + \tilde{Q}_C R_C$ in each cluster $C$ of $\mathrm{MDAV}(Y, X, k)$,  $Y_C - X_C
    \hat{B}_C = Q_C R_C$

    Use it when subgroups matter: statistics of any set of whole clusters are exact.

    Excludes nothing: a normal draw can take any size.
    """

    locality = Locality.BLOCK
    preserves = frozenset({Statistic.MEANS, Statistic.COVARIANCES})

    group_size: int = param(
        25, "smallest number of records in a cluster (the papers' k)", low=1, grid=(15, 25, 50, 100)
    )
    given: tuple[str, ...] | None = param(
        (), "attributes whose regression inside each cluster is preserved; left out: none"
    )

    @property
    def kept_share(self) -> None:
        """None: the release does not show the clusters."""
        return

    def records_needed(self, predictors: int, outcomes: int) -> int:
        return self.group_size

    def predictors(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        return super().predictors(data, attributes) if self.given else ()

    def require_records(self, data: Microdata, names: Sequence[str], predictors: int) -> None:
        needed = 2 * len(names) + predictors
        if 1 < self.group_size < needed:
            raise SchemaError(
                f"{self.name}: group_size = {self.group_size} leaves no freedom in a cluster; use at least {needed}, "
                f"for {self.sizes_text(names, predictors)}, or replace fewer attributes"
            )
        if len(data) < self.group_size:
            fewer = "replace fewer attributes"
            cure = f"use a group_size from {needed} to {len(data)}, or {fewer}" if len(data) >= needed else fewer
            raise SchemaError(
                f"{self.name} needs at least group_size = {self.group_size} records, the file has {len(data)}; {cure}"
            )

    def law(self, released: Microdata, original: Microdata | None = None) -> Law | None:
        """An intruder who knows the whole file knows the clusters; given attributes are not known here."""
        if original is None or self.given or self.group_size == 1 or len(original) < self.group_size:
            return None
        values = every_number(original)
        if np.isnan(values).any():
            return None
        return ClusterNormalLaw.of(values, mdav(standardise(values), self.group_size))

    def row_law(self, released: Microdata, attributes: Sequence[str], known: Microdata | None = None) -> None:
        """None: the release does not show the clusters."""
        return

    def preserved_design(self, data: Microdata, attributes: Sequence[str]) -> NDArray[np.float64]:
        """The columns of the regression in each cluster by itself, of an intruder who knows the clusters."""
        design = self.design(data, attributes)
        labels = self.clusters(data.matrix(attributes), design)
        within = np.hstack([np.ones((len(data), 1)), design])
        if within.size * (int(labels.max()) + 1) > LARGEST:
            raise NotApplicableError(
                f"{self.name} makes {int(labels.max()) + 1:,} clusters, too many to compute the certificate; "
                f"all others of a cluster, {self.group_size - 1} at least, give a record away"
            )
        columns = (labels[:, None] == np.arange(labels.max() + 1))[:, :, None] * within[:, None, :]
        return np.asarray(columns.reshape(len(data), -1), dtype=np.float64)

    def clusters(self, outcomes: NDArray[np.float64], design: NDArray[np.float64]) -> NDArray[np.int64]:
        """The cluster of each record."""
        return mdav(standardise(np.column_stack([outcomes, design])), self.group_size)

    def synthesised(
        self, outcomes: NDArray[np.float64], design: NDArray[np.float64], draws: Draws
    ) -> NDArray[np.float64]:
        if self.group_size == 1:
            return outcomes
        labels = self.clusters(outcomes, design)
        order = np.argsort(labels, kind="stable")
        drawn = draws.normal(outcomes.shape[1])
        synthetic = np.empty(outcomes.shape)
        for cluster in np.split(order, np.cumsum(np.bincount(labels))[:-1]):
            regression = residual_qr(outcomes[cluster], design[cluster])
            synthetic[cluster] = regression.fitted + _rotated(regression, drawn[cluster])
        return synthetic


def _rotated(regression: ResidualQR, drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """The residuals of IPSO-C by these draws."""
    return tall_product(regression.basis_of(drawn[:, : regression.rank]), regression.triangular)
