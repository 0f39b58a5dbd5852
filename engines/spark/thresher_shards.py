"""Runs the shards of a job as tasks of Spark, and writes their receipts as one Parquet table.

    spark-submit --archives app-<digest>.tar.gz#app engines/spark/thresher_shards.py --job JOB

Each task runs `thresher shard run JOB --index N` in its own process, so documents do not pass through the JVM. If a
shard says "try again" (75), or its process was killed, its task fails, and Spark runs it again, if possible on another
executor. A shard that can never work (65), or that has failed in its last attempt, is recorded, and the others go on.
Two attempts at once are harmless, so speculation is on. Shards with a receipt are not run again, so the same command
continues a job that has stopped.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyspark import SparkConf, SparkFiles, TaskContext
from pyspark.sql import SparkSession

DONE, WRONG_USAGE, NEVER, AGAIN = 0, 2, 65, 75
MESSAGE_CHARACTERS = 2000
"""How many characters at the end of a failed shard's messages are kept."""
PR_SET_PDEATHSIG = 1

COLUMNS = (
    "row INT, status STRING, exit INT, attempt INT, host STRING, seconds DOUBLE, shard STRING, documents_in BIGINT, "
    "documents_out BIGINT, rejected BIGINT, bytes_in BIGINT, bytes_out BIGINT, sha256 STRING, receipt STRING, message STRING"
)
"""The columns of the report. `status` is done, never or failed; columns from the receipt are null if there is none."""
_FROM_RECEIPT = ("shard", "in", "out", "rejected", "bytesIn", "bytesOut", "sha256")


def find_thresher(given: str | None) -> str:
    """Returns the given command, the one in the archive `app`, or the one on the PATH."""
    if given is not None:
        return given
    # YARN unpacks archives into the working folder of the process; other cluster managers into the folder of SparkFiles.
    for folder in (os.path.join(SparkFiles.getRootDirectory(), "app"), os.path.abspath("app")):
        command = os.path.join(folder, "bin", "thresher")
        if os.path.isfile(command):
            return command
    found = shutil.which("thresher")
    if found is None:
        raise FileNotFoundError(
            "there is no thresher command: give --archives app-<digest>.tar.gz#app, made by engines/pack-app.js, "
            "or --thresher PATH"
        )
    return found


def run_shard(job: str, row: int, thresher: str | None, most_attempts: int) -> tuple[Any, ...]:
    """Runs one row of the manifest, and returns a row of the report. Raises if Spark should try again."""
    context = TaskContext.get()
    attempt = 0 if context is None else context.attemptNumber()
    name = "spark" if context is None else f"spark-{context.taskAttemptId()}-{attempt}"
    workers = "1" if context is None else str(context.cpus())
    start = time.monotonic()
    ended = subprocess.run(
        [find_thresher(thresher), "shard", "run", job, "--index", str(row), "--attempt", name, "-j", workers, "--quiet"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        preexec_fn=_end_with_parent,
        check=False,
    )
    where = (attempt, socket.gethostname(), time.monotonic() - start)
    message = ended.stderr.decode("utf-8", "replace")[-MESSAGE_CHARACTERS:].strip()
    code = ended.returncode
    if code == DONE:
        line = ended.stdout.decode().strip()
        receipt = json.loads(line)
        return (row, "done", code, *where, *(receipt[name] for name in _FROM_RECEIPT), line, None)
    # Wrong usage fails in each attempt, and for each shard.
    if code == NEVER or (code != WRONG_USAGE and attempt + 1 >= most_attempts):
        status = "never" if code == NEVER else "failed"
        return (row, status, code, *where, *(None for _ in _FROM_RECEIPT), None, message)
    raise RuntimeError(f"row {row} of {job} ended with {code}: {message}")


def _end_with_parent() -> None:
    """Spark kills the Python process of a task that it gives up. Its shard must end, too, instead of running on unnoticed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def count_shards(job: str, thresher: str | None) -> int:
    """Asks the command, which knows where jobs can be stored."""
    words = [find_thresher(thresher), "shard", "status", job, "--json"]
    asked = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
    if not asked.stdout:
        sys.exit(asked.returncode or 1)  # the command has printed the reason
    return int(json.loads(asked.stdout)["shards"])


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--job", required=True, help="folder or prefix made by `thresher shard plan`, visible to all nodes")
    parser.add_argument("--report", help="where to write the Parquet report (default: JOB/report.parquet)")
    parser.add_argument("--thresher", help="the command on each node (default: the one in the archive `app`, or on the PATH)")
    given = parser.parse_args(words)
    job: str = given.job
    conf = SparkConf().setIfMissing("spark.app.name", "thresher-shards").setIfMissing("spark.speculation", "true")
    spark = SparkSession.builder.config(conf=conf).getOrCreate()
    context = spark.sparkContext
    most_attempts = int(context.getConf().get("spark.task.maxFailures", "4"))
    thresher: str | None = given.thresher

    rows = range(count_shards(job, thresher))
    tasks = context.parallelize(rows, max(1, len(rows)))
    results = tasks.map(lambda row: run_shard(job, row, thresher, most_attempts)).collect()
    report = given.report or f"{job if '://' in job else Path(job).resolve().as_uri()}/report.parquet"
    spark.createDataFrame(results, COLUMNS).coalesce(1).write.mode("overwrite").parquet(report)
    wrong = [result for result in results if result[1] != "done"]
    print(f"thresher: {len(results) - len(wrong)} of {len(results)} shards are done; report in {report}", file=sys.stderr)
    for row, status, code, *_, message in wrong:
        print(f"thresher: row {row}: {status}, exit code {code}: {message}", file=sys.stderr)
    spark.stop()
    if not wrong:
        return DONE
    return NEVER if all(result[1] == "never" for result in wrong) else AGAIN


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
