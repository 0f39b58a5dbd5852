"""Trains the `page` labeller on all folds except the held-out ones, and keeps the averaged weights as a checkpoint.

    python3 -m page.train_page --features DIR --folds 0 --out FILE [--seeds 1] [--scores FILE]
    python3 -m page.train_page --features DIR --folds none --out FILE

DIR is the feature folder of train.jsonl.gz and made.jsonl.gz, which are next to it with train.about.jsonl. `--scores` writes the network's output for
the held-out pages, for measure_pages.py. With several seeds, the one that does best on the held-out pages is kept. SETTINGS is the recipe;
`--settings` replaces parts of it, for experiments.
"""

import argparse
import copy
import json
import os
import random
import time

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from common.layers import pool_bags
from common.training import follow, rate_at
from page.measure_pages import fitted, measured, print_fit, print_tables
from page.page_data import NO_LABEL, TEXT_BAGS, UNKNOWN, Pages, batches_of_like, page_targets, segments_of_epoch
from page.page_network import build, number_groups
from page.page_types import PAGE_TYPES
from page.page_words import read_pages
from page.score_pages import score_documents, write_scores

# Corpora by the guideline of their labels. The labeller follows the first; on articles it follows the second, whose annotators took the paragraphs
# and left out teasers, dates and tags.
CONVENTIONS = ["wcxb", "waddle-ru", "cleaneval", "mbn-googletrends"]
CONVENTIONS += ["harvest", "mercury", "atf", "rkrzr", "recipes", "juriscraper", "mirrors"]

SETTINGS = {
    # The network.
    "hidden": 64,
    "dilations": [1, 2, 4, 8, 16],
    "width": 16,
    # By level of groups, in this order, how far logits move to the mean of their group in use: a share of the way, and at most this far.
    "evened": {"own": [1.0, 1.6], "parent": [0.2, 100.0]},
    # Ignored columns: the place of a line among all lines says more about a site's menus than about its content.
    "blind": ["position", "lines-before", "lines-after"],
    # The content of an epoch: how often each page of a corpus is used, unchanged or as one of its variants; lines of a window.
    "epochs": 10,
    "corpora": {
        **{"wcxb": 1, "waddle-ru": 1, "cleaneval": 2, "mbn-googletrends": 1, "harvest": 1, "mercury": 1, "atf": 1},
        **{"rkrzr": 0.5, "recipes": 0.5, "juriscraper": 0.5, "mirrors": 0.5},
    },
    "variants": {"base": 0.62, "disguised": 0.12, "aged": 0.1, "plain": 0.08, "empty": 0.08},
    "segment": 300,
    "lines_a_batch": 3_000,
    # Steps.
    "rate": 2e-3,
    "table_rate": 1.5e-3,
    "weight_decay": 0.01,
    "warm_up": 50,
    "last_rate": 0.02,
    "averaging": 0.98,
    "clip": 1.0,
    # Dropout of channels; rows of the table; whole bags of a page; all information about the page; its corpus's notion.
    "dropout": 0.45,
    "row_dropout": 0.4,
    "bag_dropout": 0.3,
    "evidence_dropout": 0.12,
    "convention_dropout": 0.15,
    # The loss: shares of equal weight and of weight by letters; how a page's weight depends on its lines; further parts.
    "smoothing": 0.1,
    "even_share": 0.5,
    "page_power": 0.5,
    "f1": 0.7,
    "auxiliary": 0.3,
    "judgement": 0.2,
}
LINES_OF_A_UNIT = 100


def read_batch(batch, pages, settings, rng):
    """Returns the batch's inputs with parts of them dropped."""
    sizes = [segment.size for segment in batch]
    lines = np.concatenate([np.arange(one.start, one.start + one.size) for one in batch])
    by_line = lambda values: torch.as_tensor(np.repeat(values, sizes, axis=0))
    blocked = rng.random(len(batch)) < settings["evidence_dropout"]
    kept_bags = rng.random((len(batch), len(pages.about["bags"]))) >= settings["bag_dropout"]
    kept_bags[blocked, len(TEXT_BAGS) :] = False
    hand = torch.from_numpy(pages.hand[lines])
    # Zero, as for a line of plain text, which is in one group with all others.
    hand[by_line(blocked), pages.first_place :] = 0
    conventions = by_line([CONVENTIONS.index(one.document["source"]) for one in batch])
    kept_notions = by_line(rng.random(len(batch)) >= settings["convention_dropout"])
    of = pages.groups[lines].astype(np.int64)
    of[np.repeat(blocked, sizes)] = 0
    groups, shares = number_groups(of, np.repeat(np.arange(len(sizes)), sizes))
    return {
        "sizes": sizes,
        "groups": groups,
        "shares": shares,
        "lines": lines,
        "hand": hand,
        "kept_bags": by_line(kept_bags).float(),
        "conventions": conventions,
        "kept_notions": kept_notions.float().unsqueeze(1),
    }


def run_batch(inputs, reader, table, pages, settings, rng):
    kept_rows = torch.from_numpy(rng.random(len(table.weight)) >= settings["row_dropout"]).float().unsqueeze(1)
    weight = table.weight * kept_rows / (1 - settings["row_dropout"])
    bags = pool_bags(table, pages, inputs["lines"], pages.about["bags"], weight)
    bags = bags * inputs["kept_bags"].repeat_interleave(settings["width"], dim=1)
    notions = reader.convention(inputs["conventions"]) * inputs["kept_notions"]
    return reader.read_segments(inputs["hand"], bags, inputs["sizes"], inputs["groups"], inputs["shares"], notions)


def loss_of_batch(batch, inputs, outputs, pages, settings):
    """Sums the cross entropy of labelled lines, in context and alone; the soft F1 of each page with content; and the cross entropy of the page's logits."""
    logits, alone, page = outputs
    labels = torch.from_numpy(pages.labels[inputs["lines"]])
    known = (labels != NO_LABEL).float()
    labels = (labels == 1).float()
    smooth = labels * (1 - settings["smoothing"]) + settings["smoothing"] / 2
    entropy = binary_cross_entropy_with_logits(logits, smooth, reduction="none")
    entropy_alone = binary_cross_entropy_with_logits(alone, smooth, reduction="none")
    probability = torch.sigmoid(logits)
    letters = torch.from_numpy(pages.letters[inputs["lines"]]) * known
    total, weights, end = 0.0, 0.0, 0
    for size in inputs["sizes"]:
        at = slice(end, end + size)
        end += size
        by_letters = letters[at] / letters[at].sum().clamp_min(1e-6)
        even = known[at] / known[at].sum().clamp_min(1)
        weight = settings["even_share"] * even + (1 - settings["even_share"]) * by_letters
        loss = (weight * (entropy[at] + settings["auxiliary"] * entropy_alone[at])).sum()
        if labels[at].any():
            found = (by_letters * probability[at]).sum() + (by_letters * labels[at]).sum()
            right = (by_letters * probability[at] * labels[at]).sum()
            loss = loss + settings["f1"] * (1 - 2 * right / found)
        weight_of_page = (size / LINES_OF_A_UNIT) ** settings["page_power"]
        total, weights = total + weight_of_page * loss, weights + weight_of_page
    return total / weights + settings["judgement"] * loss_of_judgements(batch, page, pages)


def loss_of_judgements(batch, page, pages):
    targets = torch.tensor([page_targets(pages, segment) for segment in batch])
    content, page_type = targets[:, 0], targets[:, 1]
    knows_content, knows_type = content != UNKNOWN, page_type != UNKNOWN
    loss = torch.zeros(())
    if knows_type.any():
        loss = loss + cross_entropy(page[knows_type, : len(PAGE_TYPES)], page_type[knows_type])
    if knows_content.any():
        loss = loss + binary_cross_entropy_with_logits(page[knows_content, -1], content[knows_content].float())
    return loss


def train_once(pages, training, seed, settings):
    """Returns the averaged network with a fixed notion of main content, and its table, quantised."""
    random.seed(seed)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    reader, table = build(pages.about, len(CONVENTIONS), len(PAGE_TYPES) + 1, settings)
    lines = np.concatenate([np.arange(one["start"], one["start"] + one["lines"]) for one in training])
    reader.standardise(torch.from_numpy(pages.hand[lines]), [pages.about["columns"].index(name) for name in settings["blind"]])
    variants = pages.variants()
    epoch_of = lambda: list(batches_of_like(segments_of_epoch(training, variants, settings, rng), settings["lines_a_batch"]))
    parameters = [*reader.parameters(), *table.parameters()]
    optimiser = torch.optim.AdamW(
        [{"params": reader.parameters(), "lr": settings["rate"]}, {"params": table.parameters(), "lr": settings["table_rate"]}],
        weight_decay=settings["weight_decay"],
    )
    epochs = [epoch_of()]
    steps = settings["epochs"] * len(epochs[0])
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: rate_at(step, steps, settings))
    slow_reader, slow_table = copy.deepcopy(reader), copy.deepcopy(table)
    for epoch in range(settings["epochs"]):
        started, losses = time.time(), []
        for batch in epochs[0] if epoch == 0 else epoch_of():
            inputs = read_batch(batch, pages, settings, rng)
            loss = loss_of_batch(batch, inputs, run_batch(inputs, reader, table, pages, settings, rng), pages, settings)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, settings["clip"])
            optimiser.step()
            schedule.step()
            follow(slow_reader, reader, settings["averaging"])
            follow(slow_table, table, settings["averaging"])
            losses.append(loss.item())
        print(f"seed {seed} epoch {epoch + 1} {time.time() - started:.0f}s loss {np.mean(losses):.4f}", flush=True)
    slow_reader.settle(0, 1)
    slow_reader.eval()
    values, scale = slow_table.quantised()
    with torch.no_grad():
        # Scores and fit use the network that ships.
        slow_table.weight.copy_(values.float() * scale)
    return {"reader": slow_reader, "table": slow_table, "values": values, "scale": scale, "seed": seed}


def measure_held_out(run, pages, held_out, gold):
    """Returns scores of the held-out pages, and their word F1 with a fit on the same pages."""
    records = list(score_documents(run["reader"], run["table"], pages, pages.held_out(held_out)))
    whole, words = measured(records, gold)
    fit = fitted(whole, gold)
    print_fit(whole, words, fit)
    judged = print_tables(whole, gold, words, fit)
    word_f1 = [one.word_f1 for one in judged if one.source == CONVENTIONS[0]]
    return {**run, "records": records, "word_f1": float(np.mean(word_f1))}


def save(path, run, pages, training, settings, held_out):
    checkpoint = {
        "reader": run["reader"].state_dict(),
        "table": run["values"],
        "scale": run["scale"],
        "gain": run["table"].gain,
        "about": pages.about,
        "conventions": CONVENTIONS,
        "settings": settings,
        "seed": run["seed"],
        "held_out": sorted(held_out),
        "digests": [one["digest"] for one in training],
    }
    torch.save(checkpoint, path)


def read_folds(text):
    return set() if text == "none" else {int(fold) for fold in text.split(",")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", required=True)
    parser.add_argument("--folds", type=read_folds, required=True, help="folds that are held out (0 or 0,1), or none")
    parser.add_argument("--out", required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--scores", help="where to write the scores of the held-out pages")
    parser.add_argument("--settings", type=json.loads, default={}, help="JSON that replaces parts of SETTINGS")
    options = parser.parse_args()
    held_out = options.folds
    if not held_out and (options.scores or len(options.seeds) > 1):
        parser.error("without held-out folds there is nothing to score, and no way to choose a seed")
    torch.set_num_threads(1)
    assert not options.settings.keys() - SETTINGS.keys(), "no such setting"
    settings = {**SETTINGS, **options.settings}
    pages = Pages(options.features)
    training = pages.training(held_out)
    print(f"{len(training)} pages train, {len(pages.held_out(held_out))} are held out", flush=True)
    runs = [train_once(pages, training, seed, settings) for seed in options.seeds]
    best = runs[0]
    if held_out:
        prepared = read_pages([os.path.normpath(options.features) + ".jsonl.gz"])
        gold = {name: page for name, page in prepared.items() if page.get("fold") in held_out}
        runs = [measure_held_out(run, pages, held_out, gold) for run in runs]
        best = max(runs, key=lambda run: run["word_f1"])
        print(f"kept: seed {best['seed']}, word F1 {best['word_f1']:.4f}")
    save(options.out, best, pages, training, settings, held_out)
    if options.scores:
        write_scores(options.scores, best["records"])


if __name__ == "__main__":
    main()
