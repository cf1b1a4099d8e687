"""The reference files: a local copy first, then the public one, checked."""

import hashlib
import logging
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from sdckit.datasets import census, eia, reference
from sdckit.errors import FileError
from sdckit.microdata import Kind, Role


@pytest.fixture
def nothing_at_hand(tmp_path, monkeypatch):
    """No local copy, and a cache of its own."""
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("SDCKIT_DATA", str(tmp_path / "empty"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def r_file(tmp_path):
    """A small R file with a data frame called EIA."""
    pd, rdata = pytest.importorskip("pandas"), pytest.importorskip("rdata")
    frame = pd.DataFrame({"UTILITYID": [7.0, 9.0], "RESSALES": [1.5, np.nan], "TOTSALES": [3.0, 4.0]})
    frame["UTILNAME"] = pd.Series(["One & Co", "Two"], dtype=object)
    frame["STATE"] = pd.Categorical(["AK", "AL"])
    (tmp_path / "served").mkdir()
    path = tmp_path / "served" / "EIA.rda"
    rdata.write_rda(path, {"EIA": frame})
    return path


@pytest.fixture
def server(r_file):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(r_file.parent))) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


def local_or_skip(name):
    if reference.local_copy(name) is None:
        pytest.skip(f"{name} is not available: set SDCKIT_DATA to its folder")


def test_census_is_the_file_of_the_papers():
    local_or_skip("CASCrefmicrodata")
    file = census()
    assert (len(file), len(file.attributes)) == (1080, 13)
    assert {each.kind for each in file.attributes} == {Kind.CONTINUOUS}
    assert len(file.names(role=Role.KEY)) == 13


def test_eia_is_the_file_of_the_papers():
    local_or_skip("EIA")
    file = eia()
    assert (len(file), len(file.attributes)) == (4092, 15)
    assert file.names(role=Role.KEY) == tuple(each.name for each in file.attributes)[-10:]
    assert file.names(role=Role.IDENTIFIER) == ("UTILITYID", "UTILNAME")


def test_a_local_r_file_is_accepted(r_file, monkeypatch):
    monkeypatch.setenv("SDCKIT_DATA", str(r_file.parent))
    file = eia()
    assert file.names(role=Role.KEY) == ("RESSALES", "TOTSALES")
    assert file.values("UTILNAME").tolist() == ["One & Co", "Two"]
    assert file.values("STATE").tolist() == ["AK", "AL"]
    assert file.missing("RESSALES") == 1 and file.attribute("TOTSALES").integral


def test_a_csv_goes_before_an_r_file(r_file, monkeypatch):
    (r_file.parent / "EIA.csv").write_text("UTILITYID,UTILNAME,TOTSALES\n1,x,2\n")
    monkeypatch.setenv("SDCKIT_DATA", str(r_file.parent))
    assert len(eia()) == 1


@pytest.mark.usefixtures("nothing_at_hand")
def test_the_public_file_is_downloaded_and_verified_with_a_warning(r_file, server, monkeypatch, caplog):
    pytest.importorskip("pooch")
    monkeypatch.setitem(reference.SHA256, "EIA", hashlib.sha256(r_file.read_bytes()).hexdigest())
    with caplog.at_level(logging.WARNING):
        path = reference.fetch("EIA", server)
    assert path.read_bytes() == r_file.read_bytes()
    assert f"{server}/EIA.rda" in caplog.text


@pytest.mark.usefixtures("nothing_at_hand", "r_file")
def test_a_file_with_another_checksum_is_refused(server):
    pytest.importorskip("pooch")
    with pytest.raises(FileError, match=r"checksum differs\); put EIA.csv"):
        reference.fetch("EIA", server)


@pytest.mark.usefixtures("nothing_at_hand", "r_file")
def test_a_failed_download_names_the_cure(server):
    pytest.importorskip("pooch")
    with pytest.raises(FileError, match="set SDCKIT_DATA"):
        reference.fetch("CASCrefmicrodata", server)


def test_an_r_file_without_the_frame_is_refused(r_file, monkeypatch):
    r_file.rename(r_file.parent / "CASCrefmicrodata.rda")
    monkeypatch.setenv("SDCKIT_DATA", str(r_file.parent))
    with pytest.raises(FileError, match="it contains EIA"):
        census()
