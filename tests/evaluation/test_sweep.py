"""A sweep: what it tries, that workers make no difference, and that it survives a kill."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars
import pytest

import sdckit
from sdckit.catalogue import find
from sdckit.errors import FileError, ParameterError, SdcError, UnknownNameError
from sdckit.evaluation import worker_pool
from sdckit.evaluation.baselines import BASELINES
from sdckit.evaluation.experiment import Experiment, Trial, chosen_measures
from sdckit.evaluation.sweep import grid_from_toml, only_reorders, plan, sweep
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.risk.intruder.informed_intruder import InformedIntruder

QUICK = ("distance-linkage", "il1s", "il4")
METHODS = ("mdav", "additive-noise")


def firms(records: int = 40) -> Microdata:
    rng = np.random.default_rng(3)
    size = rng.lognormal(3, 1, records)
    frame = polars.DataFrame(
        {
            "name": [f"firm {number}" for number in range(records)],
            "size": size,
            "turnover": size * rng.lognormal(0, 0.2, records),
            "town": rng.choice(["Ely", "Wells"], records).tolist(),
        }
    )
    return Microdata.from_frame(frame, roles={"name": "identifier", "size": "key", "turnover": "key"})


@pytest.fixture(scope="module")
def swept() -> sdckit.RiskUtilityMap:
    return sweep(firms(), METHODS, measures=QUICK, seeds=2, workers=1)


def test_every_value_of_the_grid_meets_every_seed(swept):
    grid = sum(len(find("masking", name).parameters[0].grid) for name in METHODS)
    tried = [each for each in swept.settings if not each.baseline]
    assert len(tried) == grid
    assert {each.seeds for each in tried} == {2}


def test_a_point_is_what_protect_and_assess_say(swept):
    point = next(each for each in swept.points if each.method == "additive-noise" and each.seed == 1)
    recipe = Recipe.from_dict({"steps": list(point.steps)})
    release = sdckit.protect(firms(), recipe, seed=1, allow_undeclared=True)
    scores = sdckit.assess(release, QUICK, seed=0)
    assert {name: scores[name].value for name in QUICK} == dict(point.scores)


def test_baselines_lie_where_they_must(swept):
    found = {each.label: each for each in swept.settings if each.baseline}
    assert set(found) == set(BASELINES)
    assert found["untouched"].mean["distance-linkage"] == 1.0
    assert found["untouched"].mean["il1s"] == found["untouched"].mean["il4"] == 0.0
    assert found["shuffled"].mean["il4"] == pytest.approx(0.0, abs=1e-12)
    assert found["constant"].mean["il4"] == pytest.approx(1.0)
    assert found["constant"].mean["distance-linkage"] == pytest.approx(1 / 40)


@pytest.mark.parametrize("make", BASELINES.values(), ids=BASELINES)
def test_a_baseline_keeps_missing_values_and_drops_identifiers(make):
    frame = polars.DataFrame({"id": [1, 2, 3], "x": [1.0, None, 3.0], "town": ["a", "b", None]})
    data = Microdata.from_frame(frame, roles={"id": "identifier", "x": "key", "town": "key"})
    masked = make(data, 0).masked
    assert "id" not in masked
    assert [masked.missing(name) for name in ("x", "town")] == [1, 1]


@pytest.mark.slow
def test_two_workers_find_what_one_finds(swept):
    assert sweep(firms(), METHODS, measures=QUICK, seeds=2, workers=2).to_dict() == swept.to_dict()


def test_a_file_that_comes_out_the_same_is_measured_once(monkeypatch):
    measured = []
    experiment = Experiment(firms(), chosen_measures(QUICK, firms()))
    monkeypatch.setattr(Experiment, "_scores", lambda self, release: measured.append(release) or {})
    first = experiment.run(Trial.of(Recipe.of("mdav"), 0))
    experiment.run(Trial.of(Recipe.of("mdav"), 1), like=first)
    assert len(measured) == 1
    experiment.run(Trial.of(Recipe.of("additive-noise"), 1), like=first)
    assert len(measured) == 2


def test_what_is_finished_is_not_done_again(tmp_path, monkeypatch):
    once = sweep(firms(), ["mdav"], measures=QUICK, seeds=1, workers=1, folder=tmp_path)
    monkeypatch.setattr(Experiment, "run", None)
    assert sweep(firms(), ["mdav"], measures=QUICK, seeds=1, workers=1, folder=tmp_path).to_dict() == once.to_dict()


def test_another_file_another_measure_or_intruder_does_not_meet_old_points(tmp_path):
    trial = Trial.of(Recipe.of("mdav"), 0)
    experiment = Experiment(firms(), chosen_measures(QUICK, firms()), folder=tmp_path)
    experiment.run(trial)
    assert experiment.finished(trial) is not None
    for other in (
        Experiment(firms(41), chosen_measures(QUICK, firms()), folder=tmp_path),
        Experiment(firms(), chosen_measures(["il4"], firms()), folder=tmp_path),
        Experiment(firms(), chosen_measures(QUICK, firms()), sdckit.Intruder(attributes=["size"]), folder=tmp_path),
    ):
        assert other.finished(trial) is None


def test_half_a_point_is_no_point(tmp_path):
    experiment, trial = (
        Experiment(firms(), chosen_measures(QUICK, firms()), folder=tmp_path),
        Trial.of(Recipe.of("mdav"), 0),
    )
    whole = experiment.run(trial)
    home = experiment.cache_path(trial)
    assert home is not None
    home.write_text(home.read_text(encoding="utf-8")[:40], encoding="utf-8")
    assert experiment.finished(trial) is None
    assert experiment.run(trial) == whole


KILLED = """
import sys
sys.path.insert(0, {folder!r})
from {module} import METHODS, QUICK, firms
from sdckit.evaluation.sweep import sweep
class Watcher:
    cancelled, done = False, -1
    def begin(self, total=None): pass
    def advance(self, label=""):
        self.done += 1
        print(self.done, flush=True)
sweep(firms(), METHODS, measures=QUICK, seeds=2, workers=2, folder=sys.argv[1], progress=Watcher())
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs process groups to kill the workers too")
def test_a_killed_sweep_resumes_to_the_identical_result(tmp_path, swept):
    code = KILLED.format(folder=str(Path(__file__).parent), module=Path(__file__).stem)
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= 4:
            break
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "points").glob("[!.]*.json")}
    assert 4 <= len(kept) < len(swept.points)
    resumed = sweep(firms(), METHODS, measures=QUICK, seeds=2, workers=1, folder=tmp_path)
    assert resumed.to_dict() == swept.to_dict()
    assert resumed.to_csv() == swept.to_csv()
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


def test_methods_that_do_not_suit_the_file_are_listed_with_the_reason():
    recipes, skipped = plan(firms())
    tried = {recipe.steps[0].masking.name for recipe in recipes}
    assert {"mdav", "rank-swapping", "additive-noise"} <= tried
    assert "has no" in skipped["pram"]
    assert "leaves out" in skipped["simple-sampling"]
    assert tried.isdisjoint(skipped)


def test_a_method_that_leaves_records_out_is_tried_when_named():
    recipes, skipped = plan(firms(), ["simple-sampling"])
    assert recipes and not skipped


def test_full_synthesis_is_tried_where_its_risk_and_loss_need_no_correspondence_of_rows():
    without_rows = chosen_measures(["attribute-inference", "il5"], firms())
    for measures, tried in (
        (without_rows, True),
        (chosen_measures(QUICK, firms())[:2], False),
        (without_rows[:1], False),
    ):
        recipes, skipped = plan(firms(), measures=measures)
        names = {recipe.steps[0].masking.name for recipe in recipes}
        assert ("gaussian-copula" in names) is tried
        assert ("belongs to a record" in skipped.get("gaussian-copula", "")) is not tried
        assert {"ipso-c", "romm"} <= names  # rows are kept


def test_synthesis_and_masking_are_on_the_same_axes():
    data = firms(80).with_roles(town="confidential")
    swept = sweep(
        data, ["mdav", "gaussian-copula", "ipso-c"], measures=["attribute-inference", "il5", "il1s"], seeds=1, workers=1
    )
    found = {each.method: each.mean for each in swept.settings}
    for method in ("mdav", "ipso-c", "gaussian-copula"):
        assert {"attribute-inference", "il5"} <= set(found[method])
    assert "il1s" in found["mdav"] and "il1s" not in found["gaussian-copula"]
    assert swept.frontier("attribute-inference", "il5")


def test_swapping_whole_records_is_no_masking_but_swapping_their_keys_is():
    assert "another order" in plan(firms())[1]["record-swapping"]
    assert "record-swapping" not in plan(firms().with_roles(town="confidential"))[1]
    assert not only_reorders(find("masking", "rank-swapping").build(window=0.2), firms())


def test_a_method_that_fails_on_the_file_is_skipped_and_the_others_go_on():
    frame = polars.DataFrame({"x": [1.0, None, 3.0, 4.0, 5.0, 6.0], "y": [2.0, 1.0, 4.0, 3.0, 6.0, 5.0]})
    methods = ["v-mdav", "additive-noise"]
    result = sweep(Microdata.from_frame(frame), methods, measures=["il1s"], seeds=1, workers=1)
    assert {each.method for each in result.settings if not each.baseline} == {"additive-noise"}
    assert "missing" in result.skipped["v-mdav"]


def test_a_grid_is_read_from_toml_and_replaces_the_default_grid(tmp_path):
    path = tmp_path / "grid.toml"
    path.write_text("[grid.mdav]\ngroup_size = [4, 7]\n[grid.rank-swapping]\nwindow = 0.3\n", encoding="utf-8")
    recipes, _ = plan(firms(), grid=grid_from_toml(path))
    values = [next(iter(recipe.steps[0].masking.parameters().values())) for recipe in recipes]
    assert values == [4, 7, 0.3]
    path.write_text("steps = 1\n", encoding="utf-8")
    with pytest.raises(FileError, match=r"\[grid.mdav\]"):
        grid_from_toml(path)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"methods": ["mdva"]}, UnknownNameError, "did you mean 'mdav'"),
        ({"seeds": 0}, ParameterError, "1 or more"),
        ({"workers": 0}, ParameterError, "1 or more"),
        ({"grid": {"mdav": {"group_size": []}}}, ParameterError, "without values"),
        ({"grid": {"mdav": {"size": [3]}}}, ParameterError, "no parameter 'size'"),
        ({"methods": ["mdav"], "grid": {"pram": {"stay": [0.5]}}}, ParameterError, "not among the methods"),
        ({"methods": ["pram"]}, SdcError, "no method suits"),
        ({"measures": ["il4", "il4"]}, ParameterError, "twice"),
    ],
)
def test_a_wrong_sweep_names_the_cure(arguments, error, words):
    with pytest.raises(error, match=words):
        sweep(firms(), **({"measures": QUICK} | arguments))


def test_workers_are_limited_by_the_memory_that_is_free(monkeypatch):
    need = worker_pool.memory_of_a_worker(firms())
    monkeypatch.setattr(worker_pool, "free_memory", lambda: 3 * need)
    assert worker_pool.workers_that_fit(firms(), 8) == 3
    monkeypatch.setattr(worker_pool, "free_memory", lambda: need // 2)
    with pytest.raises(SdcError, match="sample of the records"):
        worker_pool.workers_that_fit(firms(), 1)


def test_covering_a_step_does_not_hide_it_from_an_informed_intruder():
    """Rounding after noise leaves the noise's law unreadable by the chain alone; the intruder reads it all the same."""
    experiment = Experiment(firms(), (InformedIntruder(),))
    chain = ["additive-noise:variance_share=0.05", "rounding:base=0.001"]
    alone = experiment.run(Trial.of(Recipe.of(chain[0]), 0)).point
    covered = experiment.run(Trial.of(Recipe.of(chain), 0)).point
    assert alone is not None and covered is not None
    assert covered.scores["informed-intruder"] >= alone.scores["informed-intruder"] - 0.05


def test_categories_are_seen_by_the_default_risks_and_losses():
    rng = np.random.default_rng(8)
    names = ("town", "work", "home")
    people = polars.DataFrame({name: rng.choice(list("abcdefgh"), 60) for name in names})
    data = Microdata.from_frame(people, roles=dict.fromkeys(names, "key"))
    swept = sweep(data, ["value-flip"], seeds=1, workers=1)
    risk, loss = swept.axes()
    assert (risk, loss) == ("informed-intruder", "structure-loss")
    untouched = next(each for each in swept.settings if each.label == "untouched")
    assert untouched.mean[loss] == 0
    assert untouched.mean[risk] == untouched.mean["ordinary-intruder"], "a baseline has no recipe"
    least = next(each for each in swept.settings if each.label == "value-flip(share=0.01)")
    assert least.mean[risk] > untouched.mean[risk] / 2 > 0.1


def test_a_kept_point_that_is_not_whole_is_made_again(tmp_path):
    experiment, trial = (
        Experiment(firms(), chosen_measures(QUICK, firms()), folder=tmp_path),
        Trial.of(Recipe.of("mdav"), 0),
    )
    made = experiment.run(trial)
    home = experiment.cache_path(trial)
    assert home is not None
    for text in ('{"other": 1}', "[1, 2]", '{"point": {"method": "mdav"}, "masked": "", "problem": ""}', "{"):
        home.write_text(text, encoding="utf-8")
        assert experiment.finished(trial) is None
    assert experiment.run(trial) == made
