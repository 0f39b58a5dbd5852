"""Runs the shards of a job as Ray tasks, and prints the result of each as JSON Lines.

    ray job submit -- python engines/ray/thresher_ray.py --job JOB [--thresher PATH]

If a task raises (75, a killed process) or its node is lost, Ray runs it again, up to four times in all. A shard that
can never work (65), or that has used up its tries, is printed with its message, and the others go on. Shards with a
receipt are not run again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ray

DONE, NEVER, AGAIN = 0, 65, 75
MOST_ATTEMPTS = 4
MESSAGE_CHARACTERS = 2000


class TryAgainError(Exception):
    """The shard may work if it is tried again."""


@ray.remote(num_cpus=1, max_retries=MOST_ATTEMPTS - 1, retry_exceptions=[TryAgainError])
def run_shard(job: str, row: int, thresher: str) -> dict[str, Any]:
    """Returns the receipt of a row of the manifest, or the reason why it can never have one."""
    words = [thresher, "shard", "run", job, "--index", str(row), "-j", "1", "--quiet"]
    ended = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    message = ended.stderr.decode("utf-8", "replace")[-MESSAGE_CHARACTERS:].strip()
    if ended.returncode == DONE:
        receipt: dict[str, Any] = json.loads(ended.stdout)
        return receipt
    if ended.returncode == NEVER:
        return {"index": row, "exit": NEVER, "message": message}
    raise TryAgainError(f"row {row} of {job} ended with {ended.returncode}: {message}")


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--job", required=True, help="the folder that `thresher shard plan` made, visible to all nodes")
    parser.add_argument("--thresher", default="thresher", help="the command on each node (default: the one on the PATH)")
    given = parser.parse_args(words)
    shards = json.loads((Path(given.job) / "job.json").read_text())["shards"]
    ray.init()
    waiting = {run_shard.remote(given.job, row, given.thresher): row for row in range(shards)}
    codes = []
    while waiting:
        (ready,), _ = ray.wait(list(waiting), num_returns=1)
        row = waiting.pop(ready)
        try:
            told = ray.get(ready)
        except ray.exceptions.RayError as error:
            told = {"index": row, "exit": AGAIN, "message": str(error)[-MESSAGE_CHARACTERS:]}
        codes.append(told.get("exit", DONE))
        print(json.dumps(told))
    print(f"thresher: {codes.count(DONE)} of {shards} shards are done", file=sys.stderr)
    return AGAIN if AGAIN in codes else NEVER if NEVER in codes else DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
