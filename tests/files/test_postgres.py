"""A Postgres table is a source and a target, in memory and part by part, with the values that a file would have."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sdckit.cli import main
from sdckit.engines.source import source_of
from sdckit.errors import FileError
from sdckit.files import read, refuse_target, write
from sdckit.files.formats import postgres
from sdckit.files.postgres_identity import same_table
from sdckit.files.postgres_table import connected, described, name_parts
from sdckit.frames.to_frame import to_frame as frame_of
from sdckit.microdata import Microdata
from sdckit.schema import Schema

PROGRAMS = next((each for each in Path("/usr/lib/postgresql").glob("*/bin") if (each / "initdb").exists()), None)
TABLE = """
CREATE TABLE "People of Ely"
(id integer, age smallint, income numeric(9, 2), "home town" text, entered date, code uuid);
INSERT INTO "People of Ely" SELECT i, 20 + i % 50, i * 1.25, 't' || i % 4, DATE '2020-01-01' + i, NULL
FROM generate_series(1, 500) AS i ORDER BY (i * 7919) % 500;
UPDATE "People of Ely" SET income = NULL WHERE id % 9 = 0;
UPDATE "People of Ely" SET "home town" = NULL WHERE id % 7 = 0;
"""


def to_frame(data: Microdata) -> pl.DataFrame:
    return frame_of(data, "polars")


def test_a_file_that_names_no_table_is_refused_with_the_form(tmp_path: Path) -> None:
    for text, problem in (
        ('table = "people"', "lacks 'connection'"),
        ('connection = "x"\ntable = "people"', "lacks 'order'"),
        ('connection = "x"\ntable = "people"\norder = "id"\npassword = "y"', "unknown entry 'password'"),
        ("nonsense", "does not name a Postgres table"),
        ('connection = "x"\ntable = "people"\norder = "id"\nnumbers = "row"', "unknown entry 'numbers'"),
    ):
        path = tmp_path / "people.postgres"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(FileError, match=problem):
            read(path)


def test_a_name_with_a_dot_is_written_in_quotes(tmp_path: Path) -> None:
    assert name_parts("People of Ely") == ("People of Ely",)
    assert name_parts('"we.ird ""T"') == ('we.ird "T',)
    assert name_parts('"a.b".c') == ("a.b", "c")
    for text in ("", "a.", ".a", "a..b", "a.b.c", '"a', '"a"b'):
        assert name_parts(text) == (), text
    path = tmp_path / "people.postgres"
    path.write_text('connection = "x"\ntable = "a.b.c"\norder = "id"\n', encoding="utf-8")
    with pytest.raises(FileError, match=r"'a\.b\.c' is not the name of a table; write schema\.table"):
        read(path)


def described_by(path: Path, connection: str, table: str, role: str = 'order = "id"') -> Path:
    path.write_text(f"connection = {connection!r}\ntable = {table!r}\n{role}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("connection", "table", "same"),
    [
        ("postgresql://bob@127.0.0.1:1/census", "public.people", True),
        ("host=/tmp port=1 dbname=census user=bob", "people", True),
        ("postgresql:///census?host=localhost&port=1", '"people"', True),
        ("postgresql://localhost:1/census", "private.people", False),
        ("postgresql://localhost:1/other", "people", False),
        ("postgresql://localhost:2/census", "people", False),
        ("postgresql://nowhere.invalid:1/census", "people", False),
    ],
)
def test_tables_of_servers_that_do_not_answer_are_compared_as_they_are_named(
    tmp_path: Path, connection: str, table: str, same: bool
) -> None:
    one = described_by(tmp_path / "one.postgres", "postgresql://ann@localhost:1/census", "people")
    assert same_table(one, described_by(tmp_path / "other.postgres", connection, table)) is same


def test_a_table_to_read_is_no_target(tmp_path: Path) -> None:
    path = tmp_path / "people.postgres"
    path.write_text('connection = "x"\ntable = "people"\norder = "id"\n', encoding="utf-8")
    with pytest.raises(FileError, match="needs a column for the number of each row"):
        refuse_target(path)


@pytest.fixture
def named(tmp_path: Path):
    """A server of its own, with one table whose rows were not inserted in their order, and the file that names it."""
    pytest.importorskip("adbc_driver_postgresql", reason="sdckit[postgres] is not installed")
    if PROGRAMS is None or sys.platform != "linux":
        pytest.skip("no Postgres server is installed")
    folder = Path(f"/tmp/{tmp_path.name}-{tmp_path.parent.name}")  # the path of a socket must be short
    folder.mkdir(mode=0o700)
    user = {}
    if os.geteuid() == 0:  # Postgres refuses to run as root
        shutil.chown(folder, "postgres")
        user = {"user": "postgres", "group": "postgres"}

    def run(*command: str, **more) -> None:
        subprocess.run(command, check=True, capture_output=True, cwd="/", **user, **more)

    data, socket = str(folder / "data"), str(folder)
    run(str(PROGRAMS / "initdb"), "-D", data, "-A", "trust", "-U", "postgres", "--no-sync")
    options = f"-c listen_addresses='' -k {socket} -c fsync=off"
    run(str(PROGRAMS / "pg_ctl"), "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        psql = ("psql", "-h", socket, "-U", "postgres", "-v", "ON_ERROR_STOP=1", "-q")
        run(*psql, input=TABLE.encode())
        path = tmp_path / "people.postgres"
        uri = f"postgresql:///postgres?host={socket}&user=postgres"
        path.write_text(f'connection = "{uri}"\ntable = "People of Ely"\norder = "id"\n', encoding="utf-8")
        yield path
    finally:
        run(str(PROGRAMS / "pg_ctl"), "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)


@pytest.mark.slow
def test_a_table_is_read_in_its_order_whole_and_in_parts(named: Path, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    whole = read(named)
    assert whole.columns["id"].tolist() == list(range(1, 501))
    assert whole.columns["income"][:2].tolist() == [1.25, 2.5] and whole.missing("income") == 500 // 9
    assert whole.missing("home town") == 500 // 7
    source = source_of(named, Schema())
    batches = list(source.batches(73))
    assert [len(each) for each in batches] == [73] * 6 + [62]
    frame = pl.concat(batches)
    assert frame.equals(source.part(0, 500)) and source.part(73, 5).equals(frame[73:78])

    frame.write_parquet(tmp_path / "people.parquet")
    schema = tmp_path / "schema.toml"
    schema.write_text('[attributes]\nage = { role = "key" }\nincome = { role = "confidential" }\n', encoding="utf-8")
    masked = []
    for origin, engine in ((named, "memory"), (named, "duckdb"), (tmp_path / "people.parquet", "memory")):
        target = tmp_path / f"masked-{len(masked)}.csv"
        arguments = ["protect", str(origin), str(target), "--schema", str(schema), "--engine", engine, "--seed", "1"]
        assert main([*arguments, "--allow-undeclared", "--method", "rank-swapping:window=0.2"]) == 0
        masked.append(target.read_bytes())
    assert masked[0] == masked[1] == masked[2]

    named.write_text(named.read_text(encoding="utf-8").replace('"id"', '"age"'), encoding="utf-8")
    with pytest.raises(FileError, match="450 rows have the same age as another row"):
        read(named)
    named.write_text(named.read_text(encoding="utf-8").replace("People of Ely", "nobody"), encoding="utf-8")
    with pytest.raises(FileError, match="no table 'nobody'"):
        read(named)


@pytest.mark.slow
def test_a_table_is_written_whole_in_its_order_and_measured_like_a_file(named: Path, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    schema, recipe = tmp_path / "schema.toml", tmp_path / "recipe.toml"
    schema.write_text(
        '[attributes]\nage = { role = "key" }\nincome = { role = "confidential" }\n"home town" = { role = "key" }\n'
        'id = { role = "identifier" }\ncode = { role = "identifier" }\nentered = { role = "other" }\n',
        encoding="utf-8",
    )
    safe = tmp_path / "safe.postgres"
    text = named.read_text(encoding="utf-8").replace("People of Ely", "Safe people").replace("order", "numbers")
    safe.write_text(text.replace('"id"', '"the row"'), encoding="utf-8")
    steps = ["--schema", str(schema), "--method", "rank-swapping:window=0.2,attributes=age", "--seed", "1"]
    assert main(["protect", str(named), str(tmp_path / "safe.parquet"), *steps]) == 0
    expected = read(tmp_path / "safe.parquet")
    for engine, more in (("memory", []), ("duckdb", ["--force"])):
        written = ["--recipe-out", str(recipe), "--engine", engine]
        assert main(["protect", str(named), str(safe), *steps, *written, *more]) == 0
        found = read(safe)
        assert [each.name for each in found.attributes] == ["age", "income", "home town", "entered"]
        assert to_frame(found).equals(to_frame(expected))
        again = ["assess", str(named), str(safe), "--schema", str(schema), "--recipe", str(recipe), "--engine", engine]
        assert main([*again, "--measure", "il1s"]) == 0
        recipe.unlink()

    assert main(["protect", str(named), str(safe), *steps]) == 2  # exists already
    data = Microdata.from_frame(pl.DataFrame({"x" * 64: [1.0, 2.0]}))
    with pytest.raises(FileError, match="would cut the name"):
        write(data, safe, force=True)
    with pytest.raises(FileError, match="'the row' of its own"):
        write(Microdata.from_frame(pl.DataFrame({"the row": [1.0, 2.0]})), safe, force=True)
    assert to_frame(read(safe)).equals(to_frame(expected))  # what failed left the table as it was
    with postgres.opened(safe) as table:
        table.cursor.execute("SELECT count(*) FROM pg_tables WHERE tablename LIKE 'sdckit%'")
        assert table.cursor.fetchall() == [(0,)]
    typed = pl.DataFrame(
        {
            "whole": pl.Series([1, None, 3], dtype=pl.UInt8),
            "kind": pl.Series(["a", "b", None], dtype=pl.Categorical),
            "true": [True, None, False],
            'name "with" quotes': ["ü", "'", '"'],
            "never": pl.Series([None, None, None], dtype=pl.Float64),
        }
    )
    write(Microdata.from_frame(typed), safe, force=True)
    rows = to_frame(read(safe))
    assert rows["whole"].to_list() == [1, None, 3] and rows['name "with" quotes'].to_list() == ["ü", "'", '"']
    assert rows["kind"].to_list() == ["a", "b", None] and rows["true"].to_list() == [True, None, False]


def sql(path: Path, *statements: str) -> list[tuple[Any, ...]]:
    """What the last of some statements returns, from the server of the table that a file names."""
    with connected(described(path), "read") as (connection, cursor):
        for statement in statements:
            cursor.execute(statement)
        rows = cursor.fetchall() if cursor.description else []
        connection.commit()
        return rows


def target_like(named: Path, name: str, table: str, numbers: str = "row") -> Path:
    """A file that names another table of the same server, as one to be written."""
    connection = described(named).connection
    return described_by(named.with_name(f"{name}.postgres"), connection, table, f"numbers = {numbers!r}")


Captured = pytest.CaptureFixture[str]
NAMES_OF_ONE_TABLE = ("People of Ely", "public.People of Ely", 'public."People of Ely"')
STEPS = ("--allow-undeclared", "--attributes", "age", "--method", "rank-swapping:window=0.2", "--seed", "1")


@pytest.mark.slow
def test_a_table_that_is_read_is_never_overwritten(named: Path, tmp_path: Path, capsys: Captured) -> None:
    pytest.importorskip("duckdb")
    before = to_frame(read(named))
    found = described(named)
    socket = found.connection.split("host=")[1].split("&")[0]
    connections = (found.connection, f"host={socket} user=postgres dbname=postgres")
    targets = [
        described_by(tmp_path / f"target-{number}.postgres", connection, table, 'numbers = "row"')
        for number, (connection, table) in enumerate((c, t) for c in connections for t in NAMES_OF_ONE_TABLE)
    ]
    for target in targets:
        for engine in ("memory", "duckdb"):
            assert main(["protect", str(named), str(target), *STEPS, "--engine", engine, "--force"]) == 2
            assert "an input is never overwritten" in capsys.readouterr().err
        key = tmp_path / "pseudonyms.key"
        words = ["pseudonymise", str(named), str(target), "--columns", "id", "--key-out", str(key), "--force"]
        assert main(words) == 2
        assert "an input is never overwritten" in capsys.readouterr().err
    assert to_frame(read(named)).equals(before)
    assert sql(named, "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'sdckit%'") == [(0,)]


@pytest.mark.slow
def test_a_target_that_cannot_be_written_is_refused_before_any_work(
    named: Path, tmp_path: Path, capsys: Captured
) -> None:
    pytest.importorskip("duckdb")
    sql(
        named,
        "CREATE VIEW seen AS SELECT 1 AS x",
        "CREATE TABLE used (x integer)",
        "CREATE VIEW user_of_it AS SELECT * FROM used",
        "CREATE TABLE whole (x integer) PARTITION BY LIST (x)",
        "CREATE TABLE piece PARTITION OF whole FOR VALUES IN (1)",
        "CREATE ROLE reader LOGIN",
        "REVOKE CREATE ON SCHEMA public FROM public",
    )
    reader = target_like(named, "reader", "public.t")
    reader.write_text(reader.read_text(encoding="utf-8").replace("user=postgres", "user=reader"), encoding="utf-8")
    cases = [
        (target_like(named, "a", "nope.t"), "no schema 'nope' for the table 'nope.t'; create the schema 'nope' first"),
        (reader, "the user 'reader' has no right to create the table 'public.t'"),
        (target_like(named, "c", "seen"), "'public.seen' is a view, which is never replaced"),
        (target_like(named, "d", "used"), "because view user_of_it depends on it"),
        (target_like(named, "e", "whole"), "is a partitioned table"),
        (target_like(named, "f", "piece"), "as a partition or by inheritance"),
        (target_like(named, "g", "x" * 64), "Postgres would cut the name"),
    ]
    for target, problem in cases:
        with pytest.raises(FileError) as refusal:
            refuse_target(target, force=True)
        assert problem in str(refusal.value) and str(target) in str(refusal.value)
        assert "sdckit_" not in str(refusal.value) and ".sdckit-" not in str(refusal.value)
    clash = target_like(named, "clash", "safe", "age")
    for engine in ("memory", "duckdb"):
        assert main(["protect", str(named), str(clash), *STEPS, "--engine", engine]) == 2
        error = " ".join(capsys.readouterr().err.split())
        assert "clash.postgres: numbers = 'age'" in error and ".sdckit-" not in error
    assert not list(tmp_path.glob(".*"))  # nor was a part of the file kept: the work had not begun


@pytest.mark.slow
def test_what_a_killed_run_has_left_is_removed_by_the_next(named: Path) -> None:
    target = target_like(named, "safe", "safe")
    program = (
        "import os, signal, sys; from pathlib import Path; from sdckit.files.formats import postgres\n"
        "with postgres.destination(Path(sys.argv[1])): os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program, str(target)], check=False)
    assert len(list(named.parent.glob(".sdckit-*"))) == 1
    write(read(named), target)
    assert not list(named.parent.glob(".sdckit-*"))


@pytest.mark.slow
def test_what_has_rows_is_read_and_what_cannot_be_read_is_named(named: Path) -> None:
    connection = described(named).connection
    sql(
        named,
        'CREATE MATERIALIZED VIEW kept AS SELECT id, age FROM "People of Ely" WHERE id <= 20',
        'CREATE TABLE "a.b" AS SELECT * FROM kept',
        "CREATE TABLE gaps AS SELECT * FROM kept",
        "UPDATE gaps SET id = NULL WHERE id = 4",
        "CREATE SEQUENCE counter",
        "CREATE DOMAIN years AS integer",
        "CREATE TABLE domains (id integer, age years)",
        "INSERT INTO domains SELECT * FROM kept",
    )

    def table(name: str) -> Path:
        return described_by(named.with_name("other.postgres"), connection, name)

    expected = to_frame(read(table("kept")))
    assert len(expected) == 20
    assert to_frame(read(table('public."a.b"'))).equals(expected)
    assert to_frame(read(table("domains"))).equals(expected)
    with pytest.raises(FileError, match="the column 'id', which orders the rows, has 1 missing value; order by"):
        read(table("gaps"))
    with pytest.raises(FileError, match="'counter' is a sequence, which has no rows"):
        read(table("counter"))
    with pytest.raises(FileError, match=r"no table 'a\.b'; name it as schema\.table, and put a name with a dot"):
        read(table("a.b"))
    target = target_like(named, "dotted", 'public."c.d"')
    write(read(named), target)
    assert to_frame(read(target)).equals(to_frame(read(named)))
