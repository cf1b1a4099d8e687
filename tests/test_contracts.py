"""Every component in the catalogue passes every check of its contract.

One test a component: its checks share the files that it masked and the scores that it gave.
"""

from importlib.util import find_spec

import pytest

from sdckit.catalogue import Entry, entries
from sdckit.measure import Cost, Measure
from sdckit.risk.graph.graph_intruder import GraphIntruder
from sdckit.testing import check


def is_slow(entry: Entry) -> bool:
    """Whether a component is declared slow, as the learned distances are, or joins all that is known, as the intruders.

    Their own tests run every time.
    """
    component = entry.component
    joins = entry.family == "intruder" or issubclass(component, GraphIntruder)
    return issubclass(component, Measure) and (component.cost is Cost.SLOW or joins)


def marks(entry: Entry) -> list[pytest.MarkDecorator]:
    """Slow components run with all tests, and those that need a package which is not installed do not run."""
    absent = [package for package in getattr(entry.component, "requires", ()) if find_spec(package) is None]
    skipped = [pytest.mark.skip(reason=f"{absent[0]} is not installed: pip install 'sdckit[dp]'")] if absent else []
    return [pytest.mark.slow] * is_slow(entry) + skipped


ENTRIES = [pytest.param(each, id=each.name, marks=marks(each)) for each in entries()]


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_contract(entry: Entry) -> None:
    check(entry)
