"""Every component in the catalogue passes every check of its contract.

One test a component: its checks share the files that it masked and the scores that it gave. Those that mask many chains
or attack with every number of attributes known are a test of their own, which runs with all tests.
"""

from importlib.util import find_spec

import pytest

from sdckit.catalogue import Entry, entries
from sdckit.measure import Cost, Measure
from sdckit.risk.graph.graph_intruder import GraphIntruder
from sdckit.testing import check, checks_for
from sdckit.testing.candidates_checks import (
    an_intruder_who_knows_more_has_no_more_candidates,
    the_truth_is_never_excluded_after_a_chain,
)


def is_slow(entry: Entry) -> bool:
    """Whether a component is declared slow, as the learned distances are, or joins all that is known, as the intruders.

    The tests of the intruders run every time.
    """
    component = entry.component
    joins = entry.family == "intruder" or issubclass(component, GraphIntruder)
    return issubclass(component, Measure) and (component.cost is Cost.SLOW or joins)


def marks(entry: Entry) -> list[pytest.MarkDecorator]:
    """Slow components run with all tests, and those that need a package which is not installed do not run."""
    absent = [package for package in getattr(entry.component, "requires", ()) if find_spec(package) is None]
    skipped = [pytest.mark.skip(reason=f"{absent[0]} is not installed: pip install 'sdckit[dp]'")] if absent else []
    return [pytest.mark.slow] * is_slow(entry) + skipped


THOROUGH = (the_truth_is_never_excluded_after_a_chain, an_intruder_who_knows_more_has_no_more_candidates)
ENTRIES = [pytest.param(each, id=each.name, marks=marks(each)) for each in entries()]
MASKINGS = [
    pytest.param(each, id=each.name, marks=marks(each))
    for each in entries("masking")
    if THOROUGH[0] in checks_for(each)
]


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_contract(entry: Entry) -> None:
    check(entry, [each for each in checks_for(entry) if each not in THOROUGH])


@pytest.mark.slow
@pytest.mark.parametrize("entry", MASKINGS)
def test_the_thorough_checks_of_the_contract(entry: Entry) -> None:
    check(entry, [each for each in checks_for(entry) if each in THOROUGH])
