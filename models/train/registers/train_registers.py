"""Trains the network of registers without some texts, and scores these.

    python3 -m registers.train_registers --features F.jsonl.gz --vectors V.npy --without WHAT… --out DIR [--teacher DIR]

WHAT is `fold-K` (the texts of a fold), `lang-CODE-…` (languages), `test` (the published test splits of Finnish, French and Swedish; their other texts
are used for training), or `nothing`. DIR/WHAT.npz has "rows", the numbers of the texts left out, and their
"logits", and "made", the logits of what was made of such texts; DIR/WHAT.pt has the network. `--teacher` is the output of tune_encoder.py: each
network learns from the teacher that was trained without the left-out texts, too.
"""

import argparse
import json
import os

import numpy as np
import torch

from registers.register_data import Texts, parted
from registers.register_fit import SETTINGS, score, train

# The first components of each kind of vectors in the file are used.
KINDS, COMPONENTS = 2, 64


def read_vectors(path):
    both = np.load(path).astype(np.float32)
    return torch.from_numpy(np.concatenate([kind[:, :COMPONENTS] for kind in np.split(both, KINDS, 1)], 1))


def run(texts, vectors, what, options):
    trains, rows, made = parted(texts, what)
    settings = {**SETTINGS, **json.loads(options.settings), "teacher": options.teacher is not None}
    taught = np.load(os.path.join(options.teacher, f"{what}.npz"))["all"].astype(np.float32) if options.teacher else None
    network = train(texts, trains, vectors, settings, options.seed, taught)
    path = os.path.join(options.out, what)
    np.savez(f"{path}.npz", rows=rows, logits=score(network, texts, rows, vectors), made=score(network, texts, made, vectors))
    saved = {"settings": settings, "network": network.state_dict(), "vectors": vectors.shape[1], "columns": texts.columns.shape[1]}
    torch.save(saved, f"{path}.pt")
    print(f"without {what}: {int((~texts.unlabelled[trains]).sum())} labelled and made texts train, {len(rows)} are scored", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("features", "vectors", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--without", nargs="+", required=True)
    parser.add_argument("--settings", default="{}", help="JSON that replaces settings of register_fit.py")
    parser.add_argument("--teacher")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    texts = Texts(options.features)
    vectors = read_vectors(options.vectors)
    for what in options.without:
        run(texts, vectors, what, options)


if __name__ == "__main__":
    main()
