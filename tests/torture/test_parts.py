"""Every part of `make torture` sees what it is there for, tried on a small scale."""

import ast
import base64
import gzip
import io
import json
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torture.__main__
from torture._ast_mutations import mutants
from torture._byte_mutations import mutated
from torture._document_mutations import mutated_document
from torture._log import Log
from torture._marked_file import marked_file
from torture._module_tests import Bench
from torture._private_marks import Marks, marks_of
from torture._read_mutated import outcome
from torture._scenarios import Scenario
from torture._seed_attack import METHOD, SeedAttack
from torture._subjects import Subject
from torture._unpacked import unpacked
from torture._wholeness import broken_by_the_kill

from sdckit.draws import Secret
from sdckit.files.key_file import write_key
from sdckit.key import Key
from sdckit.microdata import Role
from sdckit.release import protect
from torture import mutated_inputs

ROOT = Path(__file__).resolve().parents[2]


def test_an_unknown_part_is_refused(capsys):
    with pytest.raises(SystemExit) as ended:
        torture.__main__.main(["no-such-part"])
    assert ended.value.code == 2
    assert "there is no part" in capsys.readouterr().err


def test_a_part_in_which_nothing_fails_ends_with_exit_code_0(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert torture.__main__.main(["oracles", "--count", "1"]) == 0
    assert "nothing broke" in capsys.readouterr().out


# Kills ---------------------------------------------------------------------------------------------------------------

COMMAND = Scenario("mask", (), ("out.csv", "out.key"), public="out.csv", private="out.key")
BEFORE = {"in.csv": "1"}
WHOLE = {"in.csv": "1", "out.csv": "2", "out.key": "3"}


@pytest.mark.parametrize(
    ("after", "problem"),
    [
        ({"in.csv": "1"}, ""),
        (WHOLE, ""),
        ({"in.csv": "1", "out.key": "3"}, ""),
        ({"in.csv": "9"}, "the input in.csv was changed or removed"),
        ({}, "the input in.csv was changed or removed"),
        (WHOLE | {"out.csv": "half"}, "out.csv is half-written"),
        ({"in.csv": "1", "out.csv": "2"}, "out.csv was written and its out.key is lost"),
        (BEFORE | {".out.123.csv": "half"}, "the temporary .out.123.csv is left"),
    ],
)
def test_what_a_kill_breaks_is_named(after, problem):
    assert list(broken_by_the_kill(COMMAND, BEFORE, WHOLE, after, {}, cleaned=True)) == ([problem] if problem else [])


def test_a_trail_may_end_early_and_not_within_a_line():
    growing = Scenario("search", (), ("trail",), growing=("trail",))
    files = {"trail": "1"}
    for content, problems in ((b"a\n", 0), (b"", 0), (b"a\nb", 1), (b"x\n", 1)):
        lines = {"trail": content, "trail*": b"a\nb\n"}
        assert len(list(broken_by_the_kill(growing, {}, files, files, lines, cleaned=False))) == problems


# Mutated inputs ------------------------------------------------------------------------------------------------------


def test_a_mutated_input_follows_from_its_seed_and_differs():
    content, other = b"age,income\n31,2100.5\n44,3900.0\n", b"another file"
    found = [mutated(content, other, np.random.default_rng(seed)) for seed in range(40)]
    assert found == [mutated(content, other, np.random.default_rng(seed)) for seed in range(40)]
    assert sum(each != content for each in found) > 35


@pytest.mark.parametrize(("end", "kind"), [("kill -PROF $$", "hang"), ("kill -ABRT $$", "abort"), ("exit 0", "ok")])
def test_a_reader_that_hangs_or_aborts_is_noticed_at_its_input(tmp_path, monkeypatch, end, kind):
    reader = tmp_path / "reader"
    reader.write_text(f"""#!/bin/sh\necho '[0, "ok", ""]'\necho '[1, "begun", ""]'\n{end}\n""", encoding="utf-8")
    reader.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(reader))
    subject = Subject(".csv", tmp_path / "file.csv", "", ())
    found = [(number, each) for number, each, _ in mutated_inputs._outcomes(subject, tmp_path / "inputs", 1, 2)]
    assert found == ([(0, "ok")] if kind == "ok" else [(0, "ok"), (1, kind)])


@pytest.mark.parametrize("kind", ["toml", "json"])
def test_a_mutated_document_can_still_be_parsed(kind):
    content = {"toml": b'[[steps]]\nmethod = "mdav"\ngroup_size = 3\n', "json": b'{"steps": [{"method": "mdav"}]}'}[
        kind
    ]
    found = {mutated_document(content, kind, np.random.default_rng(seed)) for seed in range(30)}
    assert len(found) > 15
    if kind == "json":
        assert all(json.loads(each) is not NotImplemented for each in found)


def test_an_input_is_read_or_refused(tmp_path):
    (tmp_path / "good.csv").write_text("age,income\n31,2100\n44,3900\n52,4800\n")
    (tmp_path / "bad.csv").write_bytes(b"\x00\xff\xfe")
    assert outcome(("describe", "FILE"), tmp_path / "good.csv") == ("ok", "")
    assert outcome(("describe", "FILE"), tmp_path / "bad.csv")[0] == "refused"


@pytest.mark.parametrize(
    ("code", "text", "kind"),
    [
        (2, "error: no\n", "refused"),
        (2, "error: \x1b[31mred\n", "control character"),
        (2, "error: one\nerror: two\n", "not one line"),
        (3, "error: sdckit itself failed\n", "own fault"),
        (7, "", "exit code"),
    ],
)
def test_how_a_command_may_end(tmp_path, monkeypatch, code, text, kind):
    def ends(arguments):
        import sys

        print(text, end="", file=sys.stderr)
        return code

    monkeypatch.setattr("sdckit.cli.main", ends)
    assert outcome(("describe", "FILE"), tmp_path / "any.csv")[0] == kind


# Leaks ---------------------------------------------------------------------------------------------------------------


def packed(content: bytes) -> dict[str, bytes]:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("member", content)
    return {
        "plain": content,
        "zip": archive.getvalue(),
        "zlib": b"before" + zlib.compress(content),
        "gzip": b"before" + gzip.compress(content),
        "base64": b'{"x": "' + base64.b64encode(content) + b'"}',
        "hexadecimal": b"digest " + content.hex().encode(),
    }


@pytest.mark.parametrize("way", packed(b""))
def test_a_mark_is_found_however_it_is_packed(way):
    secret = b"a secret of some length that nobody should see, ever"
    assert any(secret in part for part in unpacked(packed(secret)[way]))


def test_a_mark_is_found_in_a_compressed_column(tmp_path):
    pl.DataFrame({"text": ["Zqhidden"] * 500}).write_parquet(tmp_path / "a.parquet", compression="zstd")
    content = (tmp_path / "a.parquet").read_bytes()
    assert list(Marks({b"Zqhidden": "a name"}, {}).found_in(content)) == ["a name"]


def test_the_original_is_full_of_what_must_not_be_published_and_a_masked_file_is_not(tmp_path):
    data = marked_file(1)
    release = protect(data, "mdav:group_size=4")
    key = write_key(Key.of(release), tmp_path / "a.key")
    marks = marks_of(data, release.masked, key, tmp_path)
    bare = release.masked.without(release.masked.names(role=Role.IDENTIFIER))
    assert list(marks.found_in(bare.to_frame("polars").write_csv().encode())) == []
    found = list(marks.found_in(data.to_frame("polars").write_csv().encode()))
    assert any("identifier" in each for each in found)
    assert any("income" in each for each in found)
    assert any("secret" in each for each in marks.found_in(key.read_bytes()))


# Seeds ---------------------------------------------------------------------------------------------------------------


def test_the_attack_finds_a_short_seed_and_no_other():
    data = marked_file(1)
    data = data.without(data.names(role=Role.IDENTIFIER))
    attack = SeedAttack.on(data, protect(data, METHOD, seed=7).masked)
    assert attack.first_correct(Secret.of(number).value for number in range(20)) == (8, Secret.of(7).value)
    ours = SeedAttack.on(data, protect(data, METHOD).masked)
    assert ours.first_correct(Secret.of(number).value for number in range(20)) == (20, None)


# Mutants -------------------------------------------------------------------------------------------------------------

SOURCE = '''
"""Text with 1 + 1."""
from typing import Any
FAST = 8  # rows at a time
def larger(a: int, b: int = 0) -> Any:
    """The larger of 1 and 2."""
    if a > b and b:
        return max(a, b) + 1
    return None
'''


def test_mutants_differ_from_their_source_in_one_thing_each():
    found = mutants("larger.py", SOURCE)
    changes = [each.change for each in found]
    assert len({each.source for each in found}) == len(found)
    assert any("Gt → GtE" in each for each in changes)
    assert any("And → Or" in each for each in changes)
    assert any("max → min" in each for each in changes)
    assert "0 → 1" in changes and "1 → 2" in changes
    assert not any("8 →" in each or "return None for `None`" in each for each in changes)
    for each in found:
        assert "1 + 1" in ast.get_docstring(ast.parse(each.source))


def test_the_check_that_lengths_agree_is_no_site():
    found = mutants("pairs.py", "pairs = list(zip(range(3), 'abc', strict=True))\n")
    assert [each.change for each in found] == ["3 → 4"]


def small_tree(folder, *, with_kernel):
    """A tree with one module and one test, which passes only where kernels are compiled or not as they should be."""
    module, test = folder / "src" / "sdckit" / "half.py", folder / "tests" / "test_half.py"
    compiled = folder / "src" / "sdckit" / "kernels" / "compiled.py"
    for path in (module, test, compiled):
        path.parent.mkdir(parents=True, exist_ok=True)
    (module.parent / "__init__.py").touch()
    compiled.write_text("njit = None\n")
    module.write_text(("from sdckit.kernels.compiled import njit\n" if with_kernel else "") + "HALF = 0.5\n")
    test.write_text(
        "import os\nfrom sdckit.half import HALF\n"
        "def test_half():\n    assert HALF == 0.5\n"
        f"def test_compiled():\n    assert os.environ['NUMBA_DISABLE_JIT'] == '{int(with_kernel)}'\n"
    )
    return Bench(folder)


def test_the_tests_of_what_uses_a_module_are_the_wider_ones(tmp_path):
    bench = small_tree(tmp_path, with_kernel=False)
    for name, content in {
        "src/sdckit/quarter.py": "from sdckit.half import HALF\nQUARTER = HALF / 2\n",
        "tests/test_quarter.py": "from sdckit.quarter import QUARTER\ndef test_it():\n    assert QUARTER == 0.25\n",
        "tests/test_other.py": "def test_other():\n    assert True\n",
    }.items():
        (tmp_path / name).write_text(content)
    assert bench.wider_tests_of("src/sdckit/half.py") == ["tests/test_quarter.py"]


# Run by an interpreter of its own, as tests are forked from a process that has not imported sdckit.
MUTANTS_OF_A_HALF = """
import sys
from pathlib import Path
from torture._ast_mutations import Mutant
from torture._module_tests import Bench
bench, name, tests = Bench(Path(sys.argv[1])), "src/sdckit/half.py", ["tests/test_half.py"]
path = bench.folder / name
before, source = path.stat(), path.read_text()
def killed(line):
    return bench.kills(Mutant(name, 1, line, source.replace("HALF = 0.5", line)), tests)
assert bench.tests_of(name) == tests
assert killed("HALF = 1.0")
assert killed("HALF = no_such_name")
assert not killed("HALF = 1 / 2")
assert not bench.left_out
assert path.read_text() == source and path.stat().st_mtime_ns == before.st_mtime_ns
path.write_text(source.replace("0.5", "0.25"))  # a test that fails anyway
bench = Bench(bench.folder)
assert not killed("HALF = 0.125")
assert bench.left_out == {"tests/test_half.py::test_half"}
"""


@pytest.mark.slow
@pytest.mark.parametrize("with_kernel", [False, True])
def test_a_mutant_is_killed_by_a_test_that_passes_without_it(tmp_path, with_kernel):
    small_tree(tmp_path, with_kernel=with_kernel)
    subprocess.run([sys.executable, "-c", MUTANTS_OF_A_HALF, str(tmp_path)], check=True, cwd=ROOT)


LEFT_TESTS = """
import sys
from pathlib import Path
from torture._forked_tests import run_tests
ended = run_tests(Path(sys.argv[1]), ["tests/test_half.py"], False, 20, 0.2)
assert ended.overdue == ("tests/test_half.py::test_endless",)
assert ended.failed == "tests/test_half.py::test_after" and not ended.passed and not ended.late
"""


@pytest.mark.slow
def test_a_test_whose_time_is_up_is_left_and_those_after_it_are_run(tmp_path):
    small_tree(tmp_path, with_kernel=True)
    endless = "def test_endless():\n    while True:\n        pass\n\ndef test_after():\n    assert False\n"
    (tmp_path / "tests" / "test_half.py").write_text(endless)
    subprocess.run([sys.executable, "-c", LEFT_TESTS, str(tmp_path)], check=True, cwd=ROOT)


def test_a_log_counts_and_keeps_failures(capsys):
    log = Log()
    log.count("fine")
    log.failure("broken")
    log.summary()
    assert "1  fine" in capsys.readouterr().out and log.failures == ["broken"]
