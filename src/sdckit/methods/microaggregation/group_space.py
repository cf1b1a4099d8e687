"""Group space: where the groups of a projected microaggregation have the least squared error."""

from enum import Enum


class GroupSpace(Enum):
    """Groups along an order have the least squared error on the axis, or in the attributes of the block."""

    AXIS = "axis"
    ATTRIBUTES = "attributes"

    @classmethod
    def from_text(cls, text: str) -> "GroupSpace":
        """The space of this name.

        >>> GroupSpace.from_text("attributes")
        <GroupSpace.ATTRIBUTES: 'attributes'>
        """
        return cls(text)

    def __str__(self) -> str:
        return self.value
