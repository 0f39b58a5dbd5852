"""Reads the features of texts, and what is known of each: which registers it has, and of which that is not known."""

import gzip
import json

import numpy as np
import torch

from registers.register_network import OUTPUTS, REGISTERS


class Texts:
    """All texts in arrays; those that were made to tell nothing have no labels and `made` set."""

    def __init__(self, path):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        self.ids = [one["id"] for one in rows]
        self.langs = np.array([one["lang"] for one in rows])
        self.splits = np.array([one.get("split", "") for one in rows])
        self.folds = np.array([one["fold"] for one in rows])
        self.groups = np.array([one["group"] for one in rows])
        self.made = np.array(["made" in one for one in rows])
        self.made_as = [one.get("made", "") for one in rows]
        self.tells = np.array([one["tells"] for one in rows])
        self.columns = torch.tensor([one["columns"] for one in rows], dtype=torch.float32)
        self.pieces = [np.array(one["pieces"], np.int64) for one in rows]
        self.firsts = [one["first"] for one in rows]
        self.labels = np.array([[float(name in one.get("labels", ())) for name in OUTPUTS] for one in rows], np.float32)
        self.known = np.array([known_of(one) for one in rows], np.float32)

    def __len__(self):
        return len(self.ids)


def known_of(one):
    """1 for each output that the text's corpus says yes or no of."""
    return [float("made" not in one and (name in REGISTERS or one["has"] == "all")) for name in OUTPUTS]
