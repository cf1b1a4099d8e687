"""How a component or a rule is written in one line: `mdav`, `owa(0.5)`, `mdav:group_size=3,block_size=2`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sdckit.errors import ParameterError

PLUS = re.compile(r"(?<!\d[eE])\+")  # the plus of 1e+06 is part of the number


@dataclass(frozen=True)
class ComponentText:
    """A name with arguments in brackets or with named values, as they are written."""

    name: str
    arguments: tuple[str, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)


def parsed(text: str) -> ComponentText:
    """The name, the arguments and the named values of a component or a rule.

    >>> parsed("rank-swapping:window=0.1")
    ComponentText(name='rank-swapping', arguments=(), values={'window': '0.1'})
    >>> parsed("weighted-mean(0.7+0.3)").arguments
    ('0.7', '0.3')
    """
    colon, bracket = text.find(":"), text.find("(")
    if colon >= 0 and (bracket < 0 or colon < bracket):
        return ComponentText(text[:colon].strip(), values=_values(text, text[colon + 1 :]))
    if bracket < 0:
        return ComponentText(text.strip())
    inner = text[bracket + 1 :].strip()
    if not inner.endswith(")"):
        raise ParameterError(f"{text!r}: the bracket is not closed; write it as {text.strip()})")
    arguments = tuple(part.strip() for part in PLUS.split(inner.removesuffix(")")) if part.strip())
    return ComponentText(text[:bracket].strip(), arguments)


def _values(text: str, listed: str) -> dict[str, str]:
    values = {}
    for part in filter(None, listed.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ParameterError(f"{text!r}: write parameters as name=value, separated by commas")
        values[key.strip()] = value.strip()
    return values
