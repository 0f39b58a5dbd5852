"""Trains the `text` labeller on feature folders and keeps the best epoch of the best seed as a checkpoint.

    python3 train_text.py --train DIR --dev DIR --out FILE [--seeds 1 2 3] [--epochs 8]

Chosen on dev only: 40 % accuracy on turku-tq, 60 % the mean macro F1 of the other dev groups (raw pages, pages
as an extractor leaves them, Chinese and Russian news, turku-tq in other scripts).
"""

import argparse
import copy
import json
import math
import random
import time

import numpy as np
import torch

from data import Features, batches, segments_of_epoch
from measure import counts, logloss, scores
from network import Reader, Table

# Lines an epoch by source; "all" is every document once. The sets that are not turku-tq are larger and of another
# kind (raw pages), so they are sampled.
PLAN = {
    "segment": 128,
    # Corpora by the guideline that their labels follow; the first is the one that the labeller is to follow.
    "conventions": ["turku-tq", "mbn-cleaneval", "mbn-googletrends", "wcxb", "waddle"],
    "lines": {
        "turku-tq": "all",
        "turku-tq+disguised": 10_000,
        "mbn-cleaneval": 3_000,
        "mbn-cleaneval+disguised": 1_000,
        "mbn-googletrends": 2_500,
        "wcxb": 7_000,
        "wcxb+disguised": 2_500,
        "waddle": 4_000,
        "waddle+extracted": 2_000,
    },
}
WIDTH = 16
LINES_A_BATCH = 1_500
LEARNING_RATE = 2e-3
TABLE_RATE = 1.5e-3
WARM_UP = 30
SMOOTHING = 0.05
AUXILIARY = 0.3
NGRAM_DROPOUT = 0.2
BAG_DROPOUT = 0.2
BLOCK_DROPOUT = 0.3
# The weights that are kept are a running mean over the last ten or so steps.
AVERAGING = 0.9
FIRST_SHARE = 1.2
LAST_SHARE = 0.4
# The last epochs are looked at, and the best is kept.
WATCHED_EPOCHS = 3


def pooled(table, features, lines, train, rng, sizes=()):
    parts = []
    blocked = None
    if train:
        drop = rng.random(len(sizes)) < BLOCK_DROPOUT
        blocked = torch.as_tensor(np.repeat(drop, sizes))
    for which, name in enumerate(features.about["bags"]):
        numbers, sizes_of_bags = features.bag(which, lines)
        if train:
            kept = rng.random(len(numbers)) >= NGRAM_DROPOUT
            line_of_number = np.repeat(np.arange(len(lines)), sizes_of_bags)
            sizes_of_bags = np.bincount(line_of_number[kept], minlength=len(lines))
            numbers = numbers[kept]
        part = table.pool(numbers, sizes_of_bags)
        if train:
            part = torch.nn.functional.dropout(part, BAG_DROPOUT)
            if name != "shapes":
                part = part.masked_fill(blocked.unsqueeze(1), 0.0)
        parts.append(part)
    return torch.cat(parts, dim=1)


def score_all(reader, table, features):
    """Logits of every line, one whole document at a time, as in use."""
    reader.eval()
    logits = np.zeros(len(features.labels), dtype=np.float32)
    with torch.no_grad():
        for document in features.documents:
            start, stop = document["start"], document["start"] + document["lines"]
            lines = np.arange(start, stop)
            bags = pooled(table, features, lines, False, None)
            logits[start:stop] = reader(torch.from_numpy(features.hand[start:stop]), bags).numpy()
    reader.train()
    return logits


def group_counts(features, logits, cut=0.0):
    groups = {}
    for document in features.documents:
        at = slice(document["start"], document["start"] + document["lines"])
        one = counts(features.labels[at], logits[at] >= cut)
        groups.setdefault(document["source"], []).append(one)
    return groups


def dev_score(features, logits):
    by_group = {source: scores(sum(each)) for source, each in group_counts(features, logits).items()}
    others = [one["macro"] for source, one in by_group.items() if source != "turku-tq"]
    return 0.4 * by_group["turku-tq"]["accuracy"] + 0.6 * float(np.mean(others)), by_group


def share_of_epoch(plan, progress):
    """Other corpora than the guideline's own come first and grow fewer: general first, then the guideline."""
    share = FIRST_SHARE + (LAST_SHARE - FIRST_SHARE) * progress
    lines = {s: n if s == "turku-tq" else int(n * share) for s, n in plan["lines"].items()}
    return {**plan, "lines": lines}


def follow(slow, module):
    with torch.no_grad():
        for old, new in zip(slow.parameters(), module.parameters()):
            old.mul_(AVERAGING).add_(new, alpha=1 - AVERAGING)


def train_once(train, dev, seed, epochs, plan):
    random.seed(seed)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    reader = Reader(train.hand.shape[1], WIDTH * len(train.about["bags"]), len(plan["conventions"]))
    table = Table(train.about["tableRows"], WIDTH)
    first = segments_of_epoch(train, plan, rng)
    sample = np.concatenate([np.arange(start, start + size) for start, size, *_ in first])
    reader.standardise(torch.from_numpy(train.hand[sample]))
    optimiser = torch.optim.AdamW(
        [{"params": reader.parameters(), "lr": LEARNING_RATE}, {"params": table.parameters(), "lr": TABLE_RATE}],
        weight_decay=0.01,
    )
    steps = epochs * len(list(batches(first, LINES_A_BATCH)))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser,
        lambda step: min(1.0, (step + 1) / WARM_UP) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps)))),
    )
    average = [copy.deepcopy(reader), copy.deepcopy(table)]
    best = None
    for epoch in range(epochs):
        started = time.time()
        for batch in batches(segments_of_epoch(train, share_of_epoch(plan, epoch / max(1, epochs - 1)), rng), LINES_A_BATCH):
            sizes = [size for _, size, *_ in batch]
            lines = np.concatenate([np.arange(start, start + size) for start, size, *_ in batch])
            weight = torch.from_numpy(np.repeat([w for _, _, w, _ in batch], sizes)).float()
            conventions = torch.from_numpy(np.repeat([c for *_, c in batch], sizes)).long()
            bags = pooled(table, train, lines, True, rng, sizes)
            target = torch.from_numpy(train.labels[lines]).float() * (1 - SMOOTHING) + SMOOTHING / 2
            logits, alone = reader.read_segments(torch.from_numpy(train.hand[lines]), bags, sizes, conventions)
            bce = torch.nn.functional.binary_cross_entropy_with_logits
            loss = bce(logits, target, weight) + AUXILIARY * bce(alone, target, weight)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([*reader.parameters(), *table.parameters()], 1.0)
            optimiser.step()
            schedule.step()
            for slow, module in zip(average, (reader, table)):
                follow(slow, module)
        if epoch < epochs - WATCHED_EPOCHS:
            continue
        average[0].settle([1.0] + [0.0] * (len(plan["conventions"]) - 1))
        logits = score_all(average[0], average[1], dev)
        score, groups = dev_score(dev, logits)
        short = " ".join(f"{name}:{one['accuracy']:.3f}/{one['macro']:.3f}" for name, one in groups.items())
        print(f"seed {seed} epoch {epoch + 1} {time.time() - started:.0f}s score {score:.4f} loss {logloss(dev.labels, logits):.3f} {short}", flush=True)
        if best is None or score > best["score"]:
            keep = lambda module: {k: v.clone() for k, v in module.state_dict().items()}
            best = {"score": score, "reader": keep(average[0]), "table": keep(average[1]), "seed": seed, "epoch": epoch + 1, "groups": groups}
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", required=True)
    parser.add_argument("--dev", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--plan", help="JSON that replaces lines of PLAN, for experiments")
    options = parser.parse_args()
    torch.set_num_threads(1)
    plan = {**PLAN, "lines": {**PLAN["lines"], **(json.loads(options.plan) if options.plan else {})}}
    train, dev = Features(options.train), Features(options.dev)
    assert train.about["digest"] == dev.about["digest"], "train and dev features were written by different code"
    runs = [train_once(train, dev, seed, options.epochs, plan) for seed in options.seeds]
    best = max(runs, key=lambda run: run["score"])
    print(f"best: seed {best['seed']} epoch {best['epoch']} score {best['score']:.4f}")
    torch.save({**best, "about": train.about, "plan": plan, "epochs": options.epochs}, options.out)


if __name__ == "__main__":
    main()
