"""Tests `thresher_spark` on a real Spark: a master and two executors in separate processes."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import unittest
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = [str(ROOT / "engines" / "spark"), str(ROOT / "python" / "src")]
sys.path[:0] = PACKAGES

import thresher  # noqa: E402
import thresher_spark  # noqa: E402
from pyspark.sql import DataFrame, SparkSession  # noqa: E402
from thresher_spark.child import MOST_DEATHS, answer_all  # noqa: E402

ODD = str(ROOT / "python" / "tests" / "odd_command.js")
PAGES = sorted((ROOT / "fixtures" / "pages").glob("*/source.html"))
ROWS = 300
MARK = "THRESHER_TEST"
WAIT_SECONDS = 120.0
START_CPU_SECONDS = 0.6


def page_of(number: int) -> bytes:
    """Makes a different page for each row; a few cannot become text, and some of these still have a title."""
    if number % 50 == 49:
        return b"<title>The ferry</title>" if number % 100 == 99 else b""
    own = f"<p>Ferry number {number} crossed the bay twice a day, for forty years, in all weathers.</p>"
    return PAGES[number % len(PAGES)].read_bytes() + own.encode()


def read_proc(pid: int, name: str) -> bytes:
    try:
        return (Path("/proc") / str(pid) / name).read_bytes()
    except OSError:
        return b""  # it has ended


def processes(*words: str) -> list[int]:
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    lines = {pid: read_proc(pid, "cmdline").replace(b"\0", b" ").decode("utf-8", "replace") for pid in pids}
    return [pid for pid, line in lines.items() if all(word in line for word in words)]


def kill_when(find: Callable[[], list[int]], killed: list[int]) -> threading.Thread:
    """Kills the first process that it finds, as soon as there is one."""

    def work() -> None:
        end = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < end:
            for pid in find()[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
                return
            time.sleep(0.05)

    thread = threading.Thread(target=work)
    thread.start()
    return thread


class DataFrameTest(unittest.TestCase):
    spark: SparkSession
    mark: str
    pages: DataFrame
    expected: list[tuple[Any, ...]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.mark = uuid.uuid4().hex
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.speculation", "true").config("spark.executorEnv." + MARK, cls.mark)
        builder = builder.config("spark.executor.extraJavaOptions", f"-D{MARK}={cls.mark}")
        cls.spark = builder.config("spark.executorEnv.PYTHONPATH", os.pathsep.join(PACKAGES)).getOrCreate()
        cls.spark.sparkContext.setLogLevel("OFF")
        rows = [(number, f"https://example.org/{number}", page_of(number)) for number in range(ROWS)]
        frame = cls.spark.createDataFrame(rows, "number INT, url STRING, html BINARY")
        cls.pages = frame.repartition(4, "number").cache()
        cls.pages.count()
        with thresher.Thresher(jobs=1) as one:
            results = one.clean_many({"bytes": page, "url": url} for _, url, page in rows)
            cls.expected = [told(number, result) for number, result in enumerate(results)]

    @classmethod
    def tearDownClass(cls) -> None:
        cls.spark.stop()

    def clean(self) -> list[tuple[Any, ...]]:
        cleaned = thresher_spark.clean(self.pages, patience=WAIT_SECONDS)
        self.assertEqual(cleaned.columns, ["number", "url", "clean"])
        rows = cleaned.select("number", "clean.text", "clean.words", "clean.reason", "clean.meta").collect()
        return sorted(tuple(row) for row in rows)

    def test_gives_each_row_what_one_process_would(self) -> None:
        self.assertEqual(self.clean(), self.expected)
        rejected = [json.loads(meta or "{}") for *_, reason, meta in self.expected if reason is not None]
        self.assertEqual(rejected, [{}, {"title": "The ferry"}] * (ROWS // 100))
        batch = self.spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch")
        self.assertEqual(batch, str(thresher_spark.BATCH_ROWS))

    def test_loses_no_row_where_a_child_or_an_executor_is_killed(self) -> None:
        killed: list[int] = []
        child = kill_when(lambda: [pid for pid in self.children() if is_busy(pid)], killed)
        self.assertEqual(self.clean(), self.expected)
        child.join()
        executor = kill_when(lambda: processes("CoarseGrainedExecutorBackend", self.mark), killed)
        self.assertEqual(self.clean(), self.expected)
        executor.join()
        self.assertEqual(len(killed), 2)

    def children(self) -> list[int]:
        """Returns the processes of the command below our executors, which have our mark in their environment."""
        found = processes("thresher.js clean - --from=jsonl", "--jobs=1")
        return [pid for pid in found if f"{MARK}={self.mark}".encode() in read_proc(pid, "environ").split(b"\0")]

    def test_says_on_the_driver_what_cannot_work(self) -> None:
        with self.assertRaisesRegex(ValueError, "no column 'page', only number, url, html"):
            thresher_spark.clean(self.pages, "page")
        with self.assertRaisesRegex(ValueError, "two columns would have the same name"):
            thresher_spark.clean(self.pages, into="url")
        with self.assertRaisesRegex(thresher.OptionError, "rejects come back as results"):
            thresher_spark.clean(self.pages, rejects="rejects.jsonl")


class DeathTest(unittest.TestCase):
    def test_rejects_the_page_that_ends_the_process_again_and_again(self) -> None:
        script = "lines((line) => { if (line.includes('deadly')) process.kill(process.pid, 'SIGKILL'); "
        script += "else console.log(answer(line)); })"
        pages = [{"html": f"page {number}", "url": f"u{number}"} for number in range(300)]
        pages[100] = {"html": "deadly", "url": "u100"}
        with mock.patch.dict(os.environ, {"ODD": script}), thresher.Thresher(command=ODD) as odd:
            results = list(answer_all(odd, iter(pages)))
        self.assertEqual([result.id for result in results], [page["url"] for page in pages])
        self.assertEqual([result.reason for result in results if result.id == "u100"], ["crashed"])
        self.assertIn(f"ended {MOST_DEATHS} times", results[100].detail)
        self.assertEqual({result.reason for result in results if result.id != "u100"}, {"empty"})

    def test_passes_on_what_the_pages_raise(self) -> None:
        def pages() -> Iterator[dict[str, Any]]:
            yield {"html": "one"}
            raise ZeroDivisionError

        answers = mock.patch.dict(os.environ, {"ODD": "lines((line) => console.log(answer(line)))"})
        with answers, thresher.Thresher(command=ODD) as odd, self.assertRaises(ZeroDivisionError):
            list(answer_all(odd, pages()))


def told(number: int, result: thresher.Result) -> tuple[Any, ...]:
    meta = json.dumps(result.meta, ensure_ascii=False) if result.meta else None
    if isinstance(result, thresher.Reject):
        return (number, None, None, result.reason, meta)
    return (number, result.text, result.words, None, meta)


def is_busy(pid: int) -> bool:
    """Whether it has used more CPU time than it needs to start."""
    fields = read_proc(pid, "stat").rpartition(b")")[2].split()
    return len(fields) > 12 and (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") > START_CPU_SECONDS


if __name__ == "__main__":
    unittest.main()
