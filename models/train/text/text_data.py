"""Turns a folder of text features, and prepare_text.py's description of its documents, into batches of segments."""

import hashlib
import os
from collections import namedtuple

import numpy as np

from common.features import Features
from common.gold import read
from text.markup import KINDS

CONDITIONS = ("raw", "extracted", "crawl")
# Crawled text follows the first corpus's guideline; raw and extracted pages follow PAGE_CORPORA.
LABELLED = ("turku-tq", "wcxb", "waddle-ru", "waddle-zh", "cleaneval", "mbn-cleaneval", "mbn-googletrends", "harvest", "rkrzr", "mercury", "atf", "recipes", "juriscraper", "mirrors")
UNLABELLED_SETS = ("formasaurus", "webstruct", "autopager", "city-scrapers", "htmldate")
CORPORA = (*LABELLED, *UNLABELLED_SETS)
UNKNOWN = -1
# The value for unknown labels in the feature files.
UNLABELLED = 255
# Folds 1 to 4 are for training; fold 0 of the pages is dev.
TRAINING_FOLDS = 4
# The fold of documents in no fold, because nothing is measured on them.
NO_FOLD = -1
# Rows of a learned encoder of letters, by its kind: letters share rows, as n-grams share rows of the table.
LETTER_ROWS = {"bytes": 256, "letters": 4096}
# Segments of similar length are padded together; they are sorted within groups of this many.
POOL = 128

Segment = namedtuple("Segment", "document start size")


class Texts(Features):
    """Reads features with corpus, condition, variant and fold of each document; markup and the teacher's logit of each line."""

    def __init__(self, folder, vectors=None):
        """`vectors`: a file of pretrained vectors of the pieces, for training."""
        super().__init__(folder)
        self.vectors = None if vectors is None else np.load(vectors).astype(np.float32)
        self.markup = np.full(len(self.labels), UNKNOWN, np.int16)
        self.teacher = np.full(len(self.labels), np.nan, np.float32)
        abouts = list(read(os.path.normpath(folder) + ".about.jsonl"))
        assert [one["id"] for one in abouts] == [one["id"] for one in self.documents], "features and abouts differ"
        for document, about in zip(self.documents, abouts):
            at = slice(document["start"], document["start"] + document["lines"])
            for key, values, missing in (("markup", self.markup, UNKNOWN), ("teacher", self.teacher, np.nan)):
                known = about.pop(key)
                assert known is None or len(known) == document["lines"], document["id"]
                if known is not None:
                    values[at] = [missing if one is None else one for one in known]
            document.update(about)

    def teach(self, paths):
        """Takes a teacher's logits of lines from files of teach.py, by the documents' ids. Returns how many documents have them."""
        known = 0
        for path in paths:
            said = np.load(path)
            starts = np.concatenate([[0], said["ends"][:-1]])
            by_id = {name: said["logits"][start:end] for name, start, end in zip(said["ids"].tolist(), starts, said["ends"])}
            for document in self.documents:
                logits = by_id.get(document["id"])
                if logits is not None:
                    assert len(logits) == document["lines"], f"{path} has {len(logits)} lines of {document['id']}, not {document['lines']}"
                    self.teacher[document["start"] : document["start"] + document["lines"]] = logits
                    known += 1
        return known

    def read_letters(self, path, kind, length):
        """Reads the first bytes or letters of each line, from the documents of the features."""
        self.letters = np.zeros((len(self.labels), length), np.uint16)
        at = 0
        for document in read(path):
            for line in document["lines"]:
                self.letters[at] = first_letters(line["text"], kind, length)
                at += 1
        assert at == len(self.labels), f"{path} has {at} lines, the features have {len(self.labels)}"

    def markup_bits(self, lines):
        """Returns [lines, kinds] of 0 and 1, and which lines have answers."""
        markup = self.markup[lines].astype(np.int64)
        return ((markup[:, None] >> np.arange(len(KINDS))) & 1).astype(np.float32), markup != UNKNOWN

    def documents_by_source(self, settings):
        """Returns documents for training, by corpus and variant. Those without a share in the recipe are ignored."""
        found = {}
        for document in self.documents:
            if share_of(document["source"], settings) == 0:
                continue
            # Only a language's labelled texts are left out; an unlabelled language also has unlabelled texts.
            is_unseen = document["variant"] != "unlabelled" and {document["lang"], document["base_lang"]} & set(settings["without_languages"])
            is_left_out = document["corpus"] in settings["without_corpora"] or fold_of_text(document) in settings.get("without_folds", [])
            if is_unseen or is_left_out or not is_in_share(document, settings["share"]):
                continue
            found.setdefault(document["source"], []).append(document)
        return found


def first_letters(text, kind, length):
    numbers = text.encode("utf-8", "replace") if kind == "bytes" else [ord(letter) % LETTER_ROWS[kind] for letter in text[:length]]
    return np.array([*numbers[:length], *[0] * (length - len(numbers))], np.uint16)


def base_of(document):
    return document["id"].split("+")[0]


def number_of(document):
    return int(hashlib.md5(base_of(document).encode()).hexdigest(), 16)


def fold_by_id(document):
    """Returns the fold of a text without a site."""
    return number_of(document) % TRAINING_FOLDS + 1


def fold_of_text(document):
    """Returns the fold of a page's site, so that everything made from a page is in one fold."""
    fold = document["fold"]
    return fold if isinstance(fold, int) else fold_by_id(document)


def is_in_share(document, share):
    return number_of(document) % 1000 < 1000 * share


def share_of(source, settings):
    """Returns the shares of a corpus's lines in an epoch."""
    return settings["variants"].get(source, settings["variants"].get(source.split("+")[1], 0))


def language_weights(documents):
    """Gives languages with few lines more weight, by the root of their lines."""
    lines = {}
    for document in documents:
        lines[document["lang"]] = lines.get(document["lang"], 0) + document["lines"]
    weights = {lang: count**-0.5 for lang, count in lines.items()}
    mean = sum(weights[lang] * count for lang, count in lines.items()) / max(1, sum(lines.values()))
    return {lang: weight / mean for lang, weight in weights.items()}


def segments_of_epoch(groups, settings, rng):
    """Draws from each group as many lines as `lines` has for its corpus, times the share in `variants` for it or its variant; long documents in parts."""
    segments = []
    for name, documents in groups.items():
        wanted = settings["lines"][name.split("+")[0]] * share_of(name, settings) * settings["part"]
        # Long documents are drawn more often than short ones, but not in proportion.
        chance = np.sqrt([document["lines"] for document in documents])
        chance /= chance.sum()
        lines = 0
        while lines < wanted:
            document = documents[rng.choice(len(documents), p=chance)]
            size = min(document["lines"], int(rng.integers(settings["segment"] // 2, 2 * settings["segment"])))
            offset = int(rng.integers(0, document["lines"] - size + 1))
            segments.append(Segment(document, document["start"] + offset, size))
            lines += size
    order = rng.permutation(len(segments))
    return [segments[at] for at in order]


def batches_of_like(segments, lines_a_batch, rng):
    """Returns batches of segments of similar length, in random order."""
    made = []
    for start in range(0, len(segments), POOL):
        batch, lines = [], 0
        for segment in sorted(segments[start : start + POOL], key=lambda one: one.size):
            batch.append(segment)
            lines += segment.size
            if lines >= lines_a_batch:
                made.append(batch)
                batch, lines = [], 0
        if batch:
            made.append(batch)
    return [made[at] for at in rng.permutation(len(made))]
