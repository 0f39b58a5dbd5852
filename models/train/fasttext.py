"""Trains the `fasttext` labeller: a linear classifier over the mean of word n-gram embeddings, as fastText has it (Joulin et al.
2016) and as Laippala et al. 2020 set it: n-grams to 3, 30 epochs, the rest at fastText's defaults. Own code; no such package needed.

    python3 fasttext.py --gold DIR --out ../fasttext-1 --created DATE [--seeds 1 2 3]

The first seed ships, whatever the others do; they say how much a seed matters. With two labels the mean of the embeddings times
the output layer is a mean of one number an n-gram: those numbers are what ships, a byte each.
"""

import argparse
import functools
import json
import os
import re
from typing import Any

import numpy as np

from calibrate import platt, probability_of
from gold import read
from measure import bootstrap, bootstrap_seeds, counts, scores

LANGUAGES = ("de", "en", "es", "fi", "fr", "sv")
SETTINGS: dict[str, Any] = {"dimensions": 100, "rate": 0.1, "epochs": 30, "ngrams": 3, "rows": 2**20}
# What fastText takes as the space between words, and the word that ends each line for it.
SPACE = re.compile("[ \n\r\t\v\f\0]+")
END = "</s>"
HASH_START, PRIME, JOIN = 0x811C9DC5, 0x01000193, 0x5BD1E995
MASK = 0xFFFFFFFF
CURVE = np.round(np.arange(0.02, 0.99, 0.02), 2)


@functools.lru_cache(maxsize=1_000_000)
def hash_of(word: str) -> int:
    """FNV-1a over UTF-16 code units, as src/label/features/hash.ts has it."""
    value = HASH_START
    for unit in np.frombuffer(word.encode("utf-16-le", "surrogatepass"), "<u2").tolist():
        value = ((value ^ unit) * PRIME) & MASK
    return value


def join(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return ((left * np.uint32(JOIN)) ^ (right >> np.uint32(15)) ^ right) * np.uint32(PRIME)


def finish(value: np.ndarray) -> np.ndarray:
    value = (value ^ (value >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    value = (value ^ (value >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return value ^ (value >> np.uint32(16))


def rows_of(text: str, settings: dict[str, Any]) -> np.ndarray:
    """The rows of the table that a line asks for: one for each word and each n-gram of words."""
    words = [hash_of(word) for word in SPACE.split(text) if word] + [hash_of(END)]
    gram = np.array(words, np.uint32)
    last = gram
    parts = [gram]
    for size in range(2, settings["ngrams"] + 1):
        last = join(last[: len(gram) - size + 1], gram[size - 1 :])
        parts.append(last)
    return (finish(np.concatenate(parts)) & np.uint32(settings["rows"] - 1)).astype(np.int64)


def train(rows: list[np.ndarray], labels: np.ndarray, seed: int, settings: dict[str, Any]) -> np.ndarray:
    """One line after the other, the rate falling to zero; [rows] of what each adds to the logit, 0 where none was seen."""
    rng = np.random.default_rng(seed)
    size = settings["dimensions"]
    seen, compact = np.unique(np.concatenate(rows), return_inverse=True)
    table = rng.uniform(-1 / size, 1 / size, (len(seen), size)).astype(np.float32)
    output = np.zeros(size, np.float32)
    lines = []
    for part in np.split(compact, np.cumsum([len(one) for one in rows])[:-1]):
        at, times = np.unique(part, return_counts=True)
        lines.append((at, (times / len(part)).astype(np.float32)))
    steps = settings["epochs"] * len(lines)
    done = 0
    for _ in range(settings["epochs"]):
        for line in rng.permutation(len(lines)):
            at, shares = lines[line]
            rate = settings["rate"] * (1 - done / steps)
            embeddings = table[at]
            hidden = shares @ embeddings
            error = rate * (labels[line] - 1 / (1 + np.exp(-float(hidden @ output))))
            embeddings += shares[:, None] * np.float32(error) * output
            table[at] = embeddings
            # The weights of both labels move, in opposite directions; their difference moves twice as far.
            output += np.float32(2 * error) * hidden
            done += 1
    folded = np.zeros(settings["rows"], np.float32)
    folded[seen] = table @ output
    return folded


def quantised(weights: np.ndarray) -> tuple[np.ndarray, float]:
    scale = float(np.abs(weights).max()) / 127
    return np.round(weights / scale).astype(np.int8), scale


def logits_of(rows: list[np.ndarray], weights: np.ndarray) -> np.ndarray:
    return np.array([float(weights[one].astype(np.float64).mean()) for one in rows])


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
    """Accuracy and F1 at the softmax's own verdict, by language and pooled: means over seeds, intervals over documents."""
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
        intervals = bootstrap_seeds(seeds) if len(seeds) > 1 else bootstrap(seeds[0])
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
    load = lambda split: {lang: list(read(os.path.join(options.gold, f"lines/turku-tq/{lang}.{split}.jsonl.gz"))) for lang in LANGUAGES}
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
    # Logits of a network that knows its training lines by heart are large: Newton's method needs them near 1 to start.
    spread = float(first.std())
    slope, offset = platt(answers, first / spread, np.full(len(answers), 1 / len(answers)))
    calibration = (slope / spread, offset)
    probability = probability_of(first, *calibration)
    report = {"dev": measured, "curve": curve_of(answers, probability)}
    print(json.dumps(measured, indent=1))
    # What writes folders needs PyTorch, for other kinds of models.
    from fasttext_folder import write_folder

    write_folder(options, settings, shipped, (answers, probability, calibration), report, training)


if __name__ == "__main__":
    main()
