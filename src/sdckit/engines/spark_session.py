"""The Spark session of a run: the one that runs already or that `spark-submit` configured, else one on this machine.

One on this machine logs errors only, listens to this machine only, and keeps what it spills in the folder of the run.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

from sdckit.errors import SdcError

MASTER = "local[2,4]"  # two workers on this machine, four trials of a task
LOGGING = Path(__file__).with_name("spark_log4j2.properties")
NOISE = (b"WARNING: Using incubator modules",)  # of Java itself, whatever is to be logged
OPTIONS = "SPARK_SUBMIT_OPTS"
THIS_MACHINE = "127.0.0.1"
NEAR = (0.5, 1.1)  # times the memory that a session asks for: a Java that runs with so much serves it, too
_started_java: list[int] = []  # the memory, in MB, of the Java that this process started


def session(folder: Path, memory: int) -> tuple[Any, bool]:
    """A Spark session, and whether it is ours to stop."""
    try:
        from pyspark import SparkConf
        from pyspark.sql import SparkSession
    except ImportError:
        raise SdcError("the engine spark needs the package pyspark; install sdckit[spark]") from None
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    running = SparkSession.getActiveSession()
    if running is not None:
        return running, False
    settings = _settings(folder, memory)
    heap = _heap(memory)
    if _started_java and not NEAR[0] * heap <= _started_java[-1] <= NEAR[1] * heap:
        _end_java()
    conf = SparkConf().setAppName("sdckit")
    if _started_java or not conf.contains("spark.master"):  # Java that we started remembers the former settings
        for name, value in settings.items():
            conf.set(name, value)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Spark's own about pandas, which is not used here
            if conf.get("spark.master", "").startswith("local"):
                _start_java(conf, heap)
            started = SparkSession.builder.config(conf=conf).getOrCreate()
    except Exception as problem:  # the library raises its own, and plain ones where Java is missing
        raise SdcError(
            f"Spark did not start ({str(problem).splitlines()[0]}); it needs Java 17: install a JDK and set JAVA_HOME"
        ) from None
    started.sparkContext.setLogLevel("ERROR")
    return started, True


def end_session(started: Any) -> None:
    """End a session that is ours; where its Java is lost, forget it, so that a later session starts another."""
    from py4j.protocol import Py4JError
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    try:
        started.stop()
    except (Py4JError, ConnectionError):
        SparkSession._instantiatedSession = None
        SparkContext._active_spark_context = None
        _end_java()


def _settings(folder: Path, memory: int) -> dict[str, str]:
    """The settings of a session that nobody has configured."""
    master = os.environ.get("SDCKIT_SPARK_MASTER", MASTER)
    settings = {
        "spark.master": master,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "8",
        "spark.driver.memory": f"{_heap(memory)}m",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "spark.executorEnv.PYTHONWARNINGS": "ignore",
    }
    if master.startswith("local"):
        spill = folder.resolve() / "spill"
        spill.mkdir(mode=0o700, parents=True, exist_ok=True)
        settings |= {
            "spark.driver.host": THIS_MACHINE,
            "spark.driver.bindAddress": THIS_MACHINE,
            "spark.local.dir": str(spill),
        }
    return settings


def _heap(memory: int) -> int:
    """The memory of Java, in MB: half of that of the run."""
    return max(memory // 2**21, 512)


def _start_java(conf: Any, heap: int) -> None:
    """Start Java for a session on this machine, unless it runs already; the session finds it."""
    from pyspark import SparkContext
    from pyspark.java_gateway import launch_gateway

    if SparkContext._gateway is not None or "PYSPARK_GATEWAY_PORT" in os.environ:
        return
    with _logging_errors(), _without_noise() as stderr:
        SparkContext._ensure_initialized(gateway=launch_gateway(conf, {"stderr": stderr}), conf=conf)
    _started_java.append(heap)


def _end_java() -> None:
    """End the Java that this process started: its memory is fixed when it starts."""
    from py4j.protocol import Py4JError
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    if gateway is not None and SparkContext._active_spark_context is None:
        SparkContext._gateway = SparkContext._jvm = None
        with suppress(Py4JError, ConnectionError):  # it may be lost already
            gateway.shutdown()
        if gateway.proc is not None:  # as it is inside spark-submit
            gateway.proc.stdin.close()  # on which Java ends by itself
            gateway.proc.wait()


@contextmanager
def _logging_errors() -> Iterator[None]:
    """Tell Java meanwhile to log errors only, unless the user configured what is logged."""
    before = os.environ.get(OPTIONS)
    if "log4j2.configurationFile" not in (before or ""):
        os.environ[OPTIONS] = f"{before or ''} -Dlog4j2.configurationFile={LOGGING.as_uri()}".strip()
    try:
        yield
    finally:
        if before is None:
            del os.environ[OPTIONS]
        else:
            os.environ[OPTIONS] = before


@contextmanager
def _without_noise() -> Iterator[int]:
    """A file descriptor whose lines are passed on to stderr, but for those that no setting of Java silences."""
    reading, writing = os.pipe()

    def forward() -> None:
        with os.fdopen(reading, "rb") as lines:
            for line in lines:
                if not line.startswith(NOISE):
                    sys.stderr.write(line.decode(errors="replace"))
                    sys.stderr.flush()

    Thread(target=forward, daemon=True, name="stderr of Spark").start()
    try:
        yield writing
    finally:
        os.close(writing)
