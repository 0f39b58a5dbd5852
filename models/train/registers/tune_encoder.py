"""Tunes multilingual-e5-small to predict registers, on a GPU: the encoder in the README's tables, and the teacher of the shipped network.

    python3 -m registers.tune_encoder --texts T.jsonl.gz --features F.jsonl.gz --weights W.bin --without WHAT… --out DIR

`--weights` is the file that common.fetch_e5 fetches; WHAT is as in train_registers.py. DIR/WHAT.npz has the same fields as from train_registers.py,
and "all", the logits of every text.
"""

import argparse
import gzip
import json
import math
import os

import numpy as np
import torch
from torch import nn

from common.e5 import Encoder, Weights
from common.training import half, rate_at
from registers.register_data import Texts, parted
from registers.register_fit import priors_of, targets_of
from registers.register_network import OUTPUTS

# How many tokens are read from the beginning and the end of a text, in the same proportion as the letters that the small network reads.
FRONT, BACK = 400, 108
SETTINGS = {
    "epochs": 5,
    "batch": 16,
    "rate": 8e-5,
    # The new layers on top of the encoder have a higher rate.
    "head_rate": 1e-3,
    "warm_up": 150,
    "last_rate": 0.05,
    "decay": 0.01,
    "dropout": 0.1,
    # As in register_fit.py.
    "made": 0.5,
    "made_share": 0.5,
}
# Texts of similar length are in one batch; this many batches are sorted together.
SORTED = 24


class Tuned(nn.Module):
    def __init__(self, weights, settings, priors):
        super().__init__()
        self.encoder = Encoder(weights, settings["dropout"])
        self.out = nn.Linear(weights.width, len(OUTPUTS))
        self.dropout = settings["dropout"]
        self.out.weight.data.zero_()
        self.out.bias.data = torch.from_numpy(np.log(priors / (1 - priors)).astype(np.float32))

    def forward(self, numbers, mask):
        return self.out(nn.functional.dropout(self.encoder(numbers, mask), self.dropout, self.training))


def shortened(ids):
    """Returns the numbers of a text's pieces, without begin and end."""
    return ids if len(ids) <= FRONT + BACK else [*ids[:FRONT], *ids[-BACK:]]


def tokens_of(path, tokenizer):
    """Returns one row for each text, in the order of the file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    return [np.array(shortened(one.ids), np.int32) for one in tokenizer.encode_batch(texts, add_special_tokens=False)]


def padded(encoder, tokens, batch):
    """Returns piece numbers, and whether each is a piece, on the encoder's device."""
    longest = max(len(tokens[at]) for at in batch) + 2
    numbers, mask = np.zeros((len(batch), longest), np.int64), np.zeros((len(batch), longest), bool)
    for row, at in enumerate(batch):
        size = len(tokens[at]) + 2
        numbers[row, :size] = [encoder.bos, *tokens[at], encoder.eos]
        mask[row, :size] = True
    device = encoder.places.device
    return torch.from_numpy(numbers).to(device), torch.from_numpy(mask).to(device)


def batches(tokens, rows, size, draw):
    order = draw.permutation(rows)
    cut = []
    for at in range(0, len(order), size * SORTED):
        part = sorted(order[at : at + size * SORTED], key=lambda row: len(tokens[row]))
        cut += [part[start : start + size] for start in range(0, len(part), size)]
    return [cut[at] for at in draw.permutation(len(cut))]


def tune(texts, tokens, rows, weights, settings, device, seed=1):
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    priors = priors_of(texts, rows[texts.labelled[rows]])
    model = Tuned(weights, settings, priors).to(device)
    targets, shares = targets_of(texts, priors, settings)
    groups = [
        {"params": model.encoder.parameters(), "most": settings["rate"]},
        {"params": model.out.parameters(), "most": settings["head_rate"]},
    ]
    optimiser = torch.optim.AdamW(groups, lr=settings["rate"], weight_decay=settings["decay"])
    steps = settings["epochs"] * math.ceil(len(rows) / settings["batch"])
    step = 0
    model.train()
    for _ in range(settings["epochs"]):
        for batch in batches(tokens, rows, settings["batch"], draw):
            for part in optimiser.param_groups:
                part["lr"] = part["most"] * rate_at(step, steps, settings)
            target, share = torch.from_numpy(targets[batch]).to(device), torch.from_numpy(shares[batch]).to(device)
            with half(device):
                logits = model(*padded(model.encoder, tokens, batch))
            loss = nn.functional.binary_cross_entropy_with_logits(logits.float(), target, share, reduction="sum") / len(batch)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            step += 1
    return model.eval()


@torch.no_grad()
def score(model, tokens, rows):
    """Logits, [rows, outputs]."""
    found = np.zeros((len(rows), len(OUTPUTS)), np.float32)
    order = np.argsort([len(tokens[row]) for row in rows], kind="stable")
    for at in range(0, len(order), 64):
        places = order[at : at + 64]
        with half(model.encoder.places.device):
            found[places] = model(*padded(model.encoder, tokens, rows[places])).float().cpu().numpy()
    return found


def run(texts, tokens, weights, what, settings, device, out):
    trains, rows, made = parted(texts, what)
    trains = trains[~texts.unlabelled[trains]]
    model = tune(texts, tokens, trains, weights, settings, device)
    every = score(model, tokens, np.arange(len(texts)))
    np.savez(os.path.join(out, f"{what}.npz"), rows=rows, logits=every[rows], made=every[made], all=every)
    print(f"without {what}: {len(trains)} labelled and made texts train, {len(rows)} are scored", flush=True)


def main():
    from common.e5_tokenizer import tokenizer_of

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("texts", "features", "weights", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--without", nargs="+", required=True)
    parser.add_argument("--settings", default="{}", help="JSON that replaces settings of this file")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    weights = Weights(options.weights)
    tokens = tokens_of(options.texts, tokenizer_of(weights))
    settings = {**SETTINGS, **json.loads(options.settings)}
    texts = Texts(options.features)
    for what in options.without:
        run(texts, tokens, weights, what, settings, device, options.out)


if __name__ == "__main__":
    main()
