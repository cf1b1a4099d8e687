"""Strict Mondrian: groups are boxes that do not overlap."""

from sdckit.masking import masking
from sdckit.methods.generalisation.mondrian import Mondrian
from sdckit.microdata import Kind


@masking("mondrian-strict", kind=Kind.ANY, reference="lefevre2006")
class MondrianStrict(Mondrian):
    r"""Cut the file at medians into boxes of at least k records and publish what the records of a box have in common.

    Each part is cut by the attribute in which it is widest, relative to the whole, equal values on one side, as long as
    both sides keep at least k records and, if asked, enough distinct confidential values or a distribution of them near
    the file's. A group's numbers are replaced by their mean and its categories by their lowest common ancestor in the
    hierarchy, or `*` where there is none. A missing value stays missing and agrees with every value, and by this rule
    the release is k-anonymous; under models, or with own-value, it is a value of its own. Records outside the research
    subset lose all keys.

    Formula: $G \to \{x \le m\}, \{x > m\}$,  $m$ the median of the widest attribute of $G$,  while both sides have $k$
    records

    Use it when k-anonymity on keys of mixed kinds is needed quickly and on large files; many equal values leave larger
    groups than the relaxed variant.
    """

    strict = True
