"""LaTeX text: a formula as a line of Unicode, for a terminal and for a report without a mathematical font.

`$x'_i = \\frac{1}{n} \\sum_j x_j$` reads `x′ᵢ = (1 / n) Σⱼ xⱼ`. What is outside dollars stays unchanged, so that a
formula may be plain text, or mix text and mathematics. The pages of the documentation set the same source as MathML.
"""

import re

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.S)
SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "varepsilon": "ε", "epsilon": "ε", "eta": "η",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ", "ell": "ℓ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Sigma": "Σ", "Phi": "Φ", "Omega": "Ω", "sum": "Σ", "prod": "Π", "int": "∫", "infty": "∞",
    "emptyset": "∅", "forall": "∀", "ldots": "…", "cdots": "…", "top": "ᵀ", "prime": "′", "cdot": "·", "times": "×",
    "circ": "∘", "ast": "*", "pm": "±", "le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "sim": "~", "cong": "≅",
    "propto": "∝", "equiv": "≡", "models": "⊨", "to": "→", "mapsto": "↦", "leftarrow": "←", "leftrightarrow": "↔",
    "uparrow": "↑", "downarrow": "↓", "cap": "∩", "cup": "∪", "in": "∈", "notin": "∉", "subset": "⊂",
    "bigcap": "⋂", "bigcup": "⋃",
    "subseteq": "⊆", "supseteq": "⊇", "setminus": "∖", "mid": "|", "vert": "|", "lvert": "|", "rvert": "|",
    "lVert": "‖\0", "rVert": "\0‖", "lfloor": "⌊\0", "rfloor": "\0⌋", "lceil": "⌈\0", "rceil": "\0⌉", "langle": "⟨",
    "rangle": "⟩",
}  # fmt: skip
NAMES = {"max", "min", "log", "ln", "exp", "arg", "arctan", "sin", "Pr", "det", "dim", "mod"}
IGNORED = {"left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "limits", "nolimits", "!"}
SPACES = {"quad", "qquad", ",", ";", ":", " "}
ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "widehat": "\u0302", "overline": "\u0304"}
LITERAL = {"text", "mathrm", "operatorname", "textit", "mathit", "mathbf", "mathcal"}
LOW = str.maketrans("0123456789+−-=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ")
HIGH = str.maketrans("0123456789+−-=()in′ᵀ*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁱⁿ′ᵀ*")
OPERATORS = set(" +−·×/=<>≤≥,|∈~")
ENDS_A_FRACTION = {  # it needs no brackets before them
    *",;=)]}|<>+-",
    *(rf"\{name}" for name in ("le", "ge", "sim", "approx", "mid", "right", "rfloor", "rceil", "rVert", "}", "\\")),
}


def readable(text: str) -> str:
    r"""A text whose parts between dollars are LaTeX, as Unicode; a formula that cannot be read stays as it is written.

    >>> readable(r"$x' = \bar{x} + \frac{\hat{\varepsilon}}{\sqrt{1 + k}}$,  $k \ge 0$ the share")
    'x′ = x̄ + ε̂ / √(1 + k),  k ≥ 0 the share'
    """
    parts = re.split(r"\$([^$]*)\$", text)
    return "".join(_formula(part) if index % 2 else part for index, part in enumerate(parts))


def _formula(latex: str) -> str:
    try:
        return _Reader(latex).all()
    except (KeyError, IndexError):  # a command that is not known, or one without its argument
        return f"${latex}$"


class _Reader:
    """The tokens of one formula, read from left to right."""

    def __init__(self, latex: str) -> None:
        self.tokens: list[str] = TOKEN.findall(latex)
        self.next = 0

    def all(self) -> str:
        text = self.until(None)
        return re.sub(r" *(\0|(?=;)) *|( ) +", r"\2", text).strip()  # a fence has no space within, `;` none before it

    def until(self, end: str | None) -> str:
        """What stands before a closing token, which is read too."""
        parts = []
        while self.next < len(self.tokens):
            token = self.take()
            if token == end:
                break
            parts.append(self.one(token))
        return "".join(parts)

    def take(self) -> str:
        token = self.tokens[self.next]
        self.next += 1
        return token

    def argument(self) -> str:
        """The group or the single token that follows."""
        while self.peek().isspace():
            self.next += 1
        token = self.take()
        return self.until("}") if token == "{" else self.one(token)

    def peek(self) -> str:
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def one(self, token: str) -> str:
        """One token, with the arguments that it takes."""
        if token == "{":
            return self.until("}")
        if token in ("_", "^"):
            return _shifted(self.argument(), low=token == "_")
        if token.startswith("\\") and len(token) > 1:
            return self.command(token[1:])
        return {"'": "′", "-": "−", "~": " ", "&": " "}.get(token, " " if token.isspace() else token)

    def command(self, name: str) -> str:
        if name in ("frac", "tfrac", "dfrac"):
            return self.fraction()
        if name == "binom":
            return f"C({self.argument()}, {self.argument()})"
        if name == "sqrt":
            return f"√{_grouped(self.argument())}"
        if name in ACCENTS:
            return self.argument() + ACCENTS[name]
        if name in LITERAL:
            return self.argument()
        if name in ("begin", "end"):
            self.argument()
            return ""
        if name == "\\":
            return "; "
        if name in NAMES or name in "{}|%#":
            return "‖" if name == "|" else name
        if name in IGNORED:
            return ""
        if name in SPACES:
            return " "
        return SYMBOLS[name]

    def fraction(self) -> str:
        over, under = _grouped(self.argument()), _grouped(self.argument())
        rest = next((token for token in self.tokens[self.next :] if not token.isspace()), "")
        text = f"{over} / {under}"
        return text if not rest or rest in ENDS_A_FRACTION else f"({text})"


def _grouped(text: str) -> str:
    """A text that is one factor: in brackets where it has an operator outside brackets."""
    depth, outside = 0, ""
    for letter in text:
        depth -= letter in ")}]"
        outside += letter if depth == 0 else ""
        depth += letter in "({["
    bars = len(text) > 1 and text[0] == text[-1] and text[0] in "|‖" and text[0] not in text[1:-1]
    return text if bars or not OPERATORS & set(outside) else f"({text})"


def _shifted(text: str, *, low: bool) -> str:
    """A subscript or superscript: with Unicode's small letters where it has them all."""
    table = LOW if low else HIGH
    text = text.strip()
    if all(ord(letter) in table for letter in text):
        return text.translate(table)
    mark = "_" if low else "^"
    if len(text) == 1 or (text.isalnum() and low):
        return mark + text
    return f"{mark}{{{text}}}" if low else f"{mark}({text})"
