"""Turns a folder of page features, and prepare_pages.py's description of its documents, into batches of segments."""

import math
import os
from collections import namedtuple

import numpy as np

from common.features import Features
from common.gold import read_by_id
from page.page_types import PAGE_TYPES

# The bags of a line's text, and the first column of its place; all other bags and all later columns describe the page.
TEXT_BAGS = ("words", "shapes")
FIRST_PLACE = "in-article"
UNKNOWN = -1
# The value for unlabelled lines in the feature files.
NO_LABEL = 255
# The most windows of a long page in an epoch, so that it does not weigh as much as a hundred pages.
MOST_WINDOWS = 3
# Segments of similar length are padded together; they are sorted within groups of this many.
POOL = 64

# `document` is the made or unchanged page that the lines come from.
Segment = namedtuple("Segment", "document start size")


class Pages(Features):
    """Reads features with fold, variant, base and use of each document."""

    def __init__(self, folder):
        super().__init__(folder)
        abouts = read_by_id(os.path.normpath(folder) + ".about.jsonl")
        for document in self.documents:
            document.update(abouts[document["id"]])
        self.letters = np.expm1(self.hand[:, 0])
        self.first_place = self.about["columns"].index(FIRST_PLACE)
        assert self.about["bags"][: len(TEXT_BAGS)] == list(TEXT_BAGS)

    def training(self, held_out):
        """Returns the unchanged pages that may be used for training when these folds are held out."""
        plain = (one for one in self.documents if one["variant"] == "base" and one["trains"])
        return [one for one in plain if not held_out & {one["fold"], *one["nearFolds"]}]

    def held_out(self, held_out):
        """Returns the pages of these folds unchanged, emptied and shortened, because few real pages have no or little main content."""
        of_folds = [one for one in self.documents if one["fold"] in held_out]
        return [one for one in of_folds if one["variant"] in ("base", "empty", "short")]

    def variants(self):
        """Maps the id of a page to its documents by variant."""
        found = {}
        for document in self.documents:
            found.setdefault(document["base"], {})[document["variant"]] = document
        return found


def segments_of_epoch(training, variants, settings, rng):
    """Returns each page as often as its corpus says, each time unchanged or as one of its variants; long pages as a few windows."""
    segments = []
    shares = settings["variants"]
    longest = settings["segment"]
    for page in training:
        times = settings["corpora"][page["source"]]
        for _ in range(int(times) + (rng.random() < times % 1)):
            made = [name for name in shares if name in variants[page["base"]]]
            chance = np.array([shares[name] for name in made])
            document = variants[page["base"]][made[rng.choice(len(made), p=chance / chance.sum())]]
            start, lines = document["start"], document["lines"]
            if lines <= 1.5 * longest:
                segments.append(Segment(document, start, lines))
                continue
            for _ in range(min(MOST_WINDOWS, math.ceil(lines / longest))):
                segments.append(Segment(document, start + int(rng.integers(0, lines - longest + 1)), longest))
    return [segments[at] for at in rng.permutation(len(segments))]


def batches_of_like(segments, lines_a_batch):
    batch, lines = [], 0
    for pool in range(0, len(segments), POOL):
        for segment in sorted(segments[pool : pool + POOL], key=lambda one: one.size):
            batch.append(segment)
            lines += segment.size
            if lines >= lines_a_batch:
                yield batch
                batch, lines = [], 0
    if batch:
        yield batch


def page_targets(pages, segment):
    """Returns whether the page has main content (1 or 0), and its type; UNKNOWN if the segment does not show it."""
    document = segment.document
    labels = pages.labels[segment.start : segment.start + segment.size]
    has_content = bool((labels == 1).any())
    is_known = has_content or (segment.size == document["lines"] and NO_LABEL not in labels)
    content = int(has_content) if is_known else UNKNOWN
    page_type = document.get("pageType")
    return content, PAGE_TYPES.index(page_type) if has_content and page_type in PAGE_TYPES else UNKNOWN
