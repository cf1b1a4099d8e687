"""The checks see what they are there for: each breach of the contract fails its check and no other matters."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit import Score
from sdckit.candidates import Candidates
from sdckit.capabilities import Statistic
from sdckit.catalogue import Entry, find
from sdckit.intruder import Intruder
from sdckit.masking import Locality, Masking, masking
from sdckit.measure import Measure, loss, risk
from sdckit.parameters import param
from sdckit.row_masking import RowMasking
from sdckit.rows import Rows
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

    def transform(self, values, draws):
        return -values


@masking("unseeded", reference="x")
class Unseeded(Reversed):
    """Draw from nowhere."""

    def transform(self, values, draws):
        return values + np.random.default_rng().standard_normal(values.shape)


@masking("filling", reference="x")
class Filling(Reversed):
    """Fill what is missing."""

    columnwise, keeps_missing = False, True

    def transform(self, values, draws):
        return np.nan_to_num(values)


@masking("losing", reference="x")
class Losing(Reversed):
    """Lose some values."""

    def transform(self, values, draws):
        return np.where(values > np.median(values), np.nan, values)


@masking("spilling", reference="x")
class Spilling(Masking):
    """Mask what was not named."""

    def protect(self, data, attributes=(), *, draws):
        self.applicable(data, attributes)
        name = next(each.name for each in data.attributes if not each.coded)
        return data.with_columns({name: data.columns[name] + 1})


@masking("dropping", reference="x")
class Dropping(Masking):
    """Drop a record and keep silent about it."""

    def protect(self, data, attributes=(), *, draws):
        self.applicable(data, attributes)
        return replace(data.take(np.arange(len(data) - 1)), lineage=None) if len(data) > 1 else data


@masking("greedy", reference="x")
class Greedy(Masking):
    """Take attributes of any kind, whatever is declared."""

    def applicable(self, data, attributes):
        return tuple(data.attribute(name).name for name in attributes)

    def protect(self, data, attributes=(), *, draws):
        return data


@masking("crashing", reference="x")
class Crashing(Reversed):
    """Divide by the number of records less one."""

    def transform(self, values, draws):
        return values + 1 // (len(values) - 1)


@masking("lying", reference="x")
class Lying(Reversed):
    """Turn the sign and claim that values stay."""

    def candidates(self, known, released):
        return Candidates(known.records, known.lower, known.upper)


@masking("sampling-in-silence", reference="x")
class SamplingInSilence(Dropping):
    """Drop a record, declare it and do not say which."""

    rows = Rows.SAMPLED


@masking("dropping-one-it-claims-to-keep", reference="x")
class DroppingOneItClaimsToKeep(Masking):
    """Drop a record, say which, and declare that rows are kept."""

    def protect(self, data, attributes=(), *, draws):
        return data.take(np.arange(max(len(data) - 1, 1)))


@masking("doubling", reference="x")
class Doubling(Masking):
    """Publish a record twice."""

    rows = Rows.SAMPLED

    def protect(self, data, attributes=(), *, draws):
        return data.take(np.zeros(2, dtype=np.int64))


@masking("synthesis-of-somebody", reference="x")
class SynthesisOfSomebody(Masking):
    """Publish the records themselves as synthesised ones."""

    rows = Rows.SYNTHESISED

    def protect(self, data, attributes=(), *, draws):
        return data.take(np.arange(len(data)))


@masking("centring-in-chunks", reference="x")
class CentringInChunks(RowMasking):
    """Subtract the mean of whatever rows there are."""

    columnwise = True

    def mask_rows(self, values, summary, draws):
        return values - (values.mean() if len(values) else 0.0)


@masking("drawing-in-order", reference="x")
class DrawingInOrder(RowMasking):
    """Draw from a generator, so that a record's draw depends on how many come before it."""

    columnwise, draws_values = True, True

    def mask_rows(self, values, summary, draws):
        return values + draws.generator().standard_normal(values.shape)


@masking("row-by-row-without-a-plan", reference="x")
class RowByRowWithoutAPlan(Reversed):
    """Declare rows and have no fit."""

    locality = Locality.ROW


@masking("drawn-once-for-all", reference="x")
class DrawnOnceForAll(Reversed):
    """Draw the same for every secret."""

    draws_values = True

    def transform(self, values, draws):
        return values + np.random.default_rng(0).standard_normal(values.shape)


@masking("shifting", reference="x")
class Shifting(Reversed):
    """Add one and claim that means stay."""

    preserves = frozenset({Statistic.MEANS})

    def transform(self, values, draws):
        return values + 1


@masking("in-half-precision", reference="x")
class InHalfPrecision(Reversed):
    """Publish values at half the precision and claim that they are unchanged."""

    def transform(self, values, draws):
        return values.astype(np.float32).astype(np.float64)

    def candidates(self, known, released):
        return Candidates(known.records, known.lower, known.upper)


@masking("in-another-order", reference="x")
class InAnotherOrder(Reversed):
    """Raise values by a tenth, computed in one way for the file and in another for the candidates: that is fine."""

    def transform(self, values, draws):
        return values * 1.1

    def candidates(self, known, released):
        lower, upper = ({name: ends + ends / 10 for name, ends in side.items()} for side in (known.lower, known.upper))
        return Candidates(known.records, lower, upper)


@masking("too-modest", reference="x")
class TooModest(Reversed):
    """Move values by one at most and claim a hundred."""

    draws_values = True

    def transform(self, values, draws):
        return values + 2 * draws.uniform(values.shape[1]) - 1

    def candidates(self, known, released):
        return known.widened(dict.fromkeys(known.lower, 100.0))


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("component", "broken"),
    [
        (Reversed, set()),
        (Unseeded, {"the_same_seed_gives_the_same_file"}),
        (Filling, {"missing_values_stay_missing"}),
        (Losing, {"missing_values_stay_missing"}),
        (Spilling, {"attributes_that_were_not_named_are_unchanged"}),
        (Crashing, {"it_masks_or_refuses_every_file"}),
        (Lying, {"the_truth_is_never_excluded"}),
        (SamplingInSilence, {"rows_are_as_declared"}),
        (DroppingOneItClaimsToKeep, {"rows_are_as_declared"}),
        (Doubling, {"it_masks_an_ordinary_file"}),
        (SynthesisOfSomebody, {"rows_are_as_declared"}),
        (CentringInChunks, {"a_file_masked_in_chunks_comes_out_as_masked_whole"}),
        (DrawingInOrder, {"a_file_masked_in_chunks_comes_out_as_masked_whole"}),
        (RowByRowWithoutAPlan, {"a_file_masked_in_chunks_comes_out_as_masked_whole"}),
        (DrawnOnceForAll, {"values_that_are_drawn_differ_between_seeds"}),
        (Shifting, {"what_it_is_declared_to_preserve_is_preserved"}),
        (InHalfPrecision, {"floating_point_does_not_exclude_the_truth"}),
        (InAnotherOrder, set()),
        (TooModest, {"candidates_are_not_far_too_wide"}),
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
    expected = {"every_parameter_says_what_it_means", "every_grid_value_is_accepted_and_kept"}
    assert expected | {"the_first_line_of_its_docstring_is_a_sentence"} <= breaches(Undocumented)


def test_all_breaches_are_reported_at_once():
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
    assert "an_attribute_of_another_kind_is_refused_by_name" in breaches(Greedy)
