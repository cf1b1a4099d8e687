"""What the figure of a measure stands for: the share of records re-identified, and what the attack has to know."""

from sdckit.catalogue import entries

FAMILIES_THAT_FIND_RECORDS = ("linkage", "transparency", "worst_case")
FAMILIES_THAT_NEED_THE_RECIPE = ("transparency",)
FAMILIES_THAT_NEED_TRUE_LINKS = ("worst_case",)


def finds_records(name: str) -> bool:
    """Whether the figure of this risk is the share of records that an intruder re-identifies.

    >>> finds_records("distance-linkage"), finds_records("uniqueness"), finds_records("il1"), finds_records("unknown")
    (True, False, False, False)
    """
    return _family(name) in FAMILIES_THAT_FIND_RECORDS


def needs_recipe(name: str) -> bool:
    """Whether the attack uses the published method and its parameters.

    >>> needs_recipe("intersection-attack"), needs_recipe("distance-linkage")
    (True, False)
    """
    return _family(name) in FAMILIES_THAT_NEED_THE_RECIPE


def needs_true_links(name: str) -> bool:
    """Whether the attack learns its distance from the true links, which no intruder has: an upper limit for all others.

    >>> needs_true_links("owa-linkage"), needs_true_links("distance-linkage")
    (True, False)
    """
    return _family(name) in FAMILIES_THAT_NEED_TRUE_LINKS


def _family(name: str) -> str:
    return next((entry.family for entry in entries("risk") if entry.name == name), "")
