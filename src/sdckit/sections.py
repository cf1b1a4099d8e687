"""Sections: the parts of a component's docstring, each found by how its paragraph begins.

The first paragraph is the definition. Those that begin with `Formula:`, `Intruder:`, `Use it when` and `Excludes
nothing` are sections of their own; the other ones say what the component preserves and what it costs.
"""

from dataclasses import dataclass

from sdckit.latex_text import readable

FORMULA, INTRUDER, USE, EXCLUDES_NOTHING = "Formula:", "Intruder:", "Use it when", "Excludes nothing"


@dataclass(frozen=True)
class Sections:
    """A docstring by section, paragraphs as written; empty where it has none.

    `formula` is a line of Unicode; `latex` is the source, with mathematics between dollars.

    >>> text = "Add noise.\\n\\nMeans are kept.\\n\\nFormula: x′ = x + ε,  ε ~ N(0, 1)"
    >>> sections = Sections.of(text)
    >>> sections.definition, sections.remarks, sections.formula
    ('Add noise.', ('Means are kept.',), 'x′ = x + ε,  ε ~ N(0, 1)')
    """

    definition: str
    remarks: tuple[str, ...] = ()
    formula: str = ""
    intruder: str = ""
    use: str = ""
    excludes_nothing: str = ""
    latex: str = ""

    @classmethod
    def of(cls, docstring: str) -> "Sections":
        """The sections of a docstring without indentation."""
        definition, *paragraphs = docstring.split("\n\n")
        marked = (FORMULA, INTRUDER, USE, EXCLUDES_NOTHING)

        def beginning(mark: str) -> str:
            return next((paragraph for paragraph in paragraphs if paragraph.startswith(mark)), "")

        latex = beginning(FORMULA).removeprefix(FORMULA).strip()
        intruder = beginning(INTRUDER).removeprefix(INTRUDER).strip()
        return cls(
            definition,
            tuple(paragraph for paragraph in paragraphs if not paragraph.startswith(marked)),
            readable(latex),
            intruder[:1].upper() + intruder[1:],
            beginning(USE),
            beginning(EXCLUDES_NOTHING),
            latex,
        )


def one_line(paragraph: str) -> str:
    """A paragraph without its line breaks.

    >>> one_line("a\\n  b,  c")
    'a b, c'
    """
    return " ".join(paragraph.split())
