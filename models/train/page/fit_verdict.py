"""Fits the verdict "nothing here" of a model folder on pages of many types, and writes it there.

    python3 -m page.fit_verdict --scores verdict-?.scores.jsonl --pages verdict.jsonl.gz --model ../page-6 [--threshold P]

The records come from score_pages.py, each by a network of the same recipe trained without the page's fold. Slopes and threshold come from all
records; the table, and the scores that decide the threshold, come from fits on four fifths of the sites for the last fifth. `--threshold` only prints
the effect of another threshold.
"""

import argparse
import math
import os
from collections import Counter

import numpy as np

from common.calibrate import logistic, probability_of
from common.gold import FOLDS, fold_of
from common.json_file import read_json, write_json
from page.measure_pages import read_scores
from page.page_fit import MOST_FALSE_ALARMS_OF_SHORT, threshold_for
from page.page_label import SIGNS, content_signs, rounded
from page.page_words import read_pages

# The share of each type's pages with main content that may get "nothing here"; types with fewer pages than FEWEST_PAGES are not checked.
MOST_FALSE_ALARMS = 0.005
FEWEST_PAGES = 50


def group_of(record):
    if record["variant"] == "base" and record["answer"] == 0:
        return "login" if record["source"] == "formasaurus" else "no gold text"
    return record["kind"] if record["variant"] == "base" else f"{record['variant']} {record['kind']}"


def weights_of(groups, answers):
    """Groups count by the root of their size, and content and no content count the same, because what is rare here may not be rare elsewhere."""
    sizes = Counter(groups)
    weights = np.array([1 / math.sqrt(sizes[one]) for one in groups])
    for answer in (0, 1):
        weights[answers == answer] *= len(answers) / 2 / weights[answers == answer].sum()
    return weights


def fit(answers, signs, weights):
    """Fits slopes and offset. A sign whose slope has the wrong direction is left out, because it adds nothing to the others."""
    used = list(range(len(SIGNS)))
    while True:
        found, offset = logistic(answers, signs[:, used], weights)
        wrong = [at for at, slope in zip(used, found) if (slope > 0) == (SIGNS[at] == "walls")]
        if not wrong:
            slopes = np.zeros(len(SIGNS))
            slopes[used] = found
            return slopes, offset
        used.remove(wrong[0])


def out_of_fold(answers, signs, weights, folds):
    scores = np.zeros(len(answers))
    for fold in range(FOLDS):
        known, asked = folds != fold, folds == fold
        slopes, offset = fit(answers[known], signs[known], weights[known])
        scores[asked] = probability_of(signs[asked] @ slopes, 1.0, offset)
    return rounded(scores)


def threshold_of(scores, groups, variants, answers):
    """Returns the highest threshold that spares enough pages of each type, and enough short ones."""
    full = (answers == 1) & (variants == "base")
    types = [kind for kind, count in Counter(groups[full]).items() if count >= FEWEST_PAGES]
    of_types = [threshold_for(scores[full & (groups == kind)], MOST_FALSE_ALARMS) for kind in types]
    return min([*of_types, threshold_for(scores[variants == "short"], MOST_FALSE_ALARMS_OF_SHORT)])


def wilson(found, of, z=1.96):
    """95 % interval of a share."""
    share, bend = found / of, z * z / of
    middle, half = share + bend / 2, z * math.sqrt((share * (1 - share) + bend / 4) / of)
    return max(0.0, (middle - half) / (1 + bend)), (middle + half) / (1 + bend)


def print_table(scores, groups, answers, threshold):
    print("| | pages | called empty | |\n|---|---|---|---|")
    for group in sorted(set(groups), key=lambda one: (answers[groups == one][0] == 0, one)):
        those = scores[groups == group]
        found = int((those < threshold).sum())
        low, high = wilson(found, len(those))
        print(f"| {group} | {len(those)} | {found} | {found / len(those):.4f} ({low:.4f}–{high:.4f}) |")


def read_records(paths, pages):
    """Scored pages with their answers."""
    keys = ("variant", "answer", "site", "kind")
    return [{**one, **{key: pages[one["id"]].get(key) for key in keys}} for one in read_scores(paths)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scores", nargs="+", required=True)
    parser.add_argument("--pages", required=True)
    parser.add_argument("--model", required=True, help="the folder whose model.json gets the verdict")
    parser.add_argument("--threshold", type=float, help="another threshold, to look at; nothing is written")
    options = parser.parse_args()
    path = os.path.join(options.model, "model.json")
    about = read_json(path)
    records = read_records(options.scores, read_pages([options.pages]))
    signs = np.array([content_signs(one, about) for one in records])
    answers = np.array([one["answer"] for one in records], dtype=np.float64)
    groups = np.array([group_of(one) for one in records])
    weights = weights_of(groups, answers)
    folds = np.array([fold_of(one["site"]) for one in records])
    scores = out_of_fold(answers, signs, weights, folds)
    threshold = threshold_of(scores, groups, np.array([one["variant"] for one in records]), answers)
    slopes, offset = fit(answers, signs, weights)
    print_table(scores, groups, answers, options.threshold or threshold)
    if options.threshold is None:
        about["verdict"] = {**dict(zip(SIGNS, slopes.tolist())), "offset": offset, "threshold": threshold}
        print(about["verdict"])
        write_json(path, about)


if __name__ == "__main__":
    main()
