"""A masking as a transformer of scikit-learn, for pipelines that take estimators.

Masking belongs to a file, not to a model: what a record becomes depends on the other records of its file. `transform`
therefore masks the file that it is given as a file of its own, and `fit` learns no more than its columns.
"""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_is_fitted

from sdckit.errors import NotApplicableError, UnknownNameError
from sdckit.microdata import Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.rows import Rows
from sdckit.schema import Schema

LARGEST_SEED = 2**31 - 1
INDEX_STAYS = (
    "the index of the frame is no number and stays as it is, as scikit-learn joins columns by it: where it identifies "
    "the records, mask frame.reset_index(drop=True)"
)


class MaskingTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn carries no types
    """Mask the columns of a frame or an array within a pipeline of scikit-learn.

    The index of a pandas frame stays, as scikit-learn joins columns by it; one that is no number is warned of.

    Parameters
    ----------
    method
        A masking, its text such as `"mdav:group_size=5"`, a recipe, or a list of these, applied in order. The rows
        must stay: a method that samples or synthesises records is refused.
    columns
        The columns to mask, by name or, of an array, by position. By default every key of the schema, and every
        column of a suitable kind where there is no schema.
    schema
        A `Schema`, or the path of a schema file. Identifiers that it declares are dropped.
    random_state
        For examples and tests. By default the draws come from the operating system, and nobody can repeat them. A
        file masked with a seed can be unmasked by anybody who guesses the seed.

    Example
    -------
    >>> import polars
    >>> frame = polars.DataFrame({"age": [31, 44, 52, 29, 47, 63], "income": [2100, 3800, 4800, 1900, 4100, 5200]})
    >>> MaskingTransformer("mdav:group_size=3").fit_transform(frame)["income"].to_list()
    [2600, 2600, 4700, 2600, 4700, 4700]
    """

    def __init__(
        self,
        method: Any = "mdav",
        *,
        columns: Sequence[str | int] | None = None,
        schema: Schema | str | Path | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.method = method
        self.columns = columns
        self.schema = schema
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> "MaskingTransformer":
        """Read the columns of a file, and check that the method can mask them; no record is stored."""
        frame = _table(X)
        names = _names(frame)
        if _is_frame(X):
            self.feature_names_in_ = np.array(names, dtype=object)
        else:
            self.__dict__.pop("feature_names_in_", None)
        self.n_features_in_ = len(names)
        data = self._file(frame)
        recipe = Recipe.of(self.method, self._columns(names))
        if recipe.rows is not Rows.KEPT:
            raise NotApplicableError(
                f"{recipe} changes which records are in the file, and a transformer keeps every row; use sdckit.protect"
            )
        self.recipe_ = recipe.resolve(data)
        self._released = tuple(name for name in names if data.attribute(name).role is not Role.IDENTIFIER)
        return self

    def transform(self, X: Any) -> Any:
        """The masked file: a frame for a frame, an array for an array."""
        check_is_fitted(self, "recipe_")
        frame = _table(X)
        self._check_columns(_names(frame))
        state = self.random_state
        seed = None if state is None else state if isinstance(state, int) else _drawn(state)
        masked = protect(self._file(frame), self.recipe_, seed=seed).masked.to_frame()
        if _is_frame(X):
            return _with_index(masked, X)
        values: NDArray[Any] = masked.to_numpy()
        return values

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The names of the columns that are released: all but identifiers."""
        check_is_fitted(self, "recipe_")
        return np.array(self._released, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.non_deterministic = self.random_state is None
        return tags

    def _file(self, frame: Any) -> Microdata:
        if self.schema is None:
            return Microdata.from_frame(frame, roles=dict.fromkeys(_names(frame), Role.KEY))
        schema = self.schema if isinstance(self.schema, Schema) else Schema.from_toml(self.schema)
        return Microdata.from_frame(frame, schema=schema)

    def _columns(self, names: Sequence[str]) -> tuple[str, ...]:
        chosen = [names[each] if isinstance(each, int) else each for each in self.columns or ()]
        unknown = next((name for name in chosen if name not in names), None)
        if unknown is not None:
            raise UnknownNameError("column", unknown, names)
        return tuple(chosen)

    def _check_columns(self, names: Sequence[str]) -> None:
        """Refuse a file with other columns than the one that was fitted, in scikit-learn's words."""
        fitted = getattr(self, "feature_names_in_", None)
        if len(names) != self.n_features_in_:
            raise ValueError(
                f"X has {len(names)} features, but MaskingTransformer is expecting {self.n_features_in_} features as "
                "input"
            )
        if fitted is not None and list(fitted) != list(names):
            raise ValueError(f"The feature names should match those that were passed during fit: {', '.join(fitted)}")


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") or hasattr(X, "column_names")


def _table(X: Any) -> Any:
    """The file as a frame; the columns of an array are named x0, x1 and so on."""
    if _is_frame(X):
        return X
    values = check_array(X, dtype="numeric")
    return pl.DataFrame({f"x{number}": column for number, column in enumerate(values.T)})


def _names(frame: Any) -> list[str]:
    return [str(name) for name in (frame.column_names if hasattr(frame, "column_names") else frame.columns)]


def _drawn(state: np.random.RandomState) -> int:
    return int(check_random_state(state).randint(LARGEST_SEED))


def _with_index(masked: Any, X: Any) -> Any:
    """The masked frame with the index of the frame that was masked: scikit-learn joins columns by it."""
    if type(masked).__module__.startswith("pandas"):
        if getattr(X.index, "dtype", None) is None or X.index.dtype.kind not in "iuf":
            warnings.warn(INDEX_STAYS, UserWarning, stacklevel=3)
        masked.index = X.index
    return masked
