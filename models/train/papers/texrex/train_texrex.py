"""Runs the experiments of Schäfer 2016 on our gold (cross-validation, one language on another, the value of each feature), and trains the weights
that ship.

    python3 -m papers.texrex.train_texrex --data DIR --out FILE.json [--only cv cross rank] [--epochs N] [--most-lines N]
    python3 -m papers.texrex.train_texrex --data DIR --ship FILE.npz

DIR is the output of texrex_data.py. FILE.json gets the figures; experiments that are not named keep their old ones. canola and waddle-en are for
measuring only: networks trained on them are used for a figure and thrown away. There are always three seeds; intervals are over documents.
"""

import argparse
import json
import os
import sys
import time
import zlib
from typing import Any, Dict, List, Sequence

import numpy as np
import torch

from common.calibrate import calibration_error, platt, probability_of
from common.gold import TURKU_LANGUAGES
from papers.texrex.texrex_measure import best_cut, measure
from papers.texrex.texrex_network import HIDDEN, Network, flat, outputs, train

SEEDS = 3
NAMES = (
    "AnchorProp ContArticle ContBlock ContDiv ContH ContLi ContP ContSection ContTd ContClose Copy DocMarkupProp DtHtml4 DtHtml5 DtXhtml "
    "EmailProp EndsPunct HashProp Length LetterProp MarkupProp NumberProp OpenProp PageProp PercDiv PercText PunctProp SentBogus SentCount "
    "SentLength SkippedDivs TagProp UpperProp UriProp Window1 Window2 YearProp"
).split()
TEXT_NAMES = (
    "Copy EmailProp EndsPunct HashProp Length LetterProp NumberProp PageProp PercDiv PercText PunctProp SentBogus SentCount SentLength "
    "UpperProp UriProp YearProp"
).split()
TEXT_ONLY = np.array([name in TEXT_NAMES for name in NAMES])


class Set:
    """Labelled rows of some documents, only those with good labels; the others are not used here."""

    def __init__(self, rows: np.ndarray, content: np.ndarray, documents: List[Dict[str, Any]], sizes: np.ndarray):
        self.rows, self.content, self.documents, self.sizes = rows, content, documents, sizes

    @property
    def ends(self) -> np.ndarray:
        return np.cumsum(self.sizes)

    def where(self, keep: Sequence[bool]) -> "Set":
        kept = np.asarray(keep, dtype=bool)
        lines = np.repeat(kept, self.sizes)
        return Set(self.rows[lines], self.content[lines], [d for d, k in zip(self.documents, kept) if k], self.sizes[kept])

    def text_only(self) -> "Set":
        return Set(self.rows * TEXT_ONLY.astype(np.float32), self.content, self.documents, self.sizes)


def join(sets: Sequence[Set]) -> Set:
    documents = [document for one in sets for document in one.documents]
    return Set(*(np.concatenate([getattr(one, name) for one in sets]) for name in ("rows", "content")), documents, np.concatenate([one.sizes for one in sets]))


def load(folder: str, name: str) -> Set:
    arrays = np.load(os.path.join(folder, f"{name}.npz"))
    with open(os.path.join(folder, f"{name}.docs.jsonl"), encoding="utf-8") as file:
        documents = [{**json.loads(line), "set": name} for line in file]
    whole = Set(arrays["rows"], arrays["labels"], documents, np.diff(np.r_[0, arrays["ends"]]))
    return whole.where([document["isGood"] for document in documents])


def fold_by_site(document: Dict[str, Any], folds: int) -> int:
    # wcxb and waddle keep the folds that all our models use.
    return document["fold"] if folds == 5 else zlib.crc32(document["site"].encode()) % folds


class Trainer:
    def __init__(self, epochs: int, most_lines: int):
        self.epochs, self.most_lines = epochs, most_lines

    def fit(self, data: Set, seed: int = 1) -> Network:
        """Trains networks with three seeds on the same lines: all of them, or as many as fit."""
        rows, content = data.rows, data.content
        if len(rows) > self.most_lines:
            drawn = np.random.default_rng(seed).choice(len(rows), self.most_lines, replace=False)
            rows, content = rows[drawn], content[drawn]
        return train(rows, 1.0 - content, networks=SEEDS, seed=seed, epochs=self.epochs)

    def folds(self, data: Set, folds: int) -> np.ndarray:
        """Returns outputs for all lines, by networks trained without documents of their site."""
        at = np.array([fold_by_site(document, folds) for document in data.documents])
        lines = np.repeat(at, data.sizes)
        found = np.zeros((len(lines), SEEDS), dtype=np.float32)
        for fold in range(folds):
            if (lines == fold).any():
                found[lines == fold] = outputs(self.fit(data.where(at != fold), 1 + fold), data.rows[lines == fold])
        return found


def cross_validate(folder: str, trainer: Trainer) -> Dict[str, Any]:
    """Trains on each language separately, then on all languages together that may be used; each part of the pool is also measured separately."""
    found: Dict[str, Any] = {}
    for name, folds in (("canola", 10), ("wcxb", 5), ("waddle-zh", 5), ("waddle-ru", 5)):
        data = load(folder, name)
        found[name] = {"folds": folds, **measure(trainer.folds(data, folds), data.content, data.ends, curve=True)}
        print(name, found[name]["at.5"]["correct"], found[name]["at.5"]["pre"], flush=True)
    pool = join([load(folder, name) for name in ("wcxb", "waddle-zh", "waddle-ru")])
    scores = trainer.folds(pool, 5)
    for name in ("wcxb", "waddle-zh", "waddle-ru"):
        keep = np.array([document["set"] == name for document in pool.documents])
        part, lines = pool.where(keep), np.repeat(keep, pool.sizes)
        found[f"pooled, on {name}"] = {"folds": 5, **measure(scores[lines], part.content, part.ends)}
    return found


def across(folder: str, trainer: Trainer) -> Dict[str, Any]:
    """Tests networks of one language on pages of others, and the same with text alone on the lines of turku-tq."""
    found: Dict[str, Any] = {}
    tests = {name: load(folder, name) for name in ("wcxb", "waddle-en", "waddle-zh", "waddle-ru", "canola", "l3s-gn1", "cleaneval-test", "zh-handmade")}
    for source in ("wcxb", "waddle-en", "waddle-zh", "waddle-ru"):
        network = trainer.fit(tests[source])
        found[source] = {
            name: measure(outputs(network, test.rows), test.content, test.ends) for name, test in tests.items() if name != source
        }
        print(source, {name: one["at.5"]["f1"]["value"] for name, one in found[source].items()}, flush=True)
    lines: Dict[str, Any] = {}
    training = {lang: load(folder, f"turku-{lang}").text_only() for lang in TURKU_LANGUAGES}
    sources = {**training, "de+en+sv": join([training[lang] for lang in ("de", "en", "sv")]), "all": join(list(training.values()))}
    for source, data in sources.items():
        network = trainer.fit(data)
        for lang in TURKU_LANGUAGES:
            dev = load(folder, f"turku-{lang}-dev").text_only()
            lines.setdefault(source, {})[lang] = measure(outputs(network, dev.rows), dev.content, dev.ends)
        print("text", source, {lang: one["at.5"]["correct"]["value"] for lang, one in lines[source].items()}, flush=True)
    return {"pages": found, "turku-tq, text and place only": lines}


def rank(folder: str, trainer: Trainer) -> Dict[str, Any]:
    """Measures each feature as the only input, like the paper, and the loss when its values are shuffled among the lines."""
    found: Dict[str, Any] = {}
    for name, folds in (("wcxb", 5), ("canola", 5), ("waddle-zh", 5), ("waddle-ru", 5)):
        data = load(folder, name)
        at = np.array([zlib.crc32(d["site"].encode()) % folds if name == "canola" else d["fold"] for d in data.documents])
        lines = np.repeat(at, data.sizes)
        alone = np.zeros((len(lines), len(NAMES)), dtype=np.float32)
        lost = np.zeros((len(NAMES), SEEDS))
        random = np.random.default_rng(7)
        for fold in range(folds):
            rest, held = data.where(at != fold), lines == fold
            drawn = random.choice(len(rest.rows), min(len(rest.rows), 8000), replace=False)
            mask = torch.zeros(len(NAMES), len(NAMES) * HIDDEN)
            for feature in range(len(NAMES)):
                mask[feature, feature * HIDDEN : (feature + 1) * HIDDEN] = 1
            single = train(rest.rows[drawn], 1.0 - rest.content[drawn], networks=len(NAMES), seed=1, epochs=100, mask=mask)
            alone[held] = outputs(single, data.rows[held])
            network = trainer.fit(rest, 1 + fold)
            rows, boilerplate = data.rows[held].copy(), data.content[held, None] == 0
            right = (outputs(network, rows) >= 0.5) == boilerplate
            for feature in range(len(NAMES)):
                kept = rows[:, feature].copy()
                rows[:, feature] = random.permutation(kept)
                lost[feature] += (right.sum(0) - ((outputs(network, rows) >= 0.5) == boilerplate).sum(0)) / len(lines)
                rows[:, feature] = kept
        measured = {}
        for feature, of in enumerate(NAMES):
            one = measure(alone[:, [feature]], data.content, data.ends)
            permuted = {"mean": round(float(lost[feature].mean()), 4), "least": round(float(lost[feature].min()), 4), "most": round(float(lost[feature].max()), 4)}
            measured[of] = {"aloneCorrect": one["at.5"]["correct"], "alonePre": one["at.5"]["pre"], "aloneArea": one["area"], "permuted": permuted}
        found[name] = measured
        print(name, sorted(((one["aloneArea"], of) for of, one in measured.items()), reverse=True)[:8], flush=True)
    return found


def ship(folder: str, trainer: Trainer, path: str) -> None:
    """Trains the pooled networks that ship, without fold 0 of wcxb and waddle, which the benchmark measures on."""
    page_sets = [load(folder, name) for name in ("wcxb", "waddle-zh", "waddle-ru")]
    lines_sets = [load(folder, name).text_only() for name in ("googletrends", *(f"turku-{lang}" for lang in TURKU_LANGUAGES))]
    small = load(folder, "cleaneval-dev")
    may = lambda one, fold0: one.where([not d["isCopy"] and (fold0 or d["fold"] != 0) for d in one.documents])
    made: Dict[str, Any] = {}
    digests: set = set()
    for which in ("page", "text"):
        folded = [one if which == "page" else one.text_only() for one in page_sets]
        extra = [may(small, True)] if which == "page" else [may(one, True) for one in (small.text_only(), *lines_sets)]
        pool = join([may(one, False) for one in folded])
        at = np.array([document["fold"] for document in pool.documents])
        # Calibration and cuts come from networks trained without the site; turku-tq's own documents also calibrate the text network.
        scored, content = [], []
        for fold in range(1, 5):
            network = trainer.fit(join([pool.where(at != fold), *extra]), 10 + fold)
            held = pool.where(at == fold)
            scored.append(outputs(network, held.rows)[:, 0])
            content.append(held.content)
        x, y = np.concatenate(scored).astype(np.float64), np.concatenate(content).astype(np.float64)
        slope, offset = platt(y, x, np.ones(len(y)))
        p = probability_of(x, slope, offset)
        everything = join([pool, *extra])
        network = trainer.fit(everything, 1)
        made[f"{which}.weights"] = flat(network, 0)
        # The paper's production setting, output .5, is the balanced cut.
        half = probability_of(0.5, slope, offset)
        made[f"{which}.numbers"] = np.array([slope, offset, best_cut(p, y, 0.5)[0], half, best_cut(p, y, 2.0)[0]])
        digests |= {document["digest"] for document in everything.documents}
        print(which, made[f"{which}.numbers"], "calibration error", calibration_error(y, p, np.ones(len(y))), len(everything.documents), len(y), flush=True)
    made["digests"] = np.array(sorted(digests))
    np.savez(path, **made)


EXPERIMENTS = {"cv": cross_validate, "cross": across, "rank": rank}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out")
    parser.add_argument("--ship")
    parser.add_argument("--only", nargs="+", choices=list(EXPERIMENTS), default=list(EXPERIMENTS))
    parser.add_argument("--epochs", type=int, default=500)
    parser.add_argument("--most-lines", type=int, default=60_000)
    options = parser.parse_args()
    torch.set_num_threads(1)
    trainer = Trainer(options.epochs, options.most_lines)
    if options.ship is not None:
        ship(options.data, trainer, options.ship)
    if options.out is None:
        return
    for name in options.only:
        started = time.process_time()
        result = EXPERIMENTS[name](options.data, trainer)
        known = json.load(open(options.out, encoding="utf-8")) if os.path.exists(options.out) else {}
        known[name] = {"epochs": options.epochs, "mostLines": options.most_lines, "seeds": SEEDS, "results": result}
        with open(options.out, "w", encoding="utf-8") as file:
            json.dump(known, file, indent=1)
        print(f"{name}: {time.process_time() - started:.0f} CPU s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
