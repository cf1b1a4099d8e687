"""What a format would lose: names of columns that it takes for the same, and texts that it cannot hold."""

from collections.abc import Sequence

from sdckit.attribute import Attribute
from sdckit.errors import FileError, private
from sdckit.files.formats import Format


def refuse_lossy_format(attributes: Sequence[Attribute], found: Format) -> None:
    """Refuse a format that cannot have all these columns with all their values."""
    kept = [found.same_name(each.name) for each in attributes]
    same = [each.name for each, name in zip(attributes, kept, strict=True) if kept.count(name) > 1]
    if same:
        raise FileError(
            f"the format {found.title} does not distinguish the columns {', '.join(map(repr, same))}; rename one of "
            "them, or write another format"
        )
    for each in attributes:
        if found.loses(each.name):
            raise FileError(f"the format {found.title} cannot hold the name {each.name!r}; rename the column")
        lost = next((text for text in each.categories or () if isinstance(text, str) and found.loses(text)), None)
        if lost is not None:
            raise FileError(
                f"the format {found.title} would lose or cut a value of {each.name!r}, {private(lost[:40])}: it is too "
                "long, or has a control character; change it, or write another format"
            )
