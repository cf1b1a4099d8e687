"""Several files: one recipe applied to one file several times, with draws of its own each time."""

from collections.abc import Iterable
from typing import Any

from sdckit.draws import Secret, derived_key
from sdckit.errors import ParameterError
from sdckit.release import Release, protect


def protect_several(
    data: Any, masking: Any, attributes: Iterable[str] = (), *, files: int = 5, seed: int | Secret | None = None
) -> tuple[Release, ...]:
    """Mask or synthesise a file several times, as for multiple imputation; the arguments are those of `protect`.

    An intruder who gets all files learns more than from one: attack them together (`Intruder(also=…)` where rows are
    kept), or publish one.

    Example
    -------
    >>> import polars
    >>> frame = polars.DataFrame({"age": [31, 44, 52, 29, 47, 63], "income": [2100, 3800, 4800, 1900, 4100, 5200]})
    >>> releases = protect_several(frame, "gaussian-copula", files=3, seed=1)
    >>> [len(each.masked) for each in releases]
    [6, 6, 6]
    """
    if files < 1:
        raise ParameterError(f"files = {files} makes no file; ask for at least 1")
    names = (attributes,) if isinstance(attributes, str) else tuple(attributes)
    return tuple(protect(data, masking, names, seed=each) for each in file_secrets(seed, files))


def file_secrets(seed: int | Secret | None, files: int) -> list[Secret]:
    """A secret for each of several files, derived from one."""
    secret = Secret.of(seed)
    return [Secret(derived_key(secret.value, "file", number), secret.guessable) for number in range(files)]
