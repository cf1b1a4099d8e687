"""A Postgres table is a source, in memory and part by part, with the values of the same records in a file."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from sdckit.cli import main
from sdckit.engines.source import source_of
from sdckit.errors import FileError
from sdckit.files import read
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


def test_a_file_that_names_no_table_is_refused_with_the_form(tmp_path: Path) -> None:
    for text, problem in (
        ('table = "people"', "lacks 'connection'"),
        ('connection = "x"\ntable = "people"', "lacks 'order'"),
        ('connection = "x"\ntable = "people"\norder = "id"\npassword = "y"', "unknown entry 'password'"),
        ("nonsense", "does not name a Postgres table"),
    ):
        path = tmp_path / "people.postgres"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(FileError, match=problem):
            read(path)


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
