"""What the figure of a measure means, by the name of the measure: as the measure itself declares."""

from sdckit.catalogue import find
from sdckit.errors import UnknownNameError
from sdckit.measure import Composite, Finds, Measure, Need
from sdckit.microdata import Microdata


def measure_class(name: str) -> type[Measure] | None:
    """The risk or loss of that name; None where there is none, as of a measure that is not installed here."""
    try:
        component = find(None, name).component
    except UnknownNameError:
        return None
    return component if issubclass(component, Measure) else None


def finds_records(name: str) -> bool:
    """Whether the figure of this risk is the share of records that an intruder re-identifies.

    >>> finds_records("distance-linkage"), finds_records("uniqueness"), finds_records("il1"), finds_records("unknown")
    (True, False, False, False)
    """
    measure = measure_class(name)
    return measure is not None and measure.finds is Finds.RECORDS


def is_composite(name: str) -> bool:
    """Whether the figure is made of those of other measures.

    >>> is_composite("worst-case"), is_composite("informed-intruder")
    (True, False)
    """
    measure = measure_class(name)
    return measure is not None and issubclass(measure, Composite)


def extended_by(name: str) -> str:
    """The risk of the same intruder who uses less; empty where there is none.

    >>> extended_by("household-intruder"), extended_by("informed-intruder")
    ('informed-intruder', '')
    """
    measure = measure_class(name)
    return measure.extends if measure is not None else ""


def domain(name: str) -> type:
    """What the measure measures: microdata, or the edges of graphs.

    >>> domain("degree-attack").__name__, domain("uniqueness").__name__
    ('Graph', 'Microdata')
    """
    measure = measure_class(name)
    return Microdata if measure is None else measure.domain


def needs_recipe(name: str) -> bool:
    """Whether the attack uses the published method and its parameters.

    >>> needs_recipe("intersection-attack"), needs_recipe("distance-linkage")
    (True, False)
    """
    return _needs(name, Need.RECIPE)


def needs_true_links(name: str) -> bool:
    """Whether the attack learns its distance from the true links, which no intruder has: an upper limit for all others.

    >>> needs_true_links("owa-linkage"), needs_true_links("distance-linkage")
    (True, False)
    """
    return _needs(name, Need.TRUTH)


def attacks_synthesis(name: str) -> bool:
    """Whether the attack needs no correspondence of rows, so that it counts where all rows were synthesised.

    >>> attacks_synthesis("singling-out"), attacks_synthesis("uniqueness")
    (True, False)
    """
    measure = measure_class(name)
    return measure is not None and measure.for_synthesis


def _needs(name: str, need: Need) -> bool:
    measure = measure_class(name)
    return measure is not None and need in measure.needs
