"""Trains the `text` labeller in many ways and sets them side by side: what carries context, what reads a line, what each part
of the recipe is worth, languages left out, and how much there is to learn from.

    python3 compare_text.py --features DIR --dev DIR --eval DIR --out FILE [--only NAME…] [--epochs 4]
    python3 compare_text.py --table FILE…

Each run appends one line of JSON to FILE; two processes with different names may share the work. Verdicts are as in use: the
network tells the condition, and calibration and cut are fitted on dev. `--eval` is measured only for what is zero-shot
there (Chinese). All variants train as SETTINGS says, but for the epochs and what VARIANTS names.
"""

import argparse
import json

import numpy as np
import torch

from crf import fit_chain, marginals
from data import Features
from measure import counts, scores
from score_text import score_documents
from text_data import Texts
from text_fit import fitted, said
from train_text import SETTINGS, train_once

TURKU = ("de", "en", "es", "fi", "fr", "sv")
SEEDS = (1, 2, 3)
LINE_COLUMNS = ("position", "lines-before", "lines-after", "length-to-mean", "length-to-median", "length-to-longest", "length-to-previous", "length-to-next")
COPY_COLUMNS = ("copy", "copied-later", "copies", "near-copy", "near-copied-later", "near-copies", "same-shape", "same-beginning", "same-ending", "words-seen-elsewhere", "long-words-seen-elsewhere", "words-of-long-lines", "words-of-first-line", "word-spread")
PAGES = ("wcxb", "waddle-ru", "waddle-zh", "cleaneval", "mbn-cleaneval", "mbn-googletrends")


def without(*variants):
    return {"variants": {**SETTINGS["variants"], **{name: 0 for name in variants}}}


# Name to settings and seeds.
VARIANTS = {
    "lstm": ({}, SEEDS),
    "bag of lines": ({"context": "none"}, SEEDS),
    "gru": ({"context": "gru"}, SEEDS),
    "convolutions": ({"context": "convolutions"}, SEEDS),
    "transformer": ({"context": "transformer"}, SEEDS),
    "bytes for bags": ({"bags": [], "bytes": 64}, SEEDS[:1]),
    "no bags": ({"bags": []}, SEEDS[:1]),
    "words and shapes": ({"bags": ["words", "shapes"]}, SEEDS[:1]),
    "shapes": ({"bags": ["shapes"]}, SEEDS[:1]),
    "without place": ({"without_columns": list(LINE_COLUMNS)}, SEEDS[:1]),
    "without copies": ({"without_columns": list(COPY_COLUMNS)}, SEEDS[:1]),
    "without markup": ({"markup": 0.0}, SEEDS),
    "without teacher": ({"teacher": 0.0}, SEEDS),
    "without disguise": (without("disguised"), SEEDS[:1]),
    "without damage": (without("damaged"), SEEDS[:1]),
    "without plants": (without("planted", "plants", "turku-tq+plants"), SEEDS),
    "without extracts": (without("readable", "chosen", "half"), SEEDS[:1]),
    "turku-tq alone": ({"without_corpora": list(PAGES)}, SEEDS[:1]),
    "pages alone": ({"without_corpora": ["turku-tq"]}, SEEDS[:1]),
    "a quarter of the documents": ({"share": 0.25}, SEEDS[:1]),
    "half of the documents": ({"share": 0.5}, SEEDS[:1]),
    **{f"without {lang}": ({"without_languages": [lang]}, SEEDS if lang == "sv" else SEEDS[:1]) for lang in TURKU},
    "without ru": ({"without_corpora": ["waddle-ru"]}, SEEDS[:1]),
    "without zh": ({"without_corpora": ["waddle-zh"]}, SEEDS),
    "de, en and sv alone": ({"without_languages": ["es", "fi", "fr", "ru", "zh", "ca", "pt", "id", "ar", "hi", "ur"]}, SEEDS[:1]),
    "es and fr alone": ({"without_languages": ["de", "en", "fi", "sv", "ru", "zh", "id", "ar", "hi", "ur"]}, SEEDS[:1]),
}


def measured(scored, fits):
    """Accuracy, F1 and macro F1 by group; of the crawl also by language."""
    groups = {}
    for one in scored:
        names = [one.document["source"]]
        if one.document["source"] == "turku-tq+crawl":
            names.append(f"turku-tq {one.document['lang']}")
        verdicts = said(one, fits)[1]
        for name in names:
            groups.setdefault(name, []).append(counts(one.labels, verdicts))
    return {name: {key: round(value, 4) for key, value in scores(sum(each)).items()} for name, each in groups.items()}


def run(texts, dev, evaluated, settings, seed):
    trained = train_once(texts, seed, settings)
    score = lambda features, documents: list(score_documents(trained["reader"], trained["table"], features, documents, settings))
    scored = score(dev, dev.documents)
    unseen = {*settings["without_languages"], *(corpus.split("-")[-1] for corpus in settings["without_corpora"])}
    # What is left out of training chooses no cut either.
    fits = fitted([one for one in scored if one.document["lang"] not in unseen])
    found = measured(scored, fits)
    if "waddle-zh" in settings["without_corpora"]:
        chinese = [document for document in evaluated.documents if document["source"] == "mbn-cleaneval-zh"]
        found.update(measured(score(evaluated, chinese), fits))
    return trained, scored, found


def chain_scores(texts, trained, scored, settings, rng):
    """The same network with a chain over its verdicts: transitions fitted on crawled text, verdicts by marginals."""
    crawl = [document for document in texts.documents if document["source"] == "turku-tq+crawl"]
    some = [crawl[at] for at in rng.permutation(len(crawl))[:300]]
    sequences = [(one.labels, one.known) for one in score_documents(trained["reader"], trained["table"], texts, some, settings)]
    chain = fit_chain(sequences)
    of_crawl = [one for one in scored if one.document["source"] == "turku-tq+crawl"]
    total = sum(counts(one.labels, marginals(chain, one.known) >= 0.5) for one in of_crawl)
    return {"turku-tq+crawl": {key: round(value, 4) for key, value in scores(total).items()}}


def compare(options):
    texts, dev, evaluated = Texts(options.features), Texts(options.dev), Features(options.eval)
    names = options.only or list(VARIANTS)
    for name in names:
        changes, seeds = VARIANTS[name]
        settings = {**SETTINGS, "epochs": options.epochs, **changes}
        if settings["bytes"]:
            for features, folder in ((texts, options.features), (dev, options.dev), (evaluated, options.eval)):
                features.read_bytes(folder.rstrip("/") + ".jsonl.gz", settings["bytes"])
        for seed in seeds:
            trained, scored, found = run(texts, dev, evaluated, settings, seed)
            record(options.out, name, seed, found)
            if name == "lstm":
                record(options.out, "lstm and a chain", seed, chain_scores(texts, trained, scored, settings, np.random.default_rng(seed)))


def record(path, name, seed, found):
    with open(path, "a", encoding="utf-8") as out:
        out.write(json.dumps({"variant": name, "seed": seed, "groups": found}) + "\n")


# Group, figure and heading of a table's columns.
COLUMNS = (
    ("turku-tq+crawl", "accuracy", "turku-tq accuracy"),
    ("wcxb+raw", "f1", "wcxb raw F1"),
    ("wcxb+readable", "macro", "wcxb extracted macro F1"),
    ("waddle-zh+raw", "macro", "waddle zh raw macro F1"),
    ("waddle-ru+raw", "macro", "waddle ru raw macro F1"),
)


def print_table(paths):
    runs = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for one in map(json.loads, file):
                runs.setdefault(one["variant"], {})[one["seed"]] = one["groups"]
    print("| | seeds | " + " | ".join(heading for *_, heading in COLUMNS) + " |")
    print("|---|---|" + "---|" * len(COLUMNS))
    for name in [*VARIANTS, "lstm and a chain"]:
        if name in runs:
            print(f"| {name} | {len(runs[name])} | " + " | ".join(cell(runs[name].values(), group, key) for group, key, _ in COLUMNS) + " |")
    print("\n| left out | seeds | measured on | accuracy | macro F1 |\n|---|---|---|---|---|")
    for lang in TURKU:
        left_out(runs, f"without {lang}", f"turku-tq {lang}")
    left_out(runs, "without ru", "waddle-ru+raw")
    left_out(runs, "without zh", "waddle-zh+raw")
    left_out(runs, "without zh", "mbn-cleaneval-zh")
    for family in ("de, en and sv alone", "es and fr alone"):
        for lang in TURKU:
            if lang in family.split(" alone")[0].replace(",", "").split():
                left_out(runs, family, f"turku-tq {lang}")
                left_out(runs, "lstm", f"turku-tq {lang}")


def left_out(runs, name, group):
    if name in runs:
        print(f"| {name} | {len(runs[name])} | {group} | {cell(runs[name].values(), group, 'accuracy')} | {cell(runs[name].values(), group, 'macro')} |")


def cell(groups, group, key):
    values = [one[group][key] for one in groups if group in one]
    if not values:
        return ""
    spread = f" ±{np.std(values):.3f}" if len(values) > 1 else ""
    return f"{np.mean(values):.3f}{spread}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("features", "dev", "eval", "out"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--only", nargs="+", choices=VARIANTS)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--table", nargs="+")
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.table:
        print_table(options.table)
    else:
        compare(options)


if __name__ == "__main__":
    main()
