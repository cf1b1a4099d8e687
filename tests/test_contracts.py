"""Every component in the catalogue passes every check of its contract.

One test a component: its checks share the files that it masked and the scores that it gave.
"""

import pytest

from sdckit.catalogue import Entry, entries
from sdckit.measure import Cost, Measure
from sdckit.testing import check


def is_slow(entry: Entry) -> bool:
    """Whether a component is itself declared slow, as the learned distances are; their own tests run every time."""
    return issubclass(entry.component, Measure) and entry.component.cost is Cost.SLOW


ENTRIES = [pytest.param(each, id=each.name, marks=[pytest.mark.slow] * is_slow(each)) for each in entries()]


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_contract(entry: Entry) -> None:
    check(entry)
