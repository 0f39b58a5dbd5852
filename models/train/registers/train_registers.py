"""Trains the network of registers once, and scores what it did not see.

    python3 -m registers.train_registers --features F.jsonl.gz --vectors V.npy --without WHAT --out OUT.npz [--network OUT.pt]

WHAT is `fold:K` (the texts of a fold), `lang:CODE` (a language), `test` (the test splits that Finnish, French and Swedish were
published with; the rest of them trains), or `nothing`. OUT has "rows", the numbers of the texts left out, and their "logits".
"""

import argparse
import json

import numpy as np
import torch

from registers.register_data import Texts
from registers.register_fit import SETTINGS, score, train


def left_out(texts, what):
    """Whether each text is left out; what was made of one that is left out does not train either."""
    kind, _, which = what.partition(":")
    if kind == "fold":
        return texts.folds == int(which)
    if kind == "lang":
        return texts.langs == which
    if kind == "test":
        return without_near(texts, (texts.splits == "test"))
    return np.zeros(len(texts), bool)


def without_near(texts, out):
    """With those that are near-duplicates of one that is left out, or made of such a one."""
    groups = set(texts.groups[out])
    return np.array([group in groups for group in texts.groups])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("features", "vectors", "without", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--network")
    parser.add_argument("--settings", default="{}", help="JSON, over those of register_fit.py")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    settings = {**SETTINGS, **json.loads(options.settings)}
    texts = Texts(options.features)
    vectors = torch.from_numpy(np.load(options.vectors).astype(np.float32))
    out = left_out(texts, options.without)
    network = train(texts, np.flatnonzero(~out), vectors, settings, options.seed)
    rows = np.flatnonzero(out & ~texts.made)
    np.savez(options.out, rows=rows, logits=score(network, texts, rows, vectors), made=score(network, texts, np.flatnonzero(out & texts.made), vectors))
    if options.network:
        torch.save({"settings": settings, "network": network.state_dict(), "vectors": vectors.shape[1], "columns": texts.columns.shape[1]}, options.network)
    print(f"without {options.without}: {int((~out).sum())} texts train, {len(rows)} are scored")


if __name__ == "__main__":
    main()
