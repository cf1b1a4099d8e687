"""The `[release]` table of a written recipe: which masked file the recipe describes.

```toml
[release]
digest = "5f1c…"          # of the content of the masked file, in any order of its rows and columns
records = 4580
guessable_seed = true     # only where the draws came from a short seed
```

Masking by the recipe ignores the table. When a release is measured, the masked file must be the one described.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w

from sdckit.digest import content_digest
from sdckit.errors import FileError, SchemaError
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.schema import read_toml

CURE = (
    "give the masked file that was written with this recipe, or delete the [release] table of the recipe if the file "
    "was changed on purpose"
)


@dataclass(frozen=True)
class ReleaseTable:
    """What a written recipe says of the masked file; nothing in it is private."""

    digest: str
    records: int
    guessable_seed: bool = False

    @classmethod
    def of(cls, masked: Microdata, *, guessable_seed: bool = False) -> "ReleaseTable":
        """The table for a masked file."""
        return cls(content_digest(masked, ordered=False), len(masked), guessable_seed)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], where: str = "recipe") -> "ReleaseTable | None":
        """The table in a parsed TOML document; None where there is none."""
        table = document.get("release")
        if table is None:
            return None
        expected = {"digest": str, "records": int}
        if not isinstance(table, dict) or any(not isinstance(table.get(key), kind) for key, kind in expected.items()):
            raise FileError(f"{where}: the table [release] needs a digest and records, as `sdckit protect` writes them")
        return cls(table["digest"], table["records"], table.get("guessable_seed") is True)

    @classmethod
    def from_toml(cls, path: str | Path) -> "ReleaseTable | None":
        """The table in a recipe file; None where there is none."""
        return cls.from_dict(read_toml(path), str(path))

    def to_dict(self) -> dict[str, Any]:
        """The table as plain values."""
        return {"digest": self.digest, "records": self.records} | (
            {"guessable_seed": True} if self.guessable_seed else {}
        )

    def recipe_toml(self, recipe: Recipe) -> str:
        """The text of the recipe with this table."""
        return tomli_w.dumps({"release": self.to_dict()} | recipe.to_dict())

    def check(self, original: Microdata, masked: Microdata) -> None:
        """Refuse a masked file that is not the one described."""
        if content_digest(masked, ordered=False) == self.digest:
            return
        if content_digest(original, ordered=False) == self.digest:
            raise SchemaError(
                "the original and the masked file are exchanged: the recipe describes the file named as the original"
            )
        if len(masked) != self.records:
            raise SchemaError(
                f"the recipe describes a masked file of {self.records:,} records, and this one has {len(masked):,}: "
                f"records were left out or added after masking, or it is another file; {CURE}"
            )
        raise SchemaError(
            "the masked file is not the one that the recipe describes: it was edited after masking, is another file, "
            f"or the two files are exchanged; {CURE}"
        )
