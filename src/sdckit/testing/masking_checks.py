"""What every masking owes: a new file, the same for the same seed, in which only the named attributes changed."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from sdckit.catalogue import Entry
from sdckit.edits import Edits
from sdckit.errors import SchemaError, SdcError, UnknownNameError
from sdckit.masking import Masking
from sdckit.microdata import Kind, Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.rows import Rows
from sdckit.testing.component_checks import refusal_of, settings
from sdckit.testing.files import fitting, odd_files, ordinary, same_columns, snapshot

SEED = 20
DIFFICULT = "ties and missing values"


@dataclass(frozen=True)
class Attempt:
    """A file masked or refused: a description of the case, the masking, the file, the attributes and the release.

    `before` is what the file was before it was masked.
    """

    description: str
    masking: Masking
    data: Microdata
    names: tuple[str, ...]
    before: Mapping[str, NDArray[np.float64]]
    release: Release | None


def attempt(entry: Entry, description: str, data: Microdata, names: tuple[str, ...], **values: object) -> Attempt:
    """Mask a file; an SdcError is an answer too, any other error is a breach."""
    assert issubclass(entry.component, Masking)
    masking = entry.build(**{**entry.component.example, **values})
    description = f"{description}, {masking!r} on {', '.join(names)}"
    before = snapshot(data)
    try:
        release = protect(data, masking, names, seed=SEED)
    except SdcError:
        release = None
    except Exception as crash:
        raise AssertionError(f"crash on {description}: {crash!r}; mask the file or raise an SdcError") from crash
    return Attempt(description, masking, data, names, before, release)


@lru_cache(maxsize=4)
def attempts(entry: Entry) -> tuple[Attempt, ...]:
    """Every odd file with something to mask; an ordinary and a difficult one with every parameter value to check."""
    kinds = entry.component.kinds if issubclass(entry.component, Masking) else Kind.ANY
    data = ordinary()
    whole = fitting(data, kinds)
    tried = [attempt(entry, "an ordinary file", data, whole, **values) for values in settings(entry)]
    tried += [attempt(entry, "one attribute", data, (name,)) for name in whole]
    tried += [attempt(entry, "two attributes in reverse", data, whole[:2][::-1])]
    for description, odd in odd_files().items():
        names = fitting(odd, kinds)
        if names:
            several = settings(entry) if description == DIFFICULT else [{}]
            tried += [attempt(entry, description, odd, names, **values) for values in several]
    return tuple(tried)


def releases(entry: Entry) -> Iterator[tuple[str, Release]]:
    """The attempts that were not refused."""
    for tried in attempts(entry):
        if tried.release is not None:
            yield tried.description, tried.release


def it_masks_an_ordinary_file(entry: Entry) -> None:
    first = attempts(entry)[0]
    assert first.release is not None, f"it refuses {first.description}"


def it_masks_or_refuses_every_file(entry: Entry) -> None:
    assert attempts(entry)


def the_same_seed_gives_the_same_file(entry: Entry) -> None:
    for tried in attempts(entry):
        if tried.release is not None and tried.masking.seeded:
            again = protect(tried.data, tried.masking, tried.names, seed=SEED)
            same = same_columns(snapshot(tried.release.masked), snapshot(again.masked))
            assert same, f"two files differ on {tried.description}"


def what_it_is_given_never_changes(entry: Entry) -> None:
    for tried in attempts(entry):
        assert same_columns(tried.before, snapshot(tried.data)), f"the original changed on {tried.description}"


def it_reads_no_more_than_it_declares(entry: Entry) -> None:
    """An engine, and an intruder who replays a step, give it the masked attributes and those of `also_reads` alone."""
    for tried in attempts(entry):
        if tried.release is None or not tried.masking.seeded or tried.masking.rows is not Rows.KEPT:
            continue
        read = {*tried.names, *tried.masking.also_reads(tried.data, tried.names)}
        part = tried.data.only([each.name for each in tried.data.attributes if each.name in read])
        alone = snapshot(protect(part, tried.masking, tried.names, seed=SEED).masked)
        whole = snapshot(tried.release.masked)
        same = same_columns({name: whole[name] for name in tried.names}, {name: alone[name] for name in tried.names})
        assert same, f"declare in `also_reads` what else it reads: the values differ without it on {tried.description}"


def missing_values_stay_missing(entry: Entry) -> None:
    for tried in attempts(entry):
        if tried.release is None:
            continue
        description, release, suppresses = tried.description, tried.release, tried.masking.suppresses
        origin = release.known_origin
        made = origin >= 0
        for each in release.masked.attributes:
            before, after = release.original.absent(each.name)[origin[made]], release.masked.absent(each.name)[made]
            assert not (before & ~after).any(), f"missing values of {each.name!r} were filled on {description}"
            assert suppresses or not (after & ~before).any(), f"values of {each.name!r} went missing on {description}"


def no_value_becomes_infinite(entry: Entry) -> None:
    for description, release in releases(entry):
        for name, column in release.masked.columns.items():
            assert not np.isinf(column).any(), f"{name!r} becomes infinite on {description}"


def attributes_that_were_not_named_are_unchanged(entry: Entry) -> None:
    for tried in attempts(entry):
        if tried.release is None:
            continue
        origin = tried.release.known_origin
        made = origin >= 0
        for each in tried.release.masked.attributes:
            grossed_up = each.role is Role.WEIGHT and tried.masking.rows is not Rows.KEPT
            if each.name in tried.names or grossed_up:
                continue
            after, before = tried.release.masked.columns[each.name][made], tried.data.columns[each.name][origin[made]]
            same_meaning = each == tried.data.attribute(each.name)
            assert same_meaning, f"the meaning of {each.name!r} changed on {tried.description}"
            same_values = np.array_equal(after, before, equal_nan=not each.coded)
            assert same_values, f"{each.name!r} changed on {tried.description}"


def identifiers_are_dropped(entry: Entry) -> None:
    for description, release in releases(entry):
        assert not release.masked.names(role=Role.IDENTIFIER), f"one is released on {description}"


def numbers_go_out_to_the_declared_decimals(entry: Entry) -> None:
    for description, release in releases(entry):
        for each in release.masked.attributes:
            if each.decimals is not None and not each.coded:
                column = release.masked.columns[each.name]
                rounded = np.round(column, each.decimals)
                assert np.array_equal(column, rounded, equal_nan=True), f"{each.name!r} has more on {description}"


def values_that_are_drawn_keep_to_declared_ranges(entry: Entry) -> None:
    if not attempts(entry)[0].masking.draws_values:
        return
    data = ordinary()
    numbers = [name for name in data.names(kind=Kind.ORDERED) if not data.attribute(name).coded]
    ranges = {name: (float(data.columns[name].min()), float(data.columns[name].max())) for name in numbers}
    bounded = replace(data, edits=Edits.bounds(**ranges))
    names = attempts(entry)[0].names
    release = attempt(entry, "a file with declared ranges", bounded, names).release
    assert release is not None, "it refuses a file with declared ranges"
    for name in numbers:
        if release.masked.attribute(name).coded:
            continue
        column = release.masked.columns[name]
        low, high = ranges[name]
        slack = 1e-9 * max(abs(low), abs(high))
        assert column.min() >= low - slack and column.max() <= high + slack, f"{name!r} leaves {low:g} to {high:g}"


def an_attribute_of_another_kind_is_refused_by_name(entry: Entry) -> None:
    kinds = attempts(entry)[0].masking.kinds
    data = ordinary()
    for each in data.attributes:
        if each.kind & kinds and each.role is not Role.IDENTIFIER:
            continue
        message = refusal_of(partial(protect, data, entry.build(), [each.name], seed=SEED), SchemaError)
        assert message, f"{each.name!r} is masked, although it is {each.kind.title} and {each.role.value}"
        assert repr(each.name) in message, f"the error does not name {each.name!r}: {message}"


def an_unknown_column_is_refused_with_the_near_miss(entry: Entry) -> None:
    message = refusal_of(partial(protect, ordinary(), entry.build(), ["yearly incme"], seed=SEED), UnknownNameError)
    assert "'yearly income'" in message, f"the error does not suggest the column: {message or 'there is none'}"


def a_recipe_with_it_goes_to_toml_and_back(entry: Entry) -> None:
    for values in settings(entry):
        recipe = Recipe.of(entry.build(**values), ("age", "yearly income"))
        back = Recipe.from_dict(tomllib.loads(recipe.to_toml()))
        assert back == recipe, f"{recipe} comes back as {back}"


CHECKS = (
    it_masks_an_ordinary_file,
    it_masks_or_refuses_every_file,
    the_same_seed_gives_the_same_file,
    what_it_is_given_never_changes,
    it_reads_no_more_than_it_declares,
    missing_values_stay_missing,
    no_value_becomes_infinite,
    attributes_that_were_not_named_are_unchanged,
    identifiers_are_dropped,
    numbers_go_out_to_the_declared_decimals,
    values_that_are_drawn_keep_to_declared_ranges,
    an_attribute_of_another_kind_is_refused_by_name,
    an_unknown_column_is_refused_with_the_near_miss,
    a_recipe_with_it_goes_to_toml_and_back,
)
