"""A formula reads in a terminal as it would be written by hand."""

import pytest

from sdckit.catalogue import entries
from sdckit.latex_text import readable


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"$\frac{1}{n} \sum_i x_i$", "(1 / n) Σᵢ xᵢ"),
        (r"$\frac{a + b}{c}$", "(a + b) / c"),
        (r"$\frac{f(a, b)}{|c d|}$", "f(a, b) / |c d|"),
        (r"$x_{(i)} \le x^{2}$", "x₍ᵢ₎ ≤ x²"),
        (r"$x_Q^{y + 1}$", "x_Q^(y + 1)"),
        (r"$\sum_{j \in G}$", "Σ_{j ∈ G}"),
        (r"$\lVert x - v \rVert^2$", "‖x − v‖²"),
        (r"$\lceil \frac{n}{k} \rceil$", "⌈n / k⌉"),
        (r"$\hat{B} = (X^\top X)^{-1}$", "B̂ = (Xᵀ X)⁻¹"),
        (r"$\begin{cases} x & \text{if } x < t \\ t & \text{otherwise} \end{cases}$", "x if x < t; t otherwise"),
        (r"$\binom{n}{k}$, of course", "C(n, k), of course"),
        ("x′ᵢ = x,  i ≤ n", "x′ᵢ = x,  i ≤ n"),
    ],
)
def test_a_formula_is_readable(latex: str, text: str) -> None:
    assert readable(latex) == text


@pytest.mark.parametrize("latex", [r"$\unknown{x} + 1$", r"$\frac{1}$", "$x_$", r"$\sqrt$"])
def test_a_formula_that_cannot_be_read_is_shown_as_it_is_written(latex: str) -> None:
    assert readable(rf"with {latex}, and $\alpha$") == f"with {latex}, and α"


def test_every_formula_of_the_catalogue_can_be_read() -> None:
    assert not [entry.name for entry in entries() if "\\" in readable(entry.description)]
