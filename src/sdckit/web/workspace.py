"""Workspace: the files that are open, their data and releases in memory, and the jobs that make them."""

import hashlib
import threading
import tomllib
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

import sdckit
from sdckit.draws import Secret
from sdckit.errors import FileError, SdcError
from sdckit.files import read
from sdckit.files.infer_schema import infer_schema
from sdckit.files.temporary import remove_stale, temporary_beside
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.release import Release
from sdckit.run import Run
from sdckit.schema import Schema
from sdckit.web.jobs import CANCELLED, FAILED, SUPERSEDED, Job, Jobs
from sdckit.web.store import Node, Store, StoredFile, digest_of
from sdckit.web.tasks import Work

T = TypeVar("T")
FILES_IN_MEMORY = 3  # originals, each under one schema
RELEASES_IN_MEMORY = 6
RESULTS_IN_MEMORY = 24
UPLOADS = "uploads"


class Recent(Generic[T]):
    """The last few things that were used, by name."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._entries: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: str) -> T | None:
        """The thing of that name, which is the latest used then."""
        with self._lock:
            if name in self._entries:
                self._entries.move_to_end(name)
            return self._entries.get(name)

    def put(self, name: str, entry: T) -> T:
        """Add a thing; the one that was not used for longest goes."""
        with self._lock:
            self._entries[name] = entry
            self._entries.move_to_end(name)
            while len(self._entries) > self.limit:
                self._entries.popitem(last=False)
        return entry


@dataclass(frozen=True)
class State:
    """A node with its file and its run."""

    file: StoredFile
    node: Node

    @cached_property
    def run(self) -> Run:
        """The run of the node."""
        return Run.from_dict(tomllib.loads(self.node.run))

    @property
    def steps(self) -> tuple[Any, ...]:
        """The steps of its recipe."""
        return () if self.run.recipe is None else self.run.recipe.steps

    @cached_property
    def fingerprint(self) -> str:
        """What the masked file follows from: the file, the schema and the recipe."""
        made = replace(self.run, measures=(), grid={}, policy=None)
        parts = replace(made, intruder=type(made.intruder)()).to_toml()
        return digest_of_texts(self.file.id, parts)

    @cached_property
    def measured_as(self) -> str:
        """What the figures of the strip follow from: the masked file and the intruder."""
        return digest_of_texts(self.file.id, replace(self.run, measures=(), grid={}, policy=None).to_toml())

    @cached_property
    def judged_as(self) -> str:
        """What the verdict follows from: the figures and the policy."""
        return digest_of_texts(self.file.id, replace(self.run, measures=(), grid={}).to_toml())

    @cached_property
    def schema_text(self) -> str:
        """The schema as TOML."""
        return self.run.schema.to_toml()


class Workspace:
    """Everything that the pages show."""

    def __init__(self, store: Store, jobs: Jobs) -> None:
        self.store = store
        self.jobs = jobs
        self.results: Recent[Any] = Recent(RESULTS_IN_MEMORY)  # what attacks, sweeps and decisions found
        self.uploads: list[Path] = []
        self._uploaded = ExitStack()
        remove_stale(store.folder_for(UPLOADS))  # of a server that was killed
        self._data: Recent[Microdata] = Recent(FILES_IN_MEMORY)
        self._releases: Recent[tuple[Release, list[str]]] = Recent(RELEASES_IN_MEMORY)
        self._at_work: dict[str, Job] = {}  # by what is measured, which several states may share

    def upload_path(self, suffix: str) -> Path:
        """The path of a file that is uploaded, in a folder of its owner alone that goes when the server ends."""
        beside = self.store.folder_for(UPLOADS) / "upload"
        path = self._uploaded.enter_context(temporary_beside(beside, folder=True)) / f"upload{suffix}"
        self.uploads.append(path)
        return path

    def close(self) -> None:
        """Remove what was uploaded."""
        self._uploaded.close()

    def open(self, path: Path, name: str | None = None) -> Node:
        """Open a file: where it was left, or with the kinds and roles that its names and values suggest."""
        path = path.expanduser()
        path = path if path.is_absolute() else Path.cwd() / path
        if not path.exists():
            read(path)  # the error names the file that was probably meant
        if not path.is_file():
            raise FileError(f"{path} is a folder; name a file in it")
        file = self.store.file_at(path, name)
        if file.current is not None:
            return self.store.node(file.current)
        data = read(path)
        schema = infer_schema(data).schema
        run = Run(schema)
        declared = read(path, schema)
        node = self.store.add(file.id, None, "opened", run.to_toml())
        self._data.put(self._data_name(State(file, node)), declared)
        return node

    def state(self, number: int) -> State:
        """A node of a history."""
        node = self.store.node(number)
        return State(self.store.file(node.file), node)

    def child(self, state: State, label: str, run: Run) -> State:
        """The state after a change; the same run again is the same state."""
        text = run.to_toml()
        if text == state.node.run:
            return state
        self.data_of(state.file, run.schema, text)
        for each in self.store.nodes(state.file.id):
            if each.parent == state.node.id and each.run == text:
                self.store.visit(each)
                return State(state.file, each)
        return State(state.file, self.store.add(state.file.id, state.node.id, label, text))

    def data(self, state: State) -> Microdata:
        """The original of a state under its schema."""
        return self.data_of(state.file, state.run.schema, state.schema_text)

    def data_of(self, file: StoredFile, schema: Schema, text: str) -> Microdata:
        """A file under a schema, read once."""
        name = digest_of_texts(file.id, schema.to_toml())
        found = self._data.get(name)
        if found is not None:
            return found
        if not file.path.is_file():
            raise FileError(f"{file.path} is not there any more; put it back, or open another file")
        if digest_of(file.path) != file.digest:
            raise FileError(f"{file.path} has changed since it was opened here; open it again, or put it back")
        return self._data.put(name, read(file.path, schema))

    def _data_name(self, state: State) -> str:
        return digest_of_texts(state.file.id, state.schema_text)

    def release(self, state: State) -> Release | None:
        """The release of a state where it is in memory."""
        found = self._releases.get(state.fingerprint)
        return None if found is None else found[0]

    def notes(self, state: State) -> list[str]:
        """What the maskings say of this release."""
        found = self._releases.get(state.fingerprint)
        return [] if found is None else found[1]

    def strip(self, state: State) -> dict[str, Any] | None:
        """The figures of a state; None where they are not known yet."""
        figures = self.results.get(f"strip {state.measured_as}") or self.store.kept(state.measured_as, "strip")
        if figures is None:
            return None
        return {**figures, "policy": None if state.run.policy is None else self.store.kept(state.judged_as, "policy")}

    def work(self, state: State) -> Work:
        """What a job needs to make the release of a state."""
        strip = self.strip(state) or {}
        measured, judged = strip.get("state") == "firm", strip.get("policy") is not None
        return Work(self.data(state), state.node.run, self.store.seed(state.file.id), measured, judged)

    def ensure(self, state: State) -> Job | None:
        """Make what is missing of a state: the masked file or its figures; None where nothing is missing.

        A job that failed or was cancelled is not begun again by itself.
        """
        strip = self.strip(state)
        judged = state.run.policy is None or (strip is not None and strip["policy"] is not None)
        firm = strip is not None and strip["state"] == "firm" and judged
        made = self.release(state)
        if firm and (made is not None or not state.steps):
            return None
        same = self._at_work.get(state.measured_as)
        if same is not None and same.running:
            return same
        last = self.jobs.latest("release", state.node.id) or self.jobs.latest("measure", state.node.id)
        if last is not None and last.running:
            return last
        if last is not None and last.state in (FAILED, CANCELLED):
            return None
        return self.begin(state)

    def begin(self, state: State) -> Job:
        """Begin the job that makes the release and the figures of a state; those of the states before it give way."""
        passed = {node.id for node in self.ancestors(state)}
        for job in (*self.jobs.running("release"), *self.jobs.running("measure")):
            if job.node in passed:
                self.jobs.cancel(job.number, SUPERSEDED)
        made = self.release(state)
        title = state.node.label if state.steps else "risk before masking"
        secret = Secret.of(self.store.seed(state.file.id))

        def keep(name: str, value: Any) -> None:
            if name == "release":
                masked, rows, recipe, notes = value
                release = Release(self.data(state), masked, recipe, rows, secret if state.steps else None)
                self._releases.put(state.fingerprint, (release, notes))
            elif name == "policy":
                self.store.keep(state.judged_as, "policy", value)
            else:
                self.results.put(f"strip {state.measured_as}", value)
                if value["state"] == "firm":
                    self.store.keep(state.measured_as, "strip", value)

        if made is not None:
            measured = (self.strip(state) or {}).get("state") == "firm"
            payload = (made, None if measured else state.run.intruder, state.run.policy)
            what = f"checking {title}" if measured else f"measuring {title}"
            job = self.jobs.start("measure", what, state.node.id, payload, keep)
        else:
            job = self.jobs.start("release", title, state.node.id, self.work(state), keep)
        self._at_work[state.measured_as] = job
        return job

    def ancestors(self, state: State) -> Iterator[Node]:
        """The nodes before a state, the last one first."""
        parent = state.node.parent
        while parent is not None:
            node = self.store.node(parent)
            yield node
            parent = node.parent

    def masked(self, state: State) -> Release:
        """The release of a state, or an error that says that it is being made."""
        made = self.release(state)
        if made is None:
            raise SdcError("the file is being masked; wait for it, or look at the jobs above")
        return made

    def with_step(self, state: State, recipe: Recipe) -> Run:
        """The run of a state with another recipe."""
        return replace(state.run, recipe=recipe)


def digest_of_texts(*parts: str) -> str:
    """A short digest of some texts and their order, and of the version: figures of another one are computed anew."""
    return hashlib.blake2b("\0".join((sdckit.__version__, *parts)).encode(), digest_size=12).hexdigest()
