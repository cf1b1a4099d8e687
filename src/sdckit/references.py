"""The bibliography behind the components' reference keys."""

import tomllib
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def bibliography() -> dict[str, str]:
    """Citations by key."""
    return tomllib.loads(files("sdckit").joinpath("references.toml").read_text(encoding="utf-8"))


def citation(reference: str) -> str:
    """The citation of a key; a reference that is not a key is itself a citation.

    >>> citation("moore1996").split(",")[0]
    'R. A. Moore'
    """
    return bibliography().get(reference, reference)
