"""The checks see what they are there for: each breach of the contract fails its check and no other matters."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit import Score
from sdckit.candidates import Candidates
from sdckit.catalogue import Entry, find
from sdckit.intruder import Intruder
from sdckit.masking import Masking, masking
from sdckit.measure import Measure, loss, risk
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.testing import check, checks_for


def breaches(component) -> set[str]:
    """The sentences that do not hold for a component."""
    entry = Entry(getattr(component, "kind", None) or "masking", component.name, component)
    broken = set()
    for each in checks_for(entry):
        try:
            each(entry)
        except Exception:
            broken.add(each.__name__)
    return broken - {"its_reference_leads_to_a_source", "a_recipe_with_it_goes_to_toml_and_back"}


@masking("reversed", reference="A. Nobody, Nothing, 2001.")
class Reversed(Masking):
    """Turn the sign of every value."""

    columnwise = True

    def transform(self, values, rng):
        return -values


@masking("unseeded", reference="x")
class Unseeded(Reversed):
    """Draw from nowhere."""

    def transform(self, values, rng):
        return values + np.random.default_rng().standard_normal(values.shape)


@masking("filling", reference="x")
class Filling(Reversed):
    """Fill what is missing."""

    columnwise, keeps_missing = False, True

    def transform(self, values, rng):
        return np.nan_to_num(values)


@masking("losing", reference="x")
class Losing(Reversed):
    """Lose some values."""

    def transform(self, values, rng):
        return np.where(values > np.median(values), np.nan, values)


@masking("spilling", reference="x")
class Spilling(Masking):
    """Mask what was not named."""

    def protect(self, data, attributes=(), *, rng):
        self.applicable(data, attributes)
        name = next(each.name for each in data.attributes if not each.coded)
        return data.with_columns({name: data.columns[name] + 1})


@masking("dropping", reference="x")
class Dropping(Masking):
    """Drop a record and keep silent about it."""

    def protect(self, data, attributes=(), *, rng):
        self.applicable(data, attributes)
        return replace(data.take(np.arange(len(data) - 1)), lineage=None) if len(data) > 1 else data


@masking("crashing", reference="x")
class Crashing(Reversed):
    """Divide by the number of records less one."""

    def transform(self, values, rng):
        return values + 1 // (len(values) - 1)


@masking("lying", reference="x")
class Lying(Reversed):
    """Turn the sign and claim that values stay."""

    def candidates(self, known, released):
        return Candidates(known.records, known.lower, known.upper)


@masking("undocumented", reference="")
class Undocumented(Reversed):
    "undocumented and out of its own range"

    size: int = param(5, "", low=1, high=3)


@risk("too-large", reference="x")
class TooLarge(Measure):
    """A share beyond the whole."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        return Score(1.5, by_record=np.ones(3), interval=(0, 1))


@risk("by-row", reference="x")
class ByRow(Measure):
    """The first row's value, whoever it is of."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        first = np.nan_to_num(release.masked.columns[release.masked.attributes[0].name][0])
        return Score(float(abs(np.sin(first))), details={"object": object()})


@loss("never-content", reference="x")
class NeverContent(Measure):
    """A loss even where nothing is lost."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        return Score(0.1 + (intruder.noise or 0))


@pytest.mark.parametrize(
    ("component", "broken"),
    [
        (Reversed, set()),
        (Unseeded, {"the_same_seed_gives_the_same_file"}),
        (Filling, {"missing_values_stay_missing"}),
        (Losing, {"missing_values_stay_missing"}),
        (Spilling, {"attributes_that_were_not_named_stay_as_they_were"}),
        (Crashing, {"it_masks_or_refuses_every_file"}),
        (Lying, {"the_truth_is_never_excluded"}),
        (TooLarge, {"a_risk_is_a_share", "figures_by_record_are_in_the_order_of_the_original"}),
        (ByRow, {"the_order_of_the_masked_rows_does_not_matter", "the_score_can_be_written_as_json"}),
        (NeverContent, {"nothing_is_lost_by_the_untouched_file", "a_loss_does_not_ask_who_attacks"}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_breach_is_seen(component, broken):
    assert broken <= breaches(component)
    if not broken:
        assert breaches(component) == set()


def test_a_masking_that_drops_records_must_say_whose_the_rest_are():
    assert breaches(Dropping)


def test_a_component_without_words_is_seen():
    expected = {"every_parameter_says_what_it_means", "every_usual_value_is_accepted_and_kept"}
    assert expected | {"the_first_line_of_its_docstring_is_a_sentence"} <= breaches(Undocumented)


def test_all_breaches_are_told_at_once():
    with pytest.raises(AssertionError) as failure:
        check(Entry("loss", "never-content", NeverContent))
    assert "never-content breaks its contract" in str(failure.value)
    assert "nothing is lost by the untouched file: 0.1 on an ordinary file" in str(failure.value)
    assert "a loss does not ask who attacks" in str(failure.value)


def test_a_sound_component_passes_in_silence():
    check(find("masking", "rank-swapping"))
    check(find("risk", "uniqueness"))
    check(find("loss", "il1"))


def test_kinds_that_do_not_fit_are_seen():
    greedy = masking("greedy", kind=Kind.ORDERED, reference="x")(
        type("Greedy", (Masking,), {"protect": lambda self, data, attributes=(), *, rng: data, "__doc__": "Take all."})
    )
    assert "an_attribute_of_another_kind_is_refused_by_name" in breaches(greedy)
