"""δ-Presence: do the keys show that a person is in the file?"""

from collections.abc import Mapping
from typing import ClassVar

from sdckit.kernels.intervals import wilson
from sdckit.measure import Score, risk
from sdckit.parameters import param
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.population_classes import population_classes
from sdckit.risk.uniqueness.released_keys import ReleasedKeys, size_of_population


@risk("delta-presence", reference="nergiz2007")
class DeltaPresence(KeyMeasure):
    r"""Share of released records whose keys show with too high a probability that a person is, or is not, in the file.

    Of the F persons in the population who agree with a record on the keys, f are in the release, so each of them is in
    it with probability f / F. The probability must lie between `smallest` and `largest`. In a release of some records
    of a file without weights F is counted in that file; from weights it is estimated by the models of marketer-risk,
    and the probability is the expected f / F.

    Formula: $\frac{1}{n} \cdot |\{i : \frac{f_i}{F_i} < \text{smallest or } \frac{f_i}{F_i} > \text{largest}\}|$

    Intruder: has a register of the population with the keys and asks which of these persons are in the release.

    Use it when being in the file is confidential by itself, as in a file of patients or offenders.
    """

    former_details: ClassVar[Mapping[str, str]] = {
        "smallest_chance": "smallest_probability",
        "largest_chance": "largest_probability",
        "chance_without_the_keys": "probability_without_the_keys",
    }

    smallest: float = param(0.0, "smallest probability of presence allowed (δ min)", low=0, high=1, formerly="least")
    largest: float = param(
        0.5, "largest probability of presence allowed (δ max)", low=0, high=1, grid=(0.2, 0.5, 0.8), formerly="most"
    )

    def of_keys(self, keys: ReleasedKeys) -> Score:
        presence = keys.frequency * population_classes(keys).probability
        exposed = ((presence < self.smallest) | (presence > self.largest)).astype(float)
        return Score(
            float(exposed.mean()),
            by_record=keys.release.by_original_record(exposed),
            interval=wilson(float(exposed.sum()), len(exposed)),
            details={
                "attributes": keys.names,
                "smallest_probability": float(presence.min()),
                "largest_probability": float(presence.max()),
                "probability_without_the_keys": len(presence) / size_of_population(keys.release),
            },
        )
