"""Writes a gold folder with a few documents of each file, to try the trainers from beginning to end.

    python3 -m common.small_gold GOLD OUT LIMIT

They are spread evenly over the file, so that each of its languages has some. Pages longer than LONGEST are left out to save time.
"""

import gzip
import os
import shutil
import sys

LONGEST = 200_000


def small_file(source, target, limit):
    with gzip.open(source, "rt", encoding="utf-8") as file:
        lines = [line for line in file if len(line) <= LONGEST]
    step = max(1.0, len(lines) / limit)
    with gzip.open(target, "wt", encoding="utf-8", compresslevel=1) as out:
        out.writelines(lines[int(at * step)] for at in range(min(limit, len(lines))))


def small_gold(gold, out, limit):
    for folder, _, names in os.walk(gold):
        target = os.path.join(out, os.path.relpath(folder, gold))
        os.makedirs(target, exist_ok=True)
        for name in names:
            if name.endswith(".jsonl.gz"):
                small_file(os.path.join(folder, name), os.path.join(target, name), limit)
            else:
                shutil.copyfile(os.path.join(folder, name), os.path.join(target, name))


if __name__ == "__main__":
    if len(sys.argv) != 4 or int(sys.argv[3]) < 1:
        raise SystemExit(__doc__)
    if not os.path.isdir(sys.argv[1]):
        raise SystemExit(f"{sys.argv[1]} is no folder")
    small_gold(sys.argv[1], sys.argv[2], int(sys.argv[3]))
