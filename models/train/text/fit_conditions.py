"""Fits the model that predicts the condition of a text from its signs, and writes it into a model folder.

    python3 -m text.fit_conditions --signs conditions.signs.jsonl --model ../text-7

The records come from condition_signs.js. The model is a logistic regression on the signs and their squares; it is measured on unseen sites and unseen
languages.
"""

import argparse
from collections import Counter

import numpy as np

from common.gold import read
from common.json_file import read_json, write_json
from text.text_data import CONDITIONS

PENALTY = 1.0
STEPS = 4000
# A prediction is doubtful if its score is below the one from which this share is right.
MOST_RIGHT = 0.8


def weights_of(records):
    """Gives conditions the same weight, and also the sets of one condition."""
    sizes = Counter((one["condition"], one["set"]) for one in records)
    sets = Counter(condition for condition, _ in sizes)
    weights = np.array([1 / sizes[one["condition"], one["set"]] / sets[one["condition"]] for one in records])
    return weights / weights.mean()


def inputs_of(signs, mean, deviation):
    standard = (signs - mean) / deviation
    return np.hstack([standard, standard**2, np.ones((len(signs), 1))])


def softmax(logits):
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def fit(records):
    """Returns mean and deviation of each sign, and weights, [signs and squares and one, conditions], by accelerated gradient descent (Nesterov 1983)."""
    signs = np.array([one["signs"] for one in records])
    mean, deviation = signs.mean(0), signs.std(0) + 1e-9
    inputs = inputs_of(signs, mean, deviation)
    wanted = np.eye(len(CONDITIONS))[[CONDITIONS.index(one["condition"]) for one in records]]
    weights = weights_of(records)[:, None]
    penalty = np.full((inputs.shape[1], 1), PENALTY)
    penalty[-1] = 0
    # An upper bound of the curvature: no step is too long.
    step = 1 / (0.5 * np.linalg.eigvalsh(inputs.T @ (weights * inputs))[-1] + PENALTY)
    found = before = np.zeros((inputs.shape[1], len(CONDITIONS)))
    for at in range(STEPS):
        ahead = found + at / (at + 3) * (found - before)
        slope = inputs.T @ (weights * (softmax(inputs @ ahead) - wanted)) + penalty * ahead
        before, found = found, ahead - step * slope
    return mean, deviation, found


def shares_of(records, fitted):
    mean, deviation, found = fitted
    return softmax(inputs_of(np.array([one["signs"] for one in records]), mean, deviation) @ found)


def left_out(records, parts):
    """Returns the shares of each record, by a fit without the records of its part."""
    shares = np.zeros((len(records), len(CONDITIONS)))
    for part in sorted(set(parts)):
        rest = fit([one for one, its in zip(records, parts) if its != part])
        at = [index for index, its in enumerate(parts) if its == part]
        shares[at] = shares_of([records[index] for index in at], rest)
    return shares


def doubt_of(records, shares):
    """Returns the lowest score from which MOST_RIGHT of the predictions are right, with the same weight for each condition."""
    right = np.array([CONDITIONS[at] == one["condition"] for at, one in zip(shares.argmax(1), records)])
    best, weights = shares.max(1), weights_of(records)
    for score in np.arange(0.34, 1, 0.01):
        sure = best >= score
        if (right * weights)[sure].sum() >= MOST_RIGHT * weights[sure].sum():
            return round(float(score), 2)
    return 1.0


def table(title, records, shares, doubt):
    print(f"\n| {title} | texts | told raw | extracted | crawl | doubtful |\n|---|---|---|---|---|---|")
    rows = {}
    for one, share in zip(records, shares):
        kind = "English" if one["lang"] == "en" else "other languages"
        rows.setdefault((CONDITIONS.index(one["condition"]), one["variant"], kind), []).append(share)
    for (_, variant, kind), each in sorted(rows.items()):
        told = np.bincount(np.argmax(each, 1), minlength=3) / len(each)
        doubtful = np.mean(np.max(each, 1) < doubt)
        print(f"| {variant}, {kind} | {len(each)} | " + " | ".join(f"{one:.2f}" for one in [*told, doubtful]) + " |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--signs", required=True)
    parser.add_argument("--model", required=True)
    options = parser.parse_args()
    records = list(read(options.signs))
    by_site = left_out(records, [one["fold"] for one in records])
    by_language = left_out(records, [one["lang"] for one in records])
    doubt = doubt_of(records, by_language)
    table("left-out sites", records, by_site, doubt)
    table("left-out languages", records, by_language, doubt)
    print(f"\ndoubtful below {doubt}")
    mean, deviation, found = fit(records)
    path = f"{options.model}/model.json"
    about = read_json(path)
    numbers = lambda values: [float(f"{value:.6g}") for value in values]
    guess = {
        "means": numbers(mean),
        "deviations": numbers(deviation),
        "weights": {name: numbers(found[:, at]) for at, name in enumerate(CONDITIONS)},
        "doubtBelow": doubt,
    }
    about["settings"] = {**about.get("settings", {}), "guess": guess}
    write_json(path, about)


if __name__ == "__main__":
    main()
