"""Trains BoilerNet, MultiBoilerNet and their variants on CleanEval's development pages, as their paper did, and measures them.

    python3 -m papers.boilernet.train_boilernet --sets DIR --out results.jsonl [--variants NAME …] [--seeds 1 2 3] [--epochs N] [--quick]
    python3 -m papers.boilernet.train_boilernet --table results.jsonl --json FILE --command TEXT --date DATE

`--sets` has train, dev, test and zh as boilernet_lines.js writes them, and the same with `.page1` for the variants whose vectors
have the table of page-1. A line of `--out` is a run: its settings, and the counts of right lines for each page of test and zh. Existing runs are not
repeated. `--table` makes one JSON file of them: means over seeds with intervals over pages.
"""

import argparse
import json
import os

import numpy as np
import torch

from papers.boilernet.boilernet_data import read_pages
from papers.boilernet.boilernet_fit import measure, train
from papers.boilernet.boilernet_recipes import QUICK, VARIANTS, settings_of
from papers.boilernet.boilernet_scores import paper_scores

MEASURED = ("test", "zh")
# Wu & Chang 2022, tables III to V: F1 of both labels by DOM leaves, over all of them (micro) and as a mean over pages (macro);
# zero-shot from English. For the auxiliary task they only give the difference: 2 to 7 points, 6 on average.
PUBLISHED = {
    "boilernet": {"test": {"micro": 0.85, "macro": 0.774}, "zh": {"macro": 0.404}},
    "multiboilernet": {"test": {"micro": 0.855, "macro": 0.798}, "zh": {"macro": 0.869}},
    "multiboilernet plain": {"test": {"micro": 0.851, "macro": 0.801}, "zh": {"macro": 0.844}},
    "web2text": {"test": {"micro": 0.83}},
    "boilerpipe": {"test": {"micro": 0.71}},
    "multiboilernet, trained on Chinese": {"zh": {"macro": 0.862}},
}
DIFFERENCES = [
    "lines of the extractor `page` (blocks of text) instead of DOM leaves; the labels of the published leaves are joined into lines, so "
    "there are .6 times as many, and more of them are content",
    "tags inside a block are not on a line's path; links count by their share of the text",
    "vectors of the text: 62 columns of the line and pooled n-grams of a table learned without labels, instead of multilingual BERT",
    "one pass without dropout when the network is used, instead of the mean of up to 64 passes with dropout",
    "the best epoch on the development pages instead of the best step",
    "GoogleTrends is not used for training, because we do not have its markup; like the paper, we train on CleanEval alone",
    "Chinese: only the pages of CleanEval-ZH whose markup is in zh-handmade, not all fifty",
]
QUICK_DIFFERENCE = (
    "for two shared cores: 12 epochs instead of 20; batches of eight windows of 128 lines at a rate of .002, instead of one (BoilerNet: "
    "16) whole page at .001; BoilerNet has 128 units in each direction instead of 256"
)
SAMPLES = 1000


def run(variant, seed, options, known):
    suffix = ".page1" if "page-1" in variant else ""

    def pages(name):
        path = os.path.join(options.sets, name + suffix)
        if path not in known:
            known[path] = read_pages(path)[0]
        return known[path]

    settings = settings_of(variant, **{**(QUICK if options.quick else {}), "seed": seed, **({"epochs": options.epochs} if options.epochs else {})})
    print(f"{variant}, seed {seed}", flush=True)
    network, inputs, dev = train(pages("train"), pages("dev"), settings)
    tables = {name: np.asarray(measure(network, pages(name), inputs)).astype(int).tolist() for name in MEASURED}
    for name, table in tables.items():
        print(f"  {name}: {json.dumps(paper_scores(table))}", flush=True)
    return {"variant": variant, "seed": seed, "settings": settings, "dev": dev, "pages": tables}


def done(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def interval(tables, kind):
    """Returns 95 % intervals; the same pages are drawn for each seed, and the mean over seeds is taken."""
    rng = np.random.default_rng(1)
    tables = np.asarray(tables)
    drawn = []
    for _ in range(SAMPLES):
        at = rng.integers(0, tables.shape[1], tables.shape[1])
        drawn.append(np.mean([paper_scores(table[at])[kind]["mean"] for table in tables]))
    return [round(float(one), 4) for one in np.percentile(drawn, [2.5, 97.5])]


def rounded(values):
    return {key: round(float(value), 4) for key, value in values.items()}


def summary(runs):
    tables = {name: [one["pages"][name] for one in runs] for name in MEASURED}
    about = {"seeds": [one["seed"] for one in runs], "settings": {key: value for key, value in runs[0]["settings"].items() if key != "seed"}}
    for name, of_seeds in tables.items():
        scores = [paper_scores(table) for table in of_seeds]
        about[name] = {"pages": len(of_seeds[0]), "lines": int(np.sum(of_seeds[0]))}
        for kind in ("macro", "micro"):
            mean = {key: np.mean([one[kind][key] for one in scores]) for key in scores[0][kind]}
            each = [round(one[kind]["mean"], 4) for one in scores]
            about[name][kind] = {**rounded(mean), "interval": interval(of_seeds, kind), "eachSeed": each}
    return about


def constant(runs, name):
    """The scores of calling every line content."""
    return rounded({kind: paper_scores([(tp + fn, fp + tn, 0, 0) for tp, fp, fn, tn in runs[0]["pages"][name]])[kind]["mean"] for kind in ("macro", "micro")})


def write_table(options):
    runs = done(options.table)
    variants = {name: [one for one in runs if one["variant"] == name] for name in VARIANTS}
    about = {
        "command": options.command,
        "date": options.date,
        "published": PUBLISHED,
        "differences": [*DIFFERENCES, *([QUICK_DIFFERENCE] if runs[0]["settings"]["window"] == QUICK["window"] else [])],
        "intervals": "95 %, pages drawn with replacement, the mean over seeds",
        "allContent": {name: constant(runs, name) for name in MEASURED},
        "systems": {name: summary(of) for name, of in variants.items() if of},
    }
    with open(options.json, "w", encoding="utf-8") as file:
        file.write(json.dumps(about, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("sets", "out", "table", "json", "command", "date"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--variants", nargs="+", default=list(VARIANTS), choices=list(VARIANTS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--quick", action="store_true", help="with the changes of QUICK, for slow machines")
    parser.add_argument("--epochs", type=int)
    options = parser.parse_args()
    if options.table:
        write_table(options)
        return
    torch.set_num_threads(1)
    known, before = {}, {(one["variant"], one["seed"]) for one in done(options.out)}
    for seed in options.seeds:
        for variant in options.variants:
            if (variant, seed) not in before:
                with open(options.out, "a", encoding="utf-8") as out:
                    out.write(json.dumps(run(variant, seed, options, known)) + "\n")


if __name__ == "__main__":
    main()
