"""Every component in the catalogue passes every check of its contract.

One test a component: its checks share the files that it masked and the scores that it gave. Checks that mask or measure
all of them once more are a test of their own, which runs with all tests.
"""

from importlib.util import find_spec

import pytest

from sdckit.catalogue import Entry, entries
from sdckit.measure import Cost, Measure
from sdckit.risk.graph.graph_intruder import GraphIntruder
from sdckit.testing import candidates_checks, check, checks_for, masking_checks, measure_checks


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


THOROUGH = (
    candidates_checks.the_truth_is_never_excluded_after_a_chain,
    candidates_checks.an_intruder_who_knows_more_has_no_more_candidates,
    candidates_checks.floating_point_does_not_exclude_the_truth,
    masking_checks.the_same_seed_gives_the_same_file,
    masking_checks.it_reads_no_more_than_it_declares,
    measure_checks.the_same_seed_gives_the_same_score,
    measure_checks.the_order_of_the_masked_rows_does_not_matter,
)
ENTRIES = [pytest.param(each, id=each.name, marks=marks(each)) for each in entries()]


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_contract(entry: Entry) -> None:
    check(entry, [each for each in checks_for(entry) if each not in THOROUGH])


@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES)
def test_the_thorough_checks_of_the_contract(entry: Entry) -> None:
    check(entry, [each for each in checks_for(entry) if each in THOROUGH])
