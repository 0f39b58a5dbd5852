"""Trains line labellers on one language and tests them on each other language, to measure how well they transfer to unseen languages.

    python3 -m papers.cross_lingual --system text --features DIR --vectors FILE --dev DIR --out FILE [--languages fr sv] [--seeds 1 2 3]
    python3 -m papers.cross_lingual --system fasttext --gold DIR --out FILE [--languages fr sv] [--seeds 1 2 3]
    python3 -m papers.cross_lingual --table FILE… [--json FILE]

Each run appends one line of JSON to FILE: for each language of turku-tq dev, right and wrong lines document by document. All are measured at a cut of
one half, as training implies, because fitting a cut would need labelled lines of an unlabelled language.
"""

import argparse
import json
from typing import Any, Iterator

import numpy as np

from common.gold import TURKU_LANGUAGES, read
from common.measure import bootstrap_seeds, counts, scores
from papers.fasttext.fasttext_model import SETTINGS, logits_of, rows_of, train

Counts = dict[str, list[list[float]]]


def text_runs(options: argparse.Namespace) -> Iterator[tuple[str, int, Counts]]:
    """Trains our own network for crawled text by the recipe that ships."""
    import torch

    from text.score_text import score_documents
    from text.text_data import Texts
    from text.train_text import RECIPES, train_once

    torch.set_num_threads(1)
    texts, dev = Texts(options.features, options.vectors), Texts(options.dev)
    documents = [document for document in dev.documents if document["source"] == "turku-tq+crawl"]
    known = {document["base_lang"] for document in texts.documents}
    for language in options.languages:
        settings = {**RECIPES["crawl"], "without_languages": sorted(known - {language})}
        for seed in options.seeds:
            trained = train_once(texts, seed, settings)
            found: Counts = {}
            for one in score_documents(trained["reader"], (trained["table"], trained["pieces"]), dev, documents, settings):
                found.setdefault(one.document["lang"], []).append(counts(one.labels, one.known >= 0).tolist())
            yield language, seed, found


def fasttext_runs(options: argparse.Namespace) -> Iterator[tuple[str, int, Counts]]:
    load = lambda split: {lang: list(read(f"{options.gold}/lines/turku-tq/{lang}.{split}.jsonl.gz")) for lang in TURKU_LANGUAGES}
    training, dev = load("train"), load("dev")
    for language in options.languages:
        lines = [line for document in training[language] for line in document["lines"]]
        rows = [rows_of(line["text"], SETTINGS) for line in lines]
        labels = np.array([int(line["label"]) for line in lines])
        for seed in options.seeds:
            weights = train(rows, labels, seed, SETTINGS)
            found: Counts = {}
            for lang, documents in dev.items():
                for document in documents:
                    answers = np.array([int(line["label"]) for line in document["lines"]])
                    said = logits_of([rows_of(line["text"], SETTINGS) for line in document["lines"]], weights) >= 0
                    found.setdefault(lang, []).append(counts(answers, said).tolist())
            yield language, seed, found


SYSTEMS = {"text": text_runs, "fasttext": fasttext_runs}


def summarise(paths: list[str]) -> list[dict[str, Any]]:
    """Computes means over seeds, with an interval over documents, for each system, training language and test language."""
    runs: dict[tuple[str, str, str], list[list[list[float]]]] = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for one in map(json.loads, file):
                for lang, documents in one["documents"].items():
                    runs.setdefault((one["system"], one["trained"], lang), []).append(documents)
    cells = []
    for (system, trained, lang), seeds in sorted(runs.items()):
        each = [scores(np.array(documents).sum(0)) for documents in seeds]
        share = each[0]["share"]
        cells.append(
            {
                "system": system,
                "trained": trained,
                "tested": lang,
                "seeds": len(seeds),
                "documents": len(seeds[0]),
                "accuracy": round(float(np.mean([one["accuracy"] for one in each])), 4),
                "spread": round(float(np.std([one["accuracy"] for one in each])), 4),
                "interval": [round(float(at), 4) for at in bootstrap_seeds(seeds)["accuracy"]],
                "macroF1": round(float(np.mean([one["macro"] for one in each])), 4),
                "majority": round(max(share, 1 - share), 4),
            }
        )
    return cells


def print_table(cells: list[dict[str, Any]]) -> None:
    print("| system | trained on | " + " | ".join(TURKU_LANGUAGES) + " |\n|---|---|" + "---|" * len(TURKU_LANGUAGES))
    by_run: dict[tuple[str, str], dict[str, str]] = {}
    for one in cells:
        low, high = one["interval"]
        by_run.setdefault((one["system"], one["trained"]), {})[one["tested"]] = f"{one['accuracy']:.3f} ({low:.2f}–{high:.2f})"
    for (system, trained), row in by_run.items():
        print(f"| {system} | {trained} | " + " | ".join(row.get(lang, "") for lang in TURKU_LANGUAGES) + " |")
    majority = {one["tested"]: f"{one['majority']:.3f}" for one in cells}
    print("| majority label of the tested language | | " + " | ".join(majority.get(lang, "") for lang in TURKU_LANGUAGES) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gold", "features", "vectors", "dev", "out", "json"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--system", choices=SYSTEMS)
    parser.add_argument("--languages", nargs="+", choices=TURKU_LANGUAGES, default=TURKU_LANGUAGES)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--table", nargs="+")
    options = parser.parse_args()
    if options.table:
        cells = summarise(options.table)
        print_table(cells)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as out:
                out.write(json.dumps(cells, indent=1) + "\n")
        return
    for language, seed, found in SYSTEMS[options.system](options):
        with open(options.out, "a", encoding="utf-8") as out:
            out.write(json.dumps({"system": options.system, "trained": language, "seed": seed, "documents": found}) + "\n")


if __name__ == "__main__":
    main()
