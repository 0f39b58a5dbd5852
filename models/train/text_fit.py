"""Scored dev documents to what model.json says of scores: calibration and thresholds in each condition of a text."""

import numpy as np

from calibrate import calibration_error, platt
from measure import counts, scores
from text_data import CONDITIONS

# Dev groups by condition: those that people or extractors made, as they are. Disguises and our own half-extracts only help.
GROUPS = {
    "raw": ("wcxb+raw", "wcxb+cut", "waddle-ru+raw", "waddle-ru+cut", "waddle-zh+raw", "waddle-zh+cut"),
    "extracted": ("wcxb+readable", "wcxb+chosen", "waddle-ru+readable", "waddle-zh+readable"),
    "crawl": ("turku-tq+crawl",),
}
GRID = np.round(np.arange(0.05, 0.96, 0.01), 2)
WANTED_PRECISION, WANTED_RECALL = 0.9, 0.93
HALVES = 2


def shares_and_cut(one, fits, focus="balanced"):
    """Slope, offset and cut of a document in use: by the shares of the conditions that it may be in."""
    mix = lambda of: sum(share * of(fits[name]) for share, name in zip(one.shares, CONDITIONS))
    return mix(lambda fit: fit["slope"]), mix(lambda fit: fit["offset"]), mix(lambda fit: fit["thresholds"][focus])


def said(one, fits):
    """Scores and verdicts on a document's lines where nobody says in what condition it is; no rule changes them here."""
    slope, offset, cut = shares_and_cut(one, fits)
    probability = probability_of(one.free.astype(np.float64), (slope, offset))
    return probability, np.round(probability, 3) >= round(cut, 3)


def gathered(scored, condition):
    """Labels, logits and weights of a condition's dev lines; each group weighs the same, each document in it by its lines."""
    groups = {name: [one for one in scored if one.document["source"] == name] for name in GROUPS[condition]}
    parts = []
    for each in filter(None, groups.values()):
        lines = sum(len(one.labels) for one in each)
        parts += [(one, np.full(len(one.labels), 1 / lines)) for one in each]
    return parts


def joined(parts):
    labels = np.concatenate([one.labels for one, _ in parts]).astype(np.float64)
    logits = np.concatenate([one.known for one, _ in parts]).astype(np.float64)
    return labels, logits, np.concatenate([weights for _, weights in parts])


def probability_of(logits, fit):
    return 1 / (1 + np.exp(-(fit[0] * logits + fit[1])))


def crossed_error(parts):
    """Expected calibration error where the fit did not see the document: each half with the fit of the other."""
    errors = []
    for half in range(HALVES):
        fit = platt(*joined([part for at, part in enumerate(parts) if at % HALVES != half]))
        labels, logits, weights = joined([part for at, part in enumerate(parts) if at % HALVES == half])
        errors.append(calibration_error(labels, probability_of(logits, fit), weights))
    return float(np.mean(errors))


def cuts_of(parts, fit):
    """balanced: the best mean F1 of both labels. precision and recall: from there, what it takes for P or R as wanted."""
    labels, logits, weights = joined(parts)
    probability = np.round(probability_of(logits, fit), 3)
    weighed = lambda cut: scores(weighed_counts(labels, probability >= cut, weights))
    by_cut = {float(cut): weighed(cut) for cut in GRID}
    balanced = max(by_cut, key=lambda cut: by_cut[cut]["macro"])
    precise = [cut for cut, one in by_cut.items() if cut > balanced and one["precision"] >= WANTED_PRECISION]
    complete = [cut for cut, one in by_cut.items() if cut < balanced and one["recall"] >= WANTED_RECALL]
    precision = min(precise) if precise else min(0.9, balanced + 0.25)
    recall = max(complete) if complete else max(0.1, balanced - 0.25)
    return {"precision": round(precision, 2), "balanced": round(balanced, 2), "recall": round(recall, 2)}


def weighed_counts(labels, said, weights):
    lines = len(labels)
    part = lambda label, is_said: weights[(labels == label) & (said == is_said)].sum() / weights.sum() * lines
    return np.array([part(1, True), part(0, True), part(1, False), part(0, False)])


def fitted(scored):
    """By condition: slope and offset, cuts, and the calibration error of dev documents that the fit did not see."""
    scored = list(scored)
    fits = {}
    for condition in CONDITIONS:
        parts = gathered(scored, condition)
        fit = platt(*joined(parts))
        fits[condition] = {
            "slope": fit[0],
            "offset": fit[1],
            "thresholds": cuts_of(parts, fit),
            "error": round(crossed_error(parts), 3),
        }
    return fits
