"""Turns a folder of feature files (written by `thresher features`) into batches of segments."""

import json
import os

import numpy as np


class Features:
    """The lines of one folder; bags are kept as flat bucket numbers with the end of each line's numbers."""

    def __init__(self, folder):
        with open(os.path.join(folder, "columns.json"), encoding="utf-8") as file:
            self.about = json.load(file)
        with open(os.path.join(folder, "documents.jsonl"), encoding="utf-8") as file:
            self.documents = [json.loads(line) for line in file]
        columns = len(self.about["columns"])
        read = lambda name, kind: np.fromfile(os.path.join(folder, name), dtype=kind)
        self.hand = read("features.f32", "<f4").reshape(-1, columns)
        self.labels = read("labels.u8", "u1")
        self.bags = []
        for name in self.about["bags"]:
            ends = read(f"{name}.ends.u32", "<u4").astype(np.int64)
            self.bags.append((read(f"{name}.u16", "<u2"), np.concatenate([[0], ends])))
        assert len(self.hand) == len(self.labels) == sum(d["lines"] for d in self.documents)

    def bag(self, which, lines):
        """Bucket numbers of these lines one after the other, and how many each line has."""
        numbers, ends = self.bags[which]
        starts = ends[lines]
        counts = ends[lines + 1] - starts
        total = int(counts.sum())
        before = np.cumsum(counts) - counts
        at = np.arange(total) - np.repeat(before - starts, counts)
        return numbers[at].astype(np.int64), counts

    def by_source(self):
        groups = {}
        for document in self.documents:
            groups.setdefault(document["source"], []).append(document)
        return groups


def segments_of_epoch(features, plan, rng):
    """Segments (start, lines, weight, convention) of one epoch: every document of a group once, or as many lines as the plan says."""
    segments = []
    conventions = plan["conventions"]
    for source, documents in features.by_source().items():
        wanted = plan["lines"].get(source, 0)
        if wanted == 0:
            continue
        weights = language_weights(documents) if source.startswith("turku-tq") else {}
        convention = conventions.index(source.split("+")[0])
        if wanted == "all":
            for document in documents:
                pieces = cut(document, plan["segment"], rng)
                segments += [(*piece, weights.get(document["lang"], 1.0), convention) for piece in pieces]
            continue
        # Long pages are seen more often than short ones, but not in proportion.
        chance = np.sqrt([document["lines"] for document in documents])
        chance /= chance.sum()
        lines = 0
        while lines < wanted:
            document = documents[rng.choice(len(documents), p=chance)]
            size = min(document["lines"], int(rng.integers(plan["segment"] // 2, 2 * plan["segment"])))
            offset = int(rng.integers(0, document["lines"] - size + 1))
            segments.append((document["start"] + offset, size, weights.get(document["lang"], 1.0), convention))
            lines += size
    rng.shuffle(segments)
    return [(int(start), int(size), float(weight), int(convention)) for start, size, weight, convention in segments]


def language_weights(documents):
    lines = {}
    for document in documents:
        lines[document["lang"]] = lines.get(document["lang"], 0) + document["lines"]
    weights = {lang: count**-0.5 for lang, count in lines.items()}
    mean = sum(weights[lang] * count for lang, count in lines.items()) / sum(lines.values())
    return {lang: weight / mean for lang, weight in weights.items()}


def cut(document, segment, rng):
    """The whole document in segments, the first one of random length so that the cuts fall elsewhere each epoch."""
    start, end = document["start"], document["start"] + document["lines"]
    if document["lines"] <= segment:
        return [(start, end - start)]
    cuts = list(range(start + int(rng.integers(segment // 4, segment)), end, segment))
    edges = [start, *cuts, end]
    return [(a, b - a) for a, b in zip(edges, edges[1:]) if b > a]


def batches(segments, lines_a_batch):
    batch, lines = [], 0
    for segment in segments:
        batch.append(segment)
        lines += segment[1]
        if lines >= lines_a_batch:
            yield batch
            batch, lines = [], 0
    if batch:
        yield batch
