"""Reads a folder of feature files, as `thresher features` writes them."""

import json
import os

import numpy as np


def mapped(path, kind):
    """Opens a file as an array. Several training processes share its memory."""
    return np.memmap(path, dtype=kind, mode="c") if os.path.getsize(path) else np.zeros(0, kind)


class Features:
    """The lines of one folder; bags are kept as flat bucket numbers with the end of each line's numbers."""

    def __init__(self, folder):
        with open(os.path.join(folder, "columns.json"), encoding="utf-8") as file:
            self.about = json.load(file)
        with open(os.path.join(folder, "documents.jsonl"), encoding="utf-8") as file:
            self.documents = [json.loads(line) for line in file]
        columns = len(self.about["columns"])
        read = lambda name, kind: mapped(os.path.join(folder, name), kind)
        self.hand = read("features.f32", "<f4").reshape(-1, columns)
        self.labels = np.array(read("labels.u8", "u1"))
        levels = self.about.get("groups", [])
        self.groups = read("groups.i32", "<i4").reshape(-1, len(levels)) if levels else None
        self.bags = []
        for name in self.about["bags"]:
            ends = read(f"{name}.ends.u32", "<u4").astype(np.int64)
            self.bags.append((read(f"{name}.u16", "<u2"), np.concatenate([[0], ends])))
        assert len(self.hand) == len(self.labels) == sum(d["lines"] for d in self.documents)

    def bag(self, which, lines):
        """Returns the bucket numbers of these lines one after the other, and how many each line has."""
        numbers, ends = self.bags[which]
        starts = ends[lines]
        counts = ends[lines + 1] - starts
        total = int(counts.sum())
        before = np.cumsum(counts) - counts
        at = np.arange(total) - np.repeat(before - starts, counts)
        return numbers[at].astype(np.int64), counts

    def pieces(self, lines):
        """Returns the numbers of these lines' word pieces one after the other, and how many each line has; none if the files have none."""
        if "pieces" not in self.about["bags"]:
            return np.zeros(0, np.int64), np.zeros(len(lines), np.int64)
        return self.bag(self.about["bags"].index("pieces"), lines)
