"""Relaxed Mondrian: equal values may fall on both sides of a cut."""

from sdckit.masking import masking
from sdckit.methods.generalisation.mondrian import Mondrian
from sdckit.microdata import Kind


@masking("mondrian-relaxed", kind=Kind.ANY, reference="lefevre2006")
class MondrianRelaxed(Mondrian):
    r"""Halve the file by rank into groups of at least k records and publish what the records of a group have in common.

    As strict Mondrian, but a part is cut in two equal halves even through records of the same value. Groups have fewer
    than 2k records, unless all are alike or a condition on confidential values keeps them larger, and may overlap at
    their borders. A missing value stays missing and agrees with every value; under models, or with own-value, it is a
    value of its own. Records outside the research subset lose all keys.

    Formula: $G \to G_{\text{lower half}}, G_{\text{upper half}}$ by the widest attribute of $G$,  while $|G| \ge 2k$

    Use it when attributes have many equal values, such as ages in years or codes, and small groups matter more than
    groups that do not overlap.
    """

    strict = False
