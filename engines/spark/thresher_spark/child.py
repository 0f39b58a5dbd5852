"""Keeps one process of the command in each of Spark's Python workers, and sends pages again after it died."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from typing import Any

from thresher.client import Thresher, make
from thresher.command import find_command
from thresher.errors import CommandDiedError, CommandHungError
from thresher.results import Reject, Result

MOST_DEATHS = 3
"""If the process has ended this often at the same page, the page is rejected, because it would end the next process, too."""

_kept: dict[str, Thresher] = {}


def of_this_worker(given: dict[str, Any]) -> Thresher:
    """Returns the process with these options. It is kept for the next task, because Spark reuses workers."""
    key = repr(sorted(given.items(), key=lambda item: item[0]))
    if key not in _kept:
        _kept[key] = make({**given, "command": find_app() if given["command"] is None else given["command"]})
    return _kept[key]


def find_app() -> list[str]:
    """Returns the command in the archive `app`, which Spark has unpacked, or the one that the package finds."""
    from pyspark import SparkFiles

    # YARN unpacks archives into the working folder of the process; other cluster managers into the folder of SparkFiles.
    for folder in (SparkFiles.getRootDirectory(), os.getcwd()):
        command = os.path.join(folder, "app", "bin", "thresher")
        if os.path.isfile(command):
            return [command]
    return find_command()


def answer_all(thresher: Thresher, pages: Iterator[dict[str, Any]]) -> Iterator[Result]:
    """Yields one result for each page, in order, even if the process dies, or hangs and is killed."""
    unanswered: deque[dict[str, Any]] = deque()
    deaths = 0
    while True:
        to_send = deque(unanswered)
        unanswered.clear()
        try:
            for result in thresher.clean_many(_send(to_send, pages, unanswered)):
                unanswered.popleft()
                deaths = 0
                yield result
            return
        except (CommandDiedError, CommandHungError) as error:
            unanswered.extend(to_send)
            deaths += 1
            if deaths == MOST_DEATHS:
                deaths = 0
                yield _reject(unanswered.popleft(), error)


def _send(
    first: deque[dict[str, Any]], then: Iterator[dict[str, Any]], unanswered: deque[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    while first:
        unanswered.append(first.popleft())
        yield unanswered[-1]
    for page in then:
        unanswered.append(page)
        yield page


def _reject(page: dict[str, Any], error: Exception) -> Reject:
    url = str(page.get("url", ""))
    detail = f"the process ended {MOST_DEATHS} times in a row at this page: {str(error).splitlines()[0]}"
    return Reject(url or "page", url, "extract", "crashed", detail)
