"""The law of an intruder who does not know the method: how well each attribute agrees, learned from the two files.

The shares are fitted by EM: under the present ones, matchings are drawn by the chain, and the pairs in them give the
next shares. The correspondence of rows and records is never used. Balanced or row-wise posteriors instead of drawn
matchings would bias the fit, as they ignore or underestimate what the other records say. In a large file the shares
are fitted on some records, by their own posteriors.
"""

from dataclasses import replace

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.laws.agreement import Agreement
from sdckit.laws.blocks import Floats, Indices
from sdckit.laws.first_agreements import first_agreements
from sdckit.laws.inference import whole_graph
from sdckit.laws.release_law import Candidates, ReleaseLaw, RowClasses, Source
from sdckit.matching.chain import Chain
from sdckit.randomness import child

ROUNDS, MORE = 12, 25  # of a file whose records are all fitted on, and of a larger one at most
AVERAGED = 4  # last rounds whose shares are averaged, since drawn matchings vary
BURN_IN, SAMPLES = 15, 30  # matchings of a round
BALANCING = 10  # rounds, where only a start is needed
WHOLE = 2_000  # known records up to which matchings are drawn of all
SAMPLE, LISTED = (
    600,
    1_000,
)  # records of a larger file, and candidate rows of each: too few would leave out the true one
SEARCHED = (0, 2, 5, 12)  # rounds in which the candidates of these are searched; the same lists serve the next rounds
NEGLIGIBLE = 1e-5  # posterior of a pair that is not counted
SETTLED = 1e-3  # change of the shares from which on the fit of a larger file ends
EDGES = 80_000  # candidates of all records, where matchings are drawn
OTHERS = 20.0  # records that the margins count as beside the sampled ones, in how dense a row lies


def agreement_law(view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
    """The law fitted to the two files."""
    rows = RowClasses.by(view.released, view.attributes)
    model, doubt = first_agreements(view, rows, child(rng, "explanations"))
    tree = _law(view, rows, model).tree  # its order of the rows serves all later laws
    some = np.arange(len(view))
    if len(view) > WHOLE:
        some = np.sort(rng.choice(len(view), SAMPLE, replace=False))
    strangers = max(len(view.original), len(view.released)) - len(view)
    fitted = []
    found: Candidates | None = None
    for number in range(ROUNDS if len(some) == len(view) else MORE):
        if all(each.fixed for each in model):
            break
        law = replace(_law(view, rows, model), like=tree)
        if len(some) == len(view):
            graph, _ = whole_graph(law, len(view), max(strangers, 0), EDGES // max(len(view), 1))
            starts, classes = graph.starts, graph.classes
            weight = Chain(graph, rng, burn_in=BURN_IN, balancing=BALANCING).sample(SAMPLES).posterior
        else:
            found = law.candidates(LISTED, some) if found is None or number in SEARCHED else _again(law, found, some)
            starts, classes, weight = found.starts, found.classes, posteriors_of_some(found, rows)
        drawn = np.flatnonzero(weight > NEGLIGIBLE)
        records = some[np.repeat(np.arange(len(some)), np.diff(starts))[drawn]]
        model = [each.refitted(records, classes[drawn], weight[drawn]) for each in model]
        fitted.append([each.shares for each in model])
        if len(some) < len(view) and len(fitted) > 1 and _change(fitted[-2], fitted[-1]) < SETTLED:
            fitted = fitted[-1:]
            break
    if fitted:
        means = [np.mean(each, axis=0) for each in zip(*fitted[-AVERAGED:], strict=True)]
        model = [replace(each, shares=shares) for each, shares in zip(model, means, strict=True)]
    return replace(_law(view, rows, model), like=tree, doubt=doubt)


def _again(law: ReleaseLaw, found: Candidates, some: Indices) -> Candidates:
    """The same candidates under another law."""
    records = np.repeat(some, np.diff(found.starts))
    return found._replace(log_likelihood=law.log_likelihoods(records, found.classes))


def posteriors_of_some(found: Candidates, rows: RowClasses) -> Floats:
    """The posterior of each candidate of some records, each by itself.

    A row where many records lie is less likely to be the record's own: the other records of the sample show how many.
    """
    sizes = np.diff(found.starts)
    record_of = np.repeat(np.arange(len(sizes)), sizes)
    likelihood = np.exp(found.log_likelihood - found.log_likelihood.max(initial=0.0))
    scale = np.exp(-found.log_likelihood.max(initial=0.0))  # of a lift of 1
    total = np.bincount(found.classes, weights=likelihood, minlength=len(rows.sizes))
    weight = rows.sizes[found.classes] * likelihood / (total[found.classes] - likelihood + OTHERS * scale)
    sums = np.bincount(record_of, weights=weight, minlength=len(sizes))
    shares: Floats = weight / np.maximum(sums, 1e-300)[record_of]
    return shares


def _change(one: list[Floats], other: list[Floats]) -> float:
    return max(float(np.abs(new - old).max()) for old, new in zip(one, other, strict=True))


def _law(view: AttackerView, rows: RowClasses, model: list[Agreement]) -> ReleaseLaw:
    compared = len(view) != len(view.released)  # somebody has no row, or a row belongs to somebody else
    blocks = tuple(block for each in model for block in each.blocks(compared=compared))
    return ReleaseLaw(len(view), rows, blocks, dict.fromkeys(view.attributes, Source.LEARNED))
