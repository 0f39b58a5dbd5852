"""Trains the network of registers without some texts, and scores those.

    python3 -m registers.train_registers --features F.jsonl.gz --vectors V.npy --without WHAT… --out DIR

WHAT is `fold-K` (the texts of a fold), `lang-CODE-…` (languages), `test` (the test splits that Finnish, French and Swedish were
published with; the rest of them trains), or `nothing`. DIR/WHAT.npz has "rows", the numbers of the texts left out, and their
"logits", and "made", the logits of what was made of such texts; DIR/WHAT.pt has the network.
"""

import argparse
import json
import os

import numpy as np
import torch

from registers.register_data import Texts
from registers.register_fit import SETTINGS, score, train


def left_out(texts, what):
    """Whether each text is left out; what was made of one that is left out does not train either."""
    kind, _, which = what.partition("-")
    if kind == "fold":
        return texts.folds == int(which)
    if kind == "lang":
        return np.isin(texts.langs, which.split("-"))
    if kind == "test":
        return without_near(texts, (texts.splits == "test"))
    return np.zeros(len(texts), bool)


def without_near(texts, out):
    """With those that are near-duplicates of one that is left out, or made of such a one."""
    groups = set(texts.groups[out])
    return np.array([group in groups for group in texts.groups])


# Of each kind of vectors in the file, the first components are used.
KINDS, COMPONENTS = 2, 64


def read_vectors(path):
    both = np.load(path).astype(np.float32)
    return torch.from_numpy(np.concatenate([kind[:, :COMPONENTS] for kind in np.split(both, KINDS, 1)], 1))


def run(texts, vectors, what, options):
    out = left_out(texts, what)
    settings = {**SETTINGS, **json.loads(options.settings)}
    network = train(texts, np.flatnonzero(~out), vectors, settings, options.seed)
    rows, made = np.flatnonzero(out & ~texts.made), np.flatnonzero(out & texts.made)
    path = os.path.join(options.out, what)
    np.savez(f"{path}.npz", rows=rows, logits=score(network, texts, rows, vectors), made=score(network, texts, made, vectors))
    saved = {"settings": settings, "network": network.state_dict(), "vectors": vectors.shape[1], "columns": texts.columns.shape[1]}
    torch.save(saved, f"{path}.pt")
    print(f"without {what}: {int((~out).sum())} texts train, {len(rows)} are scored", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("features", "vectors", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--without", nargs="+", required=True)
    parser.add_argument("--settings", default="{}", help="JSON, over those of register_fit.py")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    texts = Texts(options.features)
    vectors = read_vectors(options.vectors)
    for what in options.without:
        run(texts, vectors, what, options)


if __name__ == "__main__":
    main()
