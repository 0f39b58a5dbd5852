"""Chooses the word pieces of the `text` labeller and writes their pretrained vectors.

    python3 -m text.prepare_pieces --weights e5-small-q4.bin --out DIR [--keep 65536]

OUT/pieces.bin the pieces that are kept, the likeliest first, as read by src/label/features/pieces/vocabulary.ts
OUT/vectors.npy     float16 [pieces, 2 × 96]: for each piece its input embedding, and the encoder's output for it alone

`--weights` is the file that fetch_e5.py fetches; the encoder reads each kept piece once, which takes about two minutes on one core. The encoder is
used as published, and has seen no labels, so left-out folds and languages are unseen.
"""

import argparse
import os
import struct

import numpy as np
import torch

from common.e5 import Encoder, Weights, static_vectors

# The numbers of a vocabulary have 16 bits, and its scores steps of 1/2048: see vocabulary.ts.
KEPT = 65_536
SCORE_STEPS = 2048
# How many principal components of each kind of vectors are kept, and how many pieces they are fitted on.
VALUES, SAMPLE = 96, 20_000
SPECIAL = {"<s>", "<pad>", "</s>", "<unk>", "<mask>"}


def chosen(pieces, scores, count):
    """Returns the numbers of the likeliest pieces that are text."""
    order = np.argsort(-np.asarray(scores), kind="stable")
    kept = [int(at) for at in order if pieces[at] and pieces[at] not in SPECIAL and "\n" not in pieces[at]]
    return kept[:count]


def vocabulary_bytes(pieces, scores):
    steps = np.clip(np.round(-np.asarray(scores, np.float64) * SCORE_STEPS), 0, 65_535).astype("<u2")
    return struct.pack("<I", len(pieces)) + steps.tobytes() + "".join(piece + "\n" for piece in pieces).encode("utf-8")


def components(vectors, values=VALUES):
    """Returns the first principal components, scaled to deviation 1 together."""
    vectors = vectors.astype(np.float32) - vectors.astype(np.float32).mean(0)
    sample = vectors[np.random.default_rng(0).permutation(len(vectors))[:SAMPLE]]
    _, _, axes = np.linalg.svd(sample, full_matrices=False)
    turned = vectors @ axes[:values].T
    return turned / turned.std()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("weights", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--keep", type=int, default=KEPT)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    at = lambda name: os.path.join(options.out, name)

    weights = Weights(options.weights)
    encoder = Encoder(weights)
    kept = chosen(weights.pieces, weights.scores, options.keep)
    with open(at("pieces.bin"), "wb") as file:
        file.write(vocabulary_bytes([weights.pieces[number] for number in kept], [weights.scores[number] for number in kept]))
    with torch.no_grad():
        plain = encoder.words.weight[kept].numpy()
    encoded = static_vectors(encoder, kept).numpy()
    both = np.concatenate([components(plain), components(encoded)], 1)
    np.save(at("vectors.npy"), both.astype(np.float16))
    print(f"{len(kept)} pieces of {len(weights.pieces)}")


if __name__ == "__main__":
    main()
