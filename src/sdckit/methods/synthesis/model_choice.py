"""Model choice: which of several regression models predicts a record."""

from enum import Enum


class ModelChoice(Enum):
    """The model that fits the record best, one drawn with the memberships, or all of them weighted by these."""

    BEST = "best"
    DRAWN = "drawn"
    WEIGHTED = "weighted"

    @classmethod
    def from_text(cls, text: str) -> "ModelChoice":
        """The choice of this name.

        >>> ModelChoice.from_text("drawn")
        <ModelChoice.DRAWN: 'drawn'>
        """
        return cls(text)

    def __str__(self) -> str:
        return self.value
