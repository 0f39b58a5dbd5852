"""Turns the output of boilernet_lines.js into the two inputs of BoilerNet's networks: counts of tags, and a vector of each line's text."""

import gzip
import json
from collections import Counter, namedtuple

import numpy as np

MOST_TAGS = 50
MOST_WORDS = 1000
# How many lines of a page a network sees at once, in training and in use; longer pages are cut.
LONGEST = 512

# `vectors`: those of the encoder, in the order of the lines. `tags`: counts by name.
Page = namedtuple("Page", "id source fold digest labels tags depths words vectors")
Batch = namedtuple("Batch", "tags text labels depths sizes")


def read_pages(path):
    """Reads the pages of PATH.jsonl.gz with their vectors, and PATH.json's description of the vectors."""
    with open(f"{path}.json", encoding="utf-8") as file:
        about = json.load(file)
    vectors = np.fromfile(f"{path}.f32", dtype="<f4").reshape(-1, about["width"])
    pages, start = [], 0
    with gzip.open(f"{path}.jsonl.gz", "rt", encoding="utf-8") as file:
        for one in map(json.loads, file):
            count = len(one["labels"])
            lines = np.asarray(one["labels"], dtype=np.int64), one["tags"], np.asarray(one["depths"], dtype=np.float32)
            pages.append(Page(one["id"], one["source"], one.get("fold"), one.get("digest"), *lines, one["words"], vectors[start : start + count]))
            start += count
    assert start == len(vectors)
    return pages, about


def most_frequent(counter, most):
    """Ties are broken by name, so that the same pages give the same list."""
    return [name for name, _ in sorted(counter.items(), key=lambda one: (-one[1], one[0]))[:most]]


def known_tags(pages):
    counter = Counter()
    for page in pages:
        for tags in page.tags:
            counter.update(tags)
    return most_frequent(counter, MOST_TAGS)


def known_words(pages):
    counter = Counter()
    for page in pages:
        for words in page.words:
            counter.update(words.split(" "))
    counter.pop("", None)
    return most_frequent(counter, MOST_WORDS)


def count_tags(page, tags):
    place = {name: at for at, name in enumerate(tags)}
    values = np.zeros((len(page.labels), len(tags) + 1), dtype=np.float32)
    for line, counts in enumerate(page.tags):
        for name, count in counts.items():
            values[line, place.get(name, len(tags))] += count
    return values


def count_words(page, words):
    place = {name: at for at, name in enumerate(words)}
    values = np.zeros((len(page.labels), len(words) + 1), dtype=np.float32)
    for line, text in enumerate(page.words):
        for word in text.split(" ") if text else ():
            values[line, place.get(word, len(words))] += 1
    return values


class Inputs:
    """Makes the inputs of pages; `words` is None if the text's vectors come from the encoder."""

    def __init__(self, tags, words):
        self.tags, self.words = tags, words
        self.known = {}

    def of(self, page):
        """Returns tags and text of all lines, and keeps them, because each epoch needs them. Counts are small numbers, so half precision is enough."""
        if page.id not in self.known:
            text = page.vectors if self.words is None else count_words(page, self.words).astype(np.float16)
            self.known[page.id] = (count_tags(page, self.tags), text)
        tags, text = self.known[page.id]
        return tags, text.astype(np.float32)


def cut(pages, longest):
    """(page, first line, lines) of segments of similar length."""
    segments = []
    for page in pages:
        count = len(page.labels)
        parts = -(-count // longest)
        edges = [count * part // parts for part in range(parts + 1)]
        segments += [(page, start, end - start) for start, end in zip(edges, edges[1:])]
    return segments


def batch_of(segments, inputs):
    tags, text, labels, depths, sizes = [], [], [], [], []
    for page, start, size in segments:
        of_tags, of_text = inputs.of(page)
        lines = slice(start, start + size)
        tags.append(of_tags[lines])
        text.append(of_text[lines])
        labels.append(page.labels[lines])
        depths.append(page.depths[lines])
        sizes.append(size)
    return Batch(*(np.concatenate(one) for one in (tags, text, labels, depths)), sizes)
