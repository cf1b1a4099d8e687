"""XML that declares a document type is refused wherever XML is read, in whatever encoding and however far down."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from sdckit import SdcError, read
from sdckit.files.codebook import read_codebook
from sdckit.files.imported_schema import import_schema

ENTITIES = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
EDGES = '<node id="&{0};"/><node id="b"/><edge source="a" target="b"/>'
GRAPH = f'<graphml><graph edgedefault="undirected">{EDGES}</graph></graphml>'
GEXF = '<gexf><graph><nodes><node id="a" label="&{0};"/></nodes><edges/></graph></gexf>'
CODEBOOK = '<codeBook><dataDscr><var name="age"><labl>&{0};</labl></var></dataDscr></codeBook>'
PROJECT = "<definition><assigment><name>&{0};</name><type>IDENTIFYING_ATTRIBUTE</type></assigment></definition>"


def read_project(path: Path) -> None:
    text = path.read_bytes()
    with ZipFile(path, "w") as project:
        project.writestr("input/definition.xml", text)
    import_schema(path, None, path.parent)


READERS = {
    "a.graphml": (GRAPH, read),
    "a.gexf": (GEXF, read),
    "a.xml": (CODEBOOK, read_codebook),
    "a.deid": (PROJECT, read_project),
}


@pytest.mark.parametrize("entity", ["y", "f"])
@pytest.mark.parametrize("before", ["", f"<!--{'x' * 10_000}-->\n"], ids=["at once", "after a comment"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", READERS)
def test_a_document_type_is_refused(tmp_path: Path, name: str, encoding: str, before: str, entity: str) -> None:
    document, reader = READERS[name]
    path = tmp_path / name
    path.write_bytes((before + ENTITIES + document.format(entity)).encode(encoding))
    with pytest.raises(SdcError, match="declares a document type"):
        reader(path)


@pytest.mark.parametrize("name", ["a.graphml", "a.xml", "a.deid"])
def test_without_one_it_is_read(tmp_path: Path, name: str) -> None:
    document, reader = READERS[name]
    path = tmp_path / name
    path.write_text(document.replace("&{0};", "a"), encoding="utf-8")
    reader(path)
