"""Measures networks on the language, or the fold, that each was trained without, and untrained labellers on the same documents.

    python3 -m text.measure_left_out --scores FILE… --verdicts FILE… [--by fold] [--json FILE]

`--scores` is the output of score_text.py for such networks, with each document once; `--verdicts` is the output of label_lines.js for the same
documents. Calibration and cut of a language are fitted on the other languages, each scored by a network trained without it: so they are what an
unseen language gets. With `--by fold` they are fitted on the other folds, and the rows are languages and all documents. The condition of each
document is given.
"""

import argparse
import json
from types import SimpleNamespace

import numpy as np

from common.calibrate import error_floor, error_interval, error_of_documents
from common.gold import read
from common.measure import SAMPLES, SEED, bootstrap, counts, scores
from text.text_data import UNLABELLED, fold_of_text
from text.text_fit import fitted, scored_as

NETWORK, RULES = "text", "rules"


def read_scores(paths):
    """Returns the documents of all files."""
    import torch

    return [SimpleNamespace(**one) for path in paths for one in torch.load(path, weights_only=False)]


def read_verdicts(paths):
    verdicts = {}
    for path in paths:
        verdicts.update((one.pop("id"), one) for one in read(path))
    return verdicts


def with_known_lines(one):
    """Returns the document without unlabelled lines, and which lines are labelled."""
    known = one.labels != UNLABELLED
    return SimpleNamespace(document=one.document, labels=one.labels[known], known=one.known[known], free=one.free[known], shares=one.shares, lines=known)


# What documents that are left out together have in common.
PARTS = {"language": lambda document: document["lang"], "fold": fold_of_text}


def parted(scored, by):
    found = {}
    for one in scored:
        found.setdefault(PARTS[by](one.document), []).append(with_known_lines(one))
    ids = [one.document["id"] for one in scored]
    if len(found) < 2 or len(set(ids)) < len(ids):
        raise SystemExit(f"{len(ids)} documents, {len(set(ids))} different ones, in {len(found)} {by}s: each must be there once, in two {by}s or more")
    return dict(sorted(found.items()))


def judge(each, others):
    """Adds to the documents P(content) of their lines, and whether they are content, by a fit on others."""
    fits = fitted(others)
    for one in each:
        fit = fits[one.document["condition"]]
        one.probability = scored_as(one, fit)
        one.said = np.round(one.probability, 3) >= fit["thresholds"]["balanced"]


def said_by(name, each, verdicts):
    said = [np.array(verdicts[one.document["id"]][name]) == 1 for one in each]
    for one, verdict in zip(each, said):
        if len(verdict) != len(one.lines):
            raise SystemExit(f"{name} has {len(verdict)} verdicts for the {len(one.lines)} lines of {one.document['id']}")
    return [verdict[one.lines] for one, verdict in zip(each, said)]


def measured(each, verdicts):
    """Scores judged documents: counts of each system's verdicts, document by document, and the calibration error of the network's probabilities."""
    probabilities, said = [one.probability for one in each], [one.said for one in each]
    names = sorted({name for one in each for name in verdicts[one.document["id"]]})
    systems = {NETWORK: said, **{name: said_by(name, each, verdicts) for name in names}}
    labels = [one.labels for one in each]
    table = {name: np.array([counts(*both) for both in zip(labels, of_it)]) for name, of_it in systems.items()}
    error = error_of_documents(labels, probabilities)
    return {"counts": table, "error": error, "interval": error_interval(labels, probabilities), "floor": error_floor(labels, probabilities)[0]}


def difference(ours, theirs):
    """Returns the 95 % interval of our lead in accuracy, over the same documents drawn with replacement."""
    rng = np.random.default_rng(SEED)
    drawn = []
    for _ in range(SAMPLES):
        at = rng.integers(0, len(ours), len(ours))
        drawn.append(scores(ours[at].sum(0))["accuracy"] - scores(theirs[at].sum(0))["accuracy"])
    return tuple(np.percentile(drawn, [2.5, 97.5]))


def mean_over(languages, name):
    """Returns the means of the languages' accuracies and macro F1, with intervals: documents are drawn within each language."""
    rng = np.random.default_rng(SEED)
    tables = [one["counts"][name] for one in languages.values()]
    mean = lambda sums, key: float(np.mean([scores(one)[key] for one in sums]))
    drawn = [[table[rng.integers(0, len(table), len(table))].sum(0) for table in tables] for _ in range(SAMPLES)]
    sums = [table.sum(0) for table in tables]
    return {key: (mean(sums, key), *np.percentile([mean(one, key) for one in drawn], [2.5, 97.5])) for key in ("accuracy", "macro")}


def row_of(found, name):
    table = found["counts"][name]
    total, intervals = scores(table.sum(0)), bootstrap(table)
    row = {"documents": len(table), "lines": int(table.sum()), **{key: (total[key], *intervals[key]) for key in ("accuracy", "macro")}}
    if name == NETWORK:
        row.update(error=(found["error"], *found["interval"]), floor=found["floor"])
    elif NETWORK in found["counts"]:
        ours = found["counts"][NETWORK]
        row["ahead"] = (scores(ours.sum(0))["accuracy"] - total["accuracy"], *difference(ours, table))
    return row


def rows_of(scored, verdicts, by="language"):
    """Maps (language, system) to figures; "mean" has the means over languages and, if folds are left out, "all" has all documents."""
    groups = parted(scored, by)
    for part, each in groups.items():
        judge(each, [one for other, theirs in groups.items() if other != part for one in theirs])
    every = [one for each in groups.values() for one in each]
    in_language = lambda lang: [one for one in every if one.document["lang"] == lang]
    languages = {lang: measured(in_language(lang), verdicts) for lang in sorted({one.document["lang"] for one in every})}
    names = sorted({name for one in languages.values() for name in one["counts"]}, key=lambda name: (name != NETWORK, name != RULES, name))
    rows = {(lang, name): row_of(found, name) for lang, found in languages.items() for name in names}
    rows.update({("mean", name): mean_over(languages, name) for name in names})
    rows["mean", NETWORK]["error"] = (float(np.mean([one["error"] for one in languages.values()])),)
    if by == "fold":
        pooled = measured(every, verdicts)
        rows.update({("all", name): row_of(pooled, name) for name in names})
    return rows


def cell(row, key):
    """Formats a figure with its interval, if it has one."""
    if key not in row:
        return ""
    value, *interval = row[key]
    return f"{value:.3f} ({interval[0]:.2f}–{interval[1]:.2f})" if interval else f"{value:.3f}"


def print_table(rows):
    print("| language | documents / lines | labeller | accuracy | macro F1 | calibration error | floor | text is ahead by |\n|---|---|---|---|---|---|---|---|")
    for (lang, name), row in rows.items():
        size = f"{row['documents']} / {row['lines']}" if "lines" in row else ""
        floor = f"{row['floor']:.3f}" if "floor" in row else ""
        print(f"| {lang} | {size} | {name} | {cell(row, 'accuracy')} | {cell(row, 'macro')} | {cell(row, 'error')} | {floor} | {cell(row, 'ahead')} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("scores", "verdicts"):
        parser.add_argument(f"--{name}", nargs="+", required=True)
    parser.add_argument("--by", choices=sorted(PARTS), default="language", help="what is left out together")
    parser.add_argument("--json", help="the figures, too")
    options = parser.parse_args()
    rows = rows_of(read_scores(options.scores), read_verdicts(options.verdicts), options.by)
    print_table(rows)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([{"lang": lang, "system": name, **row} for (lang, name), row in rows.items()], file, indent=1)


if __name__ == "__main__":
    main()
