"""Measures `thresher.clean_many` beside the command on the same pages, in turns: `PYTHONPATH=python/src python3
bench/lab/serve/clean_many.py [TURNS]`. The start of both is no part of it: what a few pages take is subtracted."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import thresher

COPIES = 12
JOBS = 1
PAGES = [
    {"id": path.parent.name, "html": path.read_text(encoding="utf-8", errors="replace")}
    for path in sorted(Path("fixtures/pages").glob("*/source.html"))
]


def time_command(pages: list[dict[str, str]], folder: Path) -> float:
    file = folder / "pages.jsonl"
    file.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    start = time.perf_counter()
    flags = ["clean", str(file), "--to=jsonl", "--rejects=-", "--quiet", f"-j{JOBS}"]
    ran = subprocess.run([*thresher.find_command(), *flags], check=True, stdout=subprocess.PIPE)
    seconds = time.perf_counter() - start
    assert ran.stdout.count(b"\n") == len(pages)
    return seconds


def time_package(pages: list[dict[str, str]]) -> float:
    start = time.perf_counter()
    with thresher.Thresher(jobs=JOBS) as one:
        assert sum(1 for _ in one.clean_many(pages)) == len(pages)
    return time.perf_counter() - start


def main(turns: int) -> None:
    many = PAGES * (COPIES + 1)
    ratios = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for turn in range(turns):
            command = time_command(many, folder) - time_command(PAGES, folder)
            package = time_package(many) - time_package(PAGES)
            ratios.append(command / package)
            rates = [len(PAGES) * COPIES / seconds for seconds in (command, package)]
            print(f"turn {turn + 1}: command {rates[0]:.0f}, clean_many {rates[1]:.0f} pages/s, {ratios[-1]:.0%}")
    print(f"median: clean_many does {statistics.median(ratios):.0%} of the command's pages a second, -j {JOBS}")


main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
