"""What an intruder can compute of a masking: what theory says of some, what the risk itself reports, and the file."""

import numpy as np
import pytest
from numpy.typing import NDArray
from tools.known_laws import own_maskings

import sdckit
from sdckit.catalogue import Entry, find
from sdckit.draws import Draws
from sdckit.evaluation import known_law
from sdckit.evaluation.known_law import RECORDS, SEED, SHARE, Known, KnownLaw, computed_laws, known_laws, to_json
from sdckit.graph import Graph
from sdckit.laws.release_law import Source
from sdckit.masking import Masking, masking
from sdckit.microdata import Microdata
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.rows import Rows
from sdckit.testing.files import a_file, fitting


@masking("same-everywhere", reference="moore1996")
class SameEverywhere(Masking):
    """Replace each value by the mean."""

    def transform(self, values: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        return np.broadcast_to(values.mean(axis=0), values.shape)


@masking("never-runs", reference="moore1996")
class NeverRuns(Masking):
    """Refuse every file."""

    def protect(self, data: Microdata, *_: object, **__: object) -> Microdata:
        raise sdckit.SdcError("no file is good enough")


def sources(name: str) -> dict[str, str]:
    return {law.known: law.source for law in known_laws(find("masking", name))}


def bounds(name: str) -> dict[str, bool]:
    return {law.known: law.expected_found_is_bound for law in known_laws(find("masking", name))}


@pytest.mark.parametrize("name", ["additive-noise", "pram"])
def test_independent_masking_with_a_closed_law_has_a_bound_where_all_records_are_known(name: str) -> None:
    assert set(sources(name).values()) == {"exact"}
    assert bounds(name) == {"whole file": True, "some records": False, "some attributes": True}


@pytest.mark.parametrize("name", ["rounding", "top-coding", "bottom-coding", "global-recoding"])
def test_a_map_of_single_values_is_exact_however_few_records_are_known(name: str) -> None:
    assert set(sources(name).values()) == {"exact"}
    assert bounds(name)["whole file"] and not bounds(name)["some records"]


@pytest.mark.parametrize("name", ["mdav", "mondrian-strict", "optimal-univariate"])
def test_a_deterministic_method_is_replayed_by_an_intruder_who_knows_the_whole_file(name: str) -> None:
    assert sources(name)["whole file"] == "replayed"
    assert not any(bounds(name).values())


@pytest.mark.parametrize("name", ["rank-swapping", "data-shuffling", "record-swapping"])
def test_swapping_is_learned_and_never_gives_a_bound(name: str) -> None:
    assert set(sources(name).values()) == {"learned"}
    assert not any(bounds(name).values())


def test_a_sample_has_unchanged_values_and_no_bound() -> None:
    assert sources("simple-sampling") == {"whole file": "untouched", "some records": "untouched"}
    assert not any(bounds("simple-sampling").values())


@pytest.mark.parametrize("name", ["additive-noise", "mdav", "simple-sampling"])
def test_the_risk_reports_the_same(name: str) -> None:
    entry = find("masking", name)
    data = a_file(RECORDS)
    release = sdckit.protect(data, entry.build(), fitting(data, entry.component.kinds), seed=SEED)
    for law in known_laws(entry)[:2]:
        intruder = sdckit.Intruder(records=SHARE if law.known == Known.SOME_RECORDS.value else None)
        details = InformedIntruder(targets=20).measure(release, intruder).details
        assert details["expected_found_is_bound"] == law.expected_found_is_bound
        assert details["laws"]["age"] == law.source


@pytest.mark.slow
def test_the_stored_file_is_what_the_catalogue_gives() -> None:
    stored = {entry.name: known_laws(entry) for entry in own_maskings()}
    computed = {entry.name: computed_laws(entry) for entry in own_maskings()}
    assert stored == computed, "run `make stubs`"
    assert known_law.STORED.read_text(encoding="utf-8") == to_json(computed), "run `make stubs`"


def test_every_masking_has_a_law_for_the_whole_file_and_for_a_part_of_it() -> None:
    for entry in own_maskings():
        if entry.component.rows is Rows.SYNTHESISED:
            assert not known_laws(entry), entry.name  # no row is a record's
            continue
        expected = {"whole file"} if entry.domain is Graph else {"whole file", "some records"}
        assert expected <= {law.known for law in known_laws(entry)}, entry.name


def test_a_masking_of_another_package_is_computed_when_asked_for() -> None:
    laws = known_laws(Entry("masking", "same-everywhere", SameEverywhere))
    assert laws[0] == KnownLaw("whole file", "replayed", False)


def test_a_masking_that_refuses_the_file_has_no_laws() -> None:
    assert known_laws(Entry("masking", "never-runs", NeverRuns)) == ()


def test_a_measure_has_no_laws() -> None:
    assert known_laws(find("risk", "distance-linkage")) == ()


@pytest.mark.parametrize("known", Known)
@pytest.mark.parametrize("source", Source)
def test_every_case_has_a_sentence_of_its_own(known: Known, source: Source) -> None:
    sentence = KnownLaw(known.value, source.value, False).sentence
    assert sentence.startswith("An intruder who knows ") and sentence.endswith("expected found is then an estimate.")
    others = {KnownLaw(a.value, b.value, False).sentence for a in Known for b in Source if (a, b) != (known, source)}
    assert sentence not in others
