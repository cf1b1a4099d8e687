"""Component classes by name: `Mdav` is the class in `mdav.py`, imported when it is first asked for.

`sdckit.methods`, `sdckit.risks` and `sdckit.losses` offer them to Python; their stubs offer them to editors.
"""

import re

from sdckit.catalogue import find, names
from sdckit.errors import UnknownNameError, near_miss
from sdckit.parameters import Component


def class_name(name: str) -> str:
    """The class of a component.

    >>> class_name("rank-swapping"), class_name("il1s"), class_name("v-mdav")
    ('RankSwapping', 'Il1s', 'VMdav')
    """
    return "".join(part.capitalize() for part in name.split("-"))


def class_names(kind: str) -> list[str]:
    """The classes of one kind in alphabetical order; imports none of them."""
    return sorted(map(class_name, names(kind)))


def component_class(kind: str, module: str, attribute: str) -> type[Component]:
    """The class that a module offers under that name, for the module's `__getattr__`."""
    name = re.sub(r"(?<!^)(?=[A-Z])", "-", attribute).lower()
    if attribute == class_name(name) and attribute.isidentifier():
        try:
            return find(kind, name).component
        except UnknownNameError:
            pass
    close = near_miss(attribute, class_names(kind)) if attribute[:1].isupper() else ""
    raise AttributeError(f"module {module!r} has no attribute {attribute!r}{close}")
