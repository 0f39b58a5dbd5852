"""Continues to train the network of a model folder on a user's gold: once without each fold, and once on all of it.

    python3 -m own.fine_tune --model DIR --features DIR --plan FILE --out DIR [--epochs N]

`thresher train --step network` runs it. The features are those of `thresher features`; the plan is JSON with the `fold` of each
of their documents, a `seed` and, for a text, the `conditions` that its network gets. OUT receives a folder for each network, `fold-0` … and `all`,
with `model.onnx`, `table.bin` and `tuned.json` (the table's scale; of `all` also the logits of every line).
"""

import argparse
import json
import math
import os
import sys

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, embedding_bag

from common.features import Features
from own.graph import Graph

SETTINGS = {
    # How often a document is seen: ten times, or more often with little gold, so that there are enough steps.
    "epochs": 10,
    "least_steps": 200,
    "documents_a_step": 8,
    "rate": 1e-3,
    "table_rate": 2e-3,
    "last_rate": 0.05,
    "clip": 1.0,
    # The share of the table's rows that a step does not see, so that n-grams are not memorised.
    "row_dropout": 0.3,
    # The output for the page as a whole must not change.
    "whole": 0.3,
}
# The most lines of a document that a step sees at once; longer documents are cut.
LINES = 600
UNKNOWN = 255
# The column that is the logarithm of one more than a line's letters.
LOG_LENGTH = 0


class Network:
    """The graph and the table of a model folder."""

    def __init__(self, folder):
        with open(os.path.join(folder, "model.json"), encoding="utf-8") as file:
            about = json.load(file)
        if "pieces" in about:
            raise SystemExit("a network that reads word pieces cannot be trained here")
        self.graph = Graph(os.path.join(folder, about["network"]["file"]))
        table = about["table"]
        values = np.fromfile(os.path.join(folder, table["file"]), np.int8).reshape(table["rows"], table["width"])
        self.scale = table["scale"]
        self.table = (torch.from_numpy(values.astype(np.float32)) * self.scale).requires_grad_()

    def bags(self, features, lines, dropout):
        """Returns the means of the rows of the lines' n-grams, bag by bag. `dropout`: the share of rows that are left out."""
        parts = []
        heard = (torch.rand(len(self.table)) >= dropout).float() / (1 - dropout)
        for bag in range(len(features.about["bags"])):
            numbers, counts = features.bag(bag, lines)
            counts = torch.from_numpy(counts)
            numbers, starts = torch.from_numpy(numbers), torch.cumsum(counts, 0) - counts
            sums = embedding_bag(numbers, self.table, starts, mode="sum", sparse=True, per_sample_weights=heard[numbers])
            parts.append(sums / counts.clamp_min(1).unsqueeze(1))
        return torch.cat(parts, 1)

    def run(self, features, lines, condition, dropout=0.0):
        inputs = {"hand": torch.from_numpy(np.array(features.hand[lines])), "bags": self.bags(features, lines, dropout)}
        if features.groups is not None:
            inputs["groups"], inputs["shares"] = number_groups(features.groups[lines])
        if condition is not None:
            inputs["condition"] = torch.tensor(condition, dtype=torch.float32)
        outputs = self.graph.run(inputs)
        logits = outputs.pop("logits")
        return logits, next(iter(outputs.values()), None)

    def save(self, folder, more):
        os.makedirs(folder)
        size = self.table.detach().abs()
        # The scale is not finer than before, so that rows without training do not change.
        scale = max(self.scale, float(np.quantile(size.numpy(), 0.9999)) / 127)
        values = torch.clamp(torch.round(self.table.detach() / scale), -127, 127).to(torch.int8)
        values.numpy().tofile(os.path.join(folder, "table.bin"))
        self.graph.save(os.path.join(folder, "model.onnx"))
        with open(os.path.join(folder, "tuned.json"), "w", encoding="utf-8") as file:
            json.dump({"scale": scale, **more}, file)


def number_groups(groups):
    """Numbers the groups of [lines, levels] from 0 on, each at one level only, and returns 1 over the number of lines of each group."""
    whole = np.arange(groups.shape[1]) * (int(groups.max()) + 1) + groups
    _, numbers, counts = np.unique(whole, return_inverse=True, return_counts=True)
    return torch.from_numpy(numbers.reshape(groups.shape).astype(np.int32)), torch.from_numpy(1 / counts).float()


def pieces_of(document):
    """Splits a document's lines evenly into parts that a step can see at once."""
    count = math.ceil(document["lines"] / LINES)
    return [part for part in np.array_split(np.arange(document["start"], document["start"] + document["lines"]), count) if len(part)]


def loss_of(logits, labels, lengths):
    """Weights of the lines with a label: half of the weight is even, half goes by their letters."""
    known = labels != UNKNOWN
    weights = 0.5 / known.sum() + 0.5 * lengths[known] / lengths[known].sum()
    each = binary_cross_entropy_with_logits(logits[torch.from_numpy(known)], torch.from_numpy((labels[known] == 1).astype(np.float32)), reduction="none")
    return (each * torch.from_numpy(weights.astype(np.float32))).sum()


def train(network, features, parts, settings, epochs):
    """`parts`: lines, the given condition, and the previous output for the whole document. Returns the mean loss of the first and the last epoch."""
    weights = list(network.graph.weights.values())
    # A step only changes the rows of the table that it uses.
    optimizers = [torch.optim.Adam(weights, settings["rate"]), torch.optim.SparseAdam([network.table], settings["table_rate"])]
    size = settings["documents_a_step"]
    steps_an_epoch = math.ceil(len(parts) / size)
    if epochs is None:
        epochs = max(settings["epochs"], math.ceil(settings["least_steps"] / steps_an_epoch))
    steps = epochs * steps_an_epoch
    follow = lambda step: settings["last_rate"] + (1 - settings["last_rate"]) * (1 + math.cos(math.pi * step / max(1, steps))) / 2
    schedules = [torch.optim.lr_scheduler.LambdaLR(one, lambda step: min(1, (step + 1) / 10) * follow(step)) for one in optimizers]
    lengths = np.expm1(features.hand[:, LOG_LENGTH]).clip(1)
    losses = []
    for _ in range(epochs):
        order = torch.randperm(len(parts)).tolist()
        losses.append(0.0)
        for start in range(0, len(order), size):
            for optimizer in optimizers:
                optimizer.zero_grad()
            batch = order[start : start + size]
            for at in batch:
                lines, condition, before = parts[at]
                logits, whole = network.run(features, lines, condition, settings["row_dropout"])
                loss = loss_of(logits, features.labels[lines], lengths[lines])
                losses[-1] += loss.item() / len(parts)
                if whole is not None:
                    loss = loss + settings["whole"] * ((whole - before) ** 2).mean()
                (loss / len(batch)).backward()
            torch.nn.utils.clip_grad_norm_([one for one in weights if one.grad is not None], settings["clip"])
            for one in [*optimizers, *schedules]:
                one.step()
    return losses


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--model", "--features", "--plan", "--out"):
        parser.add_argument(name, required=True)
    parser.add_argument("--epochs", type=int)
    given = parser.parse_args()
    torch.set_num_threads(1)
    features = Features(given.features)
    with open(given.plan, encoding="utf-8") as file:
        plan = json.load(file)
    conditions = plan.get("conditions") or [None] * len(features.documents)
    assert len(plan["fold"]) == len(conditions) == len(features.documents)
    base = Network(given.model)
    parts, folds = [], []
    for document, fold, condition in zip(features.documents, plan["fold"], conditions):
        for lines in pieces_of(document):
            if (features.labels[lines] == UNKNOWN).all():
                continue
            with torch.no_grad():
                _, whole = base.run(features, lines, condition)
            parts.append((lines, condition, whole))
            folds.append(fold)
    names = sorted(set(plan["fold"]))
    for number, left_out in enumerate([*names, None]):
        torch.manual_seed(plan["seed"])
        network = Network(given.model)
        losses = train(network, features, [part for part, fold in zip(parts, folds) if fold != left_out], SETTINGS, given.epochs)
        more = {}
        if left_out is None:
            with torch.no_grad():
                every = zip(features.documents, conditions)
                more["logits"] = [network.run(features, np.arange(one["start"], one["start"] + one["lines"]), condition)[0].tolist() for one, condition in every]
        network.save(os.path.join(given.out, "all" if left_out is None else f"fold-{left_out}"), more)
        told = f", loss {losses[0]:.3f} in the first epoch and {losses[-1]:.3f} in the last" if losses else ""
        print(f"network {number + 1} of {len(names) + 1}{told}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
