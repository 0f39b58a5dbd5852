"""Trains the `fasttext` labeller, with the settings of Laippala et al. 2020: n-grams up to 3, 30 epochs, otherwise fastText's defaults.

    python3 -m papers.fasttext.train_fasttext --gold DIR --out ../fasttext-1 --created DATE [--seeds 1 2 3]

The first seed always ships; the others show how much a seed matters.
"""

import argparse
import json
import os
from typing import Any

import numpy as np

from common.calibrate import platt, probability_of
from common.gold import TURKU_LANGUAGES, read
from common.measure import bootstrap_seeds, counts, scores
from papers.fasttext.fasttext_folder import write_folder
from papers.fasttext.fasttext_model import SETTINGS, logits_of, quantised, rows_of, train

CURVE = np.round(np.arange(0.02, 0.99, 0.02), 2)


def label_of(document: dict[str, Any]) -> np.ndarray:
    return np.array([int(line["label"]) for line in document["lines"]])


def counts_of(documents: list[dict[str, Any]], said: list[np.ndarray]) -> list[list[float]]:
    return [counts(label_of(document), verdicts).tolist() for document, verdicts in zip(documents, said)]


def curve_of(labels: np.ndarray, probability: np.ndarray) -> list[dict[str, float]]:
    points = []
    for cut in CURVE:
        one = scores(counts(labels, probability >= cut))
        points.append({"cut": float(cut), **{key: round(one[key], 4) for key in ("precision", "recall")}})
    return points


def evaluate(dev: dict[str, list[dict[str, Any]]], by_seed: dict[int, list[np.ndarray]]) -> dict[str, Any]:
    """Computes accuracy and F1 at the softmax's own verdict, by language and pooled: means over seeds, intervals over documents."""
    documents = [document for each in dev.values() for document in each]
    tables = [counts_of(documents, [one >= 0 for one in logits]) for logits in by_seed.values()]
    languages = [document["lang"] for document in documents]
    found = {}
    for group in (*dev, "pooled"):
        at = [number for number, lang in enumerate(languages) if group in (lang, "pooled")]
        seeds = [[table[number] for number in at] for table in tables]
        each = [scores(np.array(one).sum(0)) for one in seeds]
        mean = {key: round(float(np.mean([one[key] for one in each])), 4) for key in ("accuracy", "f1", "macro", "precision", "recall", "share")}
        spread = round(float(np.std([one["accuracy"] for one in each])), 4)
        intervals = bootstrap_seeds(seeds)
        rounded = {key: [round(float(limit), 4) for limit in limits] for key, limits in intervals.items()}
        lines = int(np.array(seeds[0]).sum())
        found[group] = {"documents": len(at), "lines": lines, **mean, "spread": spread, "intervals": rounded}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gold", "out", "created"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--settings", type=json.loads, default={}, help="JSON that replaces parts of SETTINGS")
    options = parser.parse_args()
    settings = {**SETTINGS, **options.settings}
    load = lambda split: {lang: list(read(os.path.join(options.gold, f"lines/turku-tq/{lang}.{split}.jsonl.gz"))) for lang in TURKU_LANGUAGES}
    training, dev = load("train"), load("dev")
    lines = [line for documents in training.values() for document in documents for line in document["lines"]]
    rows = [rows_of(line["text"], settings) for line in lines]
    labels = np.array([int(line["label"]) for line in lines])
    dev_rows = [[rows_of(line["text"], settings) for line in document["lines"]] for documents in dev.values() for document in documents]
    shipped = None
    by_seed = {}
    for seed in options.seeds:
        values, scale = quantised(train(rows, labels, seed, settings))
        shipped = shipped or (values, scale)
        by_seed[seed] = [scale * logits_of(one, values) for one in dev_rows]
        print(f"seed {seed}: scale {scale:.4f}, {np.mean(values != 0):.2f} of the rows in use", flush=True)
    measured = evaluate(dev, by_seed)
    documents = [document for each in dev.values() for document in each]
    answers = np.concatenate([label_of(document) for document in documents])
    first = np.concatenate(by_seed[options.seeds[0]])
    # A network that has memorised its training lines has large logits, but Newton's method must start near 1.
    spread = float(first.std())
    slope, offset = platt(answers, first / spread, np.full(len(answers), 1 / len(answers)))
    calibration = (slope / spread, offset)
    probability = probability_of(first, *calibration)
    report = {"dev": measured, "curve": curve_of(answers, probability)}
    print(json.dumps(measured, indent=1))
    write_folder(options, settings, shipped, (answers, probability, calibration), report, training)


if __name__ == "__main__":
    main()
