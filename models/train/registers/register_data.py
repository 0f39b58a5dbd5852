"""Reads the features of texts, and the labels of each: its registers, and which registers are unknown."""

import gzip
import json

import numpy as np
import torch

from registers.register_network import OUTPUTS, REGISTERS


class Texts:
    """All texts in arrays. Made texts have no labels and `made` set; unlabelled texts have `unlabelled` set."""

    def __init__(self, path):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        self.ids = [one["id"] for one in rows]
        self.langs = np.array([one["lang"] for one in rows])
        self.splits = np.array([one.get("split", "") for one in rows])
        self.folds = np.array([one["fold"] for one in rows])
        self.groups = np.array([one["group"] for one in rows])
        self.made = np.array(["made" in one for one in rows])
        self.unlabelled = np.array(["unlabelled" in one for one in rows])
        self.labelled = ~self.made & ~self.unlabelled
        self.made_as = [one.get("made", "") for one in rows]
        self.tells = np.array([one["tells"] for one in rows])
        self.columns = torch.tensor([one["columns"] for one in rows], dtype=torch.float32)
        self.pieces = [np.array(one["pieces"], np.int64) for one in rows]
        # For each text its words of one piece, in order, and the number of all its distinct words.
        self.words = [np.array(one["words"], np.int64) for one in rows]
        self.different = np.array([one["different"] for one in rows])
        # One more than the highest number of a piece.
        self.vocabulary = 1 + int(max(pieces.max(initial=0) for pieces in self.pieces))
        self.firsts = [one["first"] for one in rows]
        self.labels = np.array([[float(name in one.get("labels", ())) for name in OUTPUTS] for one in rows], np.float32)
        self.known = np.array([known_of(one) for one in rows], np.float32)

    def __len__(self):
        return len(self.ids)


def known_of(one):
    """Returns 1 for each output that the text's corpus has labels for."""
    return [float("labels" in one and (name in REGISTERS or one["has"] == "all")) for name in OUTPUTS]


def left_out(texts, what):
    """Returns whether each text is left out; texts made from left-out texts are left out, too."""
    kind, _, which = what.partition("-")
    if kind == "fold":
        return texts.folds == int(which)
    if kind == "lang":
        return np.isin(texts.langs, which.split("-"))
    if kind == "test":
        return without_near(texts, (texts.splits == "test"))
    return np.zeros(len(texts), bool)


def parted(texts, what):
    """Returns the rows for training, the labelled rows that are left out, and the rows made from those."""
    out = left_out(texts, what)
    return np.flatnonzero(~out), np.flatnonzero(out & texts.labelled), np.flatnonzero(out & texts.made)


def without_near(texts, out):
    """Adds near-duplicates of left-out texts, and texts made from them."""
    groups = set(texts.groups[out])
    return np.array([group in groups for group in texts.groups])
