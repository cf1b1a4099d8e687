"""Holes: what a missing key agrees with, where the records that share a combination of keys are counted."""

from enum import Enum


class Holes(Enum):
    """A rule by which rows with missing keys are counted.

    `ANY_VALUE`   a missing key agrees with every value: the usual rule, by which rows may agree that share no value
    `OWN_VALUE`   a missing key is a value of its own: only rows with the same holes agree. An intruder who suppresses
                  the known file again, and so learns who lost which value, still cannot distinguish the rows of a class
    `CANDIDATES`  the rows that can be a record's are counted: a row with holes can be anyone's whose values it does not
                  contradict. An intruder who repeats the suppression may rule out some of them
    `STRICTER`    for measures: the figure by any-value or by own-value, whichever is higher
    """

    ANY_VALUE = "any-value"
    OWN_VALUE = "own-value"
    CANDIDATES = "candidates"
    STRICTER = "stricter"

    @classmethod
    def from_text(cls, text: str) -> "Holes":
        """The rule of this name.

        >>> Holes.from_text("own-value")
        <Holes.OWN_VALUE: 'own-value'>
        """
        return cls(text)

    def __str__(self) -> str:
        return self.value
