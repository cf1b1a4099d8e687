"""Brute-force attack on secrets: a short seed is found and marked as guessable, a secret of our own is not found.

The guesses for a secret of our own are the numbers from 0 on, the times around the masking, the outputs of common
generators with small seeds, and every sixteen bytes of what is published.
"""

import hashlib
import random
import time
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from sdckit.draws import Secret
from sdckit.files import read
from sdckit.files.release_files import read_masked
from sdckit.schema import Schema
from torture._files import POLICY, RULES
from torture._log import Log
from torture._marked_file import marked_file
from torture._seed_attack import METHOD, SeedAttack
from torture._unpacked import unpacked
from torture.leaks import command, write_whole

COUNT = 2**20
SHORT_SEEDS = (0, 1, 31_337, 2**64, 2**127 - 1)
FOUND_BY_COUNTING = 31_337
SECRETS = 1_000
NANOSECONDS = (1, 1_000, 1_000_000, 1_000_000_000)


def run(count: int, seed: int, log: Log) -> None:
    """Make `count` guesses at a secret of our own."""
    with TemporaryDirectory(prefix="torture-") as name:
        folder = Path(name)
        data = marked_file(seed)
        write_whole(data, folder / "original.csv")
        (folder / "schema.toml").write_text(Schema.of(data).to_toml(), encoding="utf-8")
        (folder / POLICY).write_text(RULES.replace("1000.0", "1e30"), encoding="utf-8")
        _short_seeds(folder, min(count, FOUND_BY_COUNTING + 1), log)
        start = time.time_ns()
        _masked(folder, "default")
        attack = _attack(folder, "default")
        published = _published(folder, log)
        guesses = islice(_guesses(start, time.time_ns(), published, seed), count)
        made, found = attack.first_correct(guesses)
        log.outcomes["guesses at a secret of our own"] += made
        if found is not None:
            log.failure(f"the secret was found after {made:,} guesses: {found.hex()}")
    _secrets_differ(log)


def _short_seeds(folder: Path, count: int, log: Log) -> None:
    """A short seed is found, which shows that the attack works; and it is marked, so that nothing is published."""
    for number in SHORT_SEEDS:
        recipe = _masked(folder, str(number), "--seed", number)
        log.count("short seeds")
        if "guessable_seed = true" not in recipe.read_text(encoding="utf-8"):
            log.failure(f"the seed {number} is not marked as guessable in the recipe")
        code, shown = command(*_publish(folder, str(number)))
        if code != 2 or "guessed" not in shown:
            log.failure(f"a file with the seed {number} can be published: exit code {code}")
    made, found = _attack(folder, str(FOUND_BY_COUNTING)).first_correct(Secret.of(each).value for each in range(count))
    if count > FOUND_BY_COUNTING and found != Secret.of(FOUND_BY_COUNTING).value:
        log.failure(f"the attack does not find the seed {FOUND_BY_COUNTING} in {made:,} guesses: the attack is wrong")
    log.line(f"the seed {FOUND_BY_COUNTING} is {'found' if found else 'not reached'} after {made:,} guesses")


def _masked(folder: Path, title: str, *options: object) -> Path:
    """Mask the original of a folder, in order; the path of the recipe."""
    recipe = folder / f"{title}.toml"
    paths = ("protect", folder / "original.csv", folder / f"{title}.csv", "--schema", folder / "schema.toml")
    code, shown = command(
        *paths, "--method", METHOD, "--recipe-out", recipe, "--key-out", folder / f"{title}.key", *options
    )
    assert code == 0, shown
    return recipe


def _publish(folder: Path, title: str) -> tuple[object, ...]:
    return (
        *(
            "publish",
            folder / f"{title}.csv",
            "--original",
            folder / "original.csv",
            "--schema",
            folder / "schema.toml",
        ),
        *("--policy", folder / POLICY, "--recipe", folder / f"{title}.toml", "--key", folder / f"{title}.key"),
        *("--out", folder / f"{title}-out"),
    )


def _attack(folder: Path, title: str) -> SeedAttack:
    schema = Schema.from_toml(folder / "schema.toml")
    original = read(folder / "original.csv", schema)
    bare = original.without(["Zqsurname", "Zqpassport"])
    return SeedAttack.on(bare, read_masked(folder / f"{title}.csv", schema))


def _published(folder: Path, log: Log) -> list[bytes]:
    """Everything that is handed over."""
    code, shown = command(*_publish(folder, "default"))
    if code != 0:
        log.failure(f"a file with a secret of our own cannot be published: {shown[:200]}")
    files = [path for path in (folder / "default-out").rglob("*") if path.is_file()]
    return [(folder / name).read_bytes() for name in ("default.csv", "default.toml")] + [
        path.read_bytes() for path in files
    ]


def _guesses(start: int, end: int, published: list[bytes], seed: int) -> Iterator[bytes]:
    """Guesses at a secret: one of each source in turn, so that any number of them tries all sources."""
    sources = [_numbers(), _times(start, end), _generators(), _windows(published, seed)]
    while sources:
        for source in list(sources):
            guess = next(source, None)
            if guess is None:
                sources.remove(source)
            else:
                yield guess


def _numbers() -> Iterator[bytes]:
    number = 0
    while True:
        yield Secret.of(number).value
        number += 1


def _times(start: int, end: int) -> Iterator[bytes]:
    """Times of the masking in seconds, milliseconds and microseconds, and digests of them."""
    for unit in NANOSECONDS[:0:-1]:
        for moment in range(start // unit, end // unit + 1):
            yield moment.to_bytes(16, "big")
            yield moment.to_bytes(16, "little")
            yield hashlib.md5(str(moment).encode(), usedforsecurity=False).digest()


def _generators() -> Iterator[bytes]:
    """The first 128 bits of the generators of Python and numpy, by seed."""
    number = 0
    while True:
        yield random.Random(number).randbytes(16)
        yield np.random.default_rng(number).bytes(16)
        yield np.random.RandomState(number).bytes(16)
        number += 1


def _windows(published: list[bytes], seed: int) -> Iterator[bytes]:
    """Digests of what is published, and sixteen bytes from everywhere in it, decoded and decompressed."""
    parts = [part for content in published for part in unpacked(content)]
    for part in parts:
        for digest in (hashlib.md5(part, usedforsecurity=False), hashlib.blake2b(part, digest_size=16)):
            yield digest.digest()
        yield hashlib.sha256(part).digest()[:16]
    together = b"".join(part + bytes(16) for part in parts)
    for at in np.random.default_rng(seed).permutation(len(together) - 15):
        yield together[at : at + 16]


def _secrets_differ(log: Log) -> None:
    """Secrets of our own never repeat, and each of their bits is set half of the time."""
    secrets = [Secret.of().value for _ in range(SECRETS)]
    if len(set(secrets)) < SECRETS:
        log.failure("two secrets of our own are equal")
    bits = np.unpackbits(np.frombuffer(b"".join(chain(secrets)), dtype=np.uint8).reshape(SECRETS, -1), axis=1)
    unusual = int((np.abs(bits.mean(axis=0) - 0.5) > 6 * 0.5 / np.sqrt(SECRETS)).sum())
    if unusual:
        log.failure(f"{unusual} bits of the secrets are not set half of the time")
    log.outcomes["secrets of our own compared"] += SECRETS
