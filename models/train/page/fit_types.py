"""Fits the model that predicts a page's type, from the network's judgement, the mean columns of the page's lines, and what the page says about its
type, and writes it into a model folder.

    python3 -m page.fit_types --scores fold-?.scores.jsonl --features DIR --clues clues.jsonl --model ../page-6 [--trial]

The records come from train_page.py, each by a network trained without the page's site, so that the judgement is weighed as on unseen pages; `clues`
come from page_clues.js. The table is by folds over hosts: each page by a fit without its site. With `--trial` nothing is written.
"""

import argparse
import hashlib
import json
import os
from collections import Counter, defaultdict
from urllib.parse import urlparse

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from common.features import Features
from common.gold import FOLDS, read_by_id
from common.json_file import read_json, write_json
from page.measure_pages import read_scores
from page.page_fit import GUIDE
from page.page_types import PAGE_TYPES

FILE = "types.json"
# A clue of fewer sites may be specific to one site.
FEWEST_SITES = 4
# Sets of news: their pages state no type, but all are articles, in languages and from sites that the typed sets lack.
ARTICLES = ("waddle-ru", "mercury")
# Weights of pages: of the guiding corpus, and of others, whose types hold for a whole set or were guessed.
WEIGHT_OF_GUIDE, WEIGHT_OF_OTHERS = 1.0, 0.5
# How much a page counts again without what it says about its type, and without its address.
SILENT, WITHOUT_ADDRESS = 0.3, 0.2
ADDRESS = ("host", "domain", "path", "segment", "first", "segments", "ending", "words", "query", "year-in-path", "ends-in-slash", "long-number")
# How strongly the weights of standardised inputs are pulled towards 0.
PULL = 1 / 0.03
LEAST_DEVIATION = 0.05
# Clipped as in the program (correction.ts), and the most deviations that a clue is worth.
FARTHEST, FARTHEST_CLUE = 3.0, 4.0
STEPS = 60


def is_of_address(clue):
    return clue.split(":")[0] in ADDRESS


def type_of(record):
    return "article" if record["source"] in ARTICLES else record.get("pageType")


def site_of(url):
    return ".".join(urlparse(url).netloc.lower().split(".")[-2:])


class Typed:
    """Pages of a known type: numbers [pages, columns], lists of clues, types, folds and weights."""

    def __init__(self, options):
        features = Features(options.features)
        self.columns = features.about["columns"]
        documents = {one["id"]: one for one in features.documents}
        said = read_by_id(options.clues)
        known = lambda one: one["variant"] == "base" and type_of(one) in PAGE_TYPES and 1 in one["labels"]
        records = [one for one in read_scores(options.scores) if known(one)]
        missing = [one["id"] for one in records if one["id"] not in said]
        assert not missing, f"{len(missing)} pages without clues, such as {missing[0]}"
        numbers = []
        for one in records:
            document = documents[one["id"]]
            lines = features.hand[document["start"] : document["start"] + document["lines"]]
            numbers.append(np.concatenate([one["page"], lines.mean(0, dtype=np.float64), [np.log1p(document["lines"])]]))
        self.numbers = np.array(numbers)
        self.clues = [set(said[one["id"]]["clues"]) for one in records]
        self.types = np.array([PAGE_TYPES.index(type_of(one)) for one in records])
        self.folds = np.array([one["fold"] for one in records])
        self.is_guide = np.array([one["source"] == GUIDE for one in records])
        self.judged = np.array([one["page"][: len(PAGE_TYPES)] for one in records]).argmax(1)
        self.sites = [site_of(said[one["id"]]["url"]) for one in records]


def vocabulary(clues, sites):
    """Clues of enough sites, in the order of the alphabet."""
    seen = defaultdict(set)
    for those, site in zip(clues, sites):
        for clue in those:
            seen[clue].add(site)
    return sorted(clue for clue, of in seen.items() if len(of) >= FEWEST_SITES)


def table_of(clues, words):
    at = {word: place for place, word in enumerate(words)}
    found = np.zeros((len(clues), len(words)))
    for row, those in enumerate(clues):
        found[row, [at[clue] for clue in those if clue in at]] = 1
    return found


class Fit:
    """Multinomial logistic regression on standardised numbers and clues."""

    def __init__(self, typed, rows):
        self.words = vocabulary([typed.clues[row] for row in rows], [typed.sites[row] for row in rows])
        clues = table_of([typed.clues[row] for row in rows], self.words)
        numbers = typed.numbers[rows]
        self.mean, self.deviation = numbers.mean(0), np.maximum(numbers.std(0), LEAST_DEVIATION)
        self.share = clues.mean(0)
        self.spread = np.maximum(clues.std(0), LEAST_DEVIATION)
        weights = np.where(typed.is_guide[rows], WEIGHT_OF_GUIDE, WEIGHT_OF_OTHERS)
        of_address = np.array([is_of_address(word) for word in self.words])
        # Copies with less information, so that a page about which less is known is not mistaken for one that says less.
        inputs = [self.scaled(numbers, clues), self.scaled(numbers, clues * 0), self.scaled(numbers, clues * ~of_address)]
        x = np.concatenate(inputs)
        y = np.tile(typed.types[rows], len(inputs))
        w = np.concatenate([weights, weights * SILENT, weights * WITHOUT_ADDRESS])
        self.weights, self.offsets = solve(x, y, w)

    def scaled(self, numbers, clues):
        scaled = ((numbers - self.mean) / self.deviation).clip(-FARTHEST, FARTHEST)
        said = ((clues - self.share) / self.spread).clip(-FARTHEST_CLUE, FARTHEST_CLUE)
        return np.concatenate([scaled, said], 1)

    def logits(self, numbers, clues):
        return self.scaled(numbers, table_of(clues, self.words)) @ self.weights + self.offsets

    def described(self, columns):
        """In the form that the program reads: for a clue, what it adds if it is present."""
        numbers = len(self.mean)
        absent = ((0 - self.share) / self.spread).clip(-FARTHEST_CLUE, FARTHEST_CLUE)
        there = ((1 - self.share) / self.spread).clip(-FARTHEST_CLUE, FARTHEST_CLUE)
        of_clues = self.weights[numbers:]
        short = lambda values: [float(f"{value:.5g}") for value in values]
        # Rounded to thousandths of a logit, so that browsers load less.
        thousandths = lambda values: [round(float(value), 3) for value in values]
        return {
            "inputs": [*(f"type {name}" for name in PAGE_TYPES), "content", *columns, "log-lines"],
            "means": short(self.mean),
            "deviations": short(self.deviation),
            "weights": [thousandths(row) for row in self.weights[:numbers]],
            "offsets": thousandths(self.offsets + absent @ of_clues),
            "clues": {word: thousandths(row) for word, row in zip(self.words, (there - absent)[:, None] * of_clues)},
        }


def solve(x, y, w):
    x, y, w = torch.from_numpy(x), torch.from_numpy(y), torch.from_numpy(w)
    weights = torch.zeros(x.shape[1], len(PAGE_TYPES), dtype=torch.float64, requires_grad=True)
    offsets = torch.zeros(len(PAGE_TYPES), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights, offsets], max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss():
        optimiser.zero_grad()
        found = (cross_entropy(x @ weights + offsets, y, reduction="none") * w).sum() + PULL * (weights**2).sum()
        found.backward()
        return found

    optimiser.step(loss)
    return weights.detach().numpy(), offsets.detach().numpy()


def probabilities(logits):
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def out_of_fold(typed):
    """By what is known about a page: its logits from a fit without its site."""
    without = lambda those: {clue for clue in those if not is_of_address(clue)}
    known = {"all": lambda those: those, "no address": without, "nothing said": lambda those: set()}
    found = {name: np.zeros((len(typed.types), len(PAGE_TYPES))) for name in known}
    for fold in range(FOLDS):
        fit = Fit(typed, np.flatnonzero(typed.folds != fold))
        asked = np.flatnonzero(typed.folds == fold)
        for name, of in known.items():
            found[name][asked] = fit.logits(typed.numbers[asked], [of(typed.clues[row]) for row in asked])
    return found


def print_table(typed, found):
    judged = {"the network alone": typed.judged, **{name: logits.argmax(1) for name, logits in found.items()}}
    print("| | all | " + GUIDE + " | more than the network | " + " | ".join(PAGE_TYPES) + " |\n" + "|---" * (4 + len(PAGE_TYPES)) + "|")
    rng = np.random.default_rng(1)
    guide = typed.is_guide
    for name, said in judged.items():
        right = said == typed.types
        more = (right.astype(float) - (typed.judged == typed.types))[guide]
        drawn = more[rng.integers(0, len(more), (1000, len(more)))].mean(1)
        low, high = np.percentile(drawn, [2.5, 97.5])
        of_types = [f"{(right & guide & (typed.types == at)).sum()} of {(guide & (typed.types == at)).sum()}" for at in range(len(PAGE_TYPES))]
        print(f"| {name} | {right.mean():.3f} | {right[guide].mean():.3f} | {more.mean():+.3f} ({low:+.3f} to {high:+.3f}) | " + " | ".join(of_types) + " |")
    sure = probabilities(found["all"]).max(1)
    right = found["all"].argmax(1) == typed.types
    for low, high in ((0, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.01)):
        those = (sure >= low) & (sure < high)
        print(f"said with {low} to {min(1, high)}: {those.sum()} pages, mean {sure[those].mean():.3f}, right {right[those].mean():.3f}")


def write(folder, described):
    text = json.dumps(described, ensure_ascii=False, separators=(",", ":")) + "\n"
    with open(os.path.join(folder, FILE), "w", encoding="utf-8") as file:
        file.write(text)
    path = os.path.join(folder, "model.json")
    about = read_json(path)
    about["typing"] = {"file": FILE, "sha256": hashlib.sha256(text.encode("utf-8")).hexdigest()}
    write_json(path, about)
    print(f"{folder}/{FILE}: {len(described['clues'])} clues, {len(text)} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scores", nargs="+", required=True)
    parser.add_argument("--features", required=True)
    parser.add_argument("--clues", required=True)
    parser.add_argument("--model", required=True, help="the folder that the fit is written to")
    parser.add_argument("--trial", action="store_true", help="only print how good the fit is")
    options = parser.parse_args()
    torch.set_num_threads(1)
    typed = Typed(options)
    print(f"{len(typed.types)} pages: {dict(Counter(PAGE_TYPES[at] for at in typed.types))}")
    print_table(typed, out_of_fold(typed))
    if not options.trial:
        write(options.model, Fit(typed, np.arange(len(typed.types))).described(typed.columns))


if __name__ == "__main__":
    main()
