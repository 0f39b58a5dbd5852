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


def mixed(one, fits, of):
    """A number that each condition has, by the shares of the conditions that the document may be in."""
    return sum(share * of(fits[name]) for share, name in zip(one.shares, CONDITIONS))


def scored_in_use(one, fits):
    """P(content) of a document's lines where nobody says in what condition it is."""
    slope, offset = (mixed(one, fits, lambda fit: fit[key]) for key in ("slope", "offset"))
    return probability_of(one.free.astype(np.float64), (slope, offset))


def said(one, fits, focus="balanced"):
    """Verdicts in use on a document's lines; no rule changes them here."""
    return np.round(scored_in_use(one, fits), 3) >= round(mixed(one, fits, lambda fit: fit["thresholds"][focus]), 3)


def gathered(scored, condition):
    """The documents of a condition, each with the weight of one of its lines: each group weighs the same."""
    groups = {name: [one for one in scored if one.document["source"] == name] for name in GROUPS[condition]}
    lines = {name: sum(len(one.labels) for one in each) for name, each in groups.items() if each}
    return [(one, 1 / lines[name]) for name, each in groups.items() for one in each]


def joined(parts):
    """Labels, logits of the condition that it is, and weights, line by line."""
    labels, logits = (np.concatenate([getattr(one, key) for one, _ in parts]).astype(np.float64) for key in ("labels", "known"))
    return labels, logits, np.concatenate([np.full(len(one.labels), weight) for one, weight in parts])


def probability_of(logits, fit):
    return 1 / (1 + np.exp(-(fit[0] * logits + fit[1])))


def crossed_error(parts):
    """Expected calibration error where the fit did not see the document: each half with the fit of the other."""
    errors = []
    for half in range(HALVES):
        fit = platt(*joined([part for at, part in enumerate(parts) if at % HALVES != half]))
        labels, logits, weights = joined([part for at, part in enumerate(parts) if at % HALVES == half])
        errors.append(calibration_error(labels, probability_of(logits, fit), weights))
    return round(float(np.mean(errors)), 3)


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
    """By condition that has documents: slope and offset, cuts, and the calibration error of dev documents that the fit did not see."""
    scored = list(scored)
    fits = {}
    for condition in CONDITIONS:
        parts = gathered(scored, condition)
        if not parts:
            continue
        slope, offset = platt(*joined(parts))
        cuts = cuts_of(parts, (slope, offset))
        fits[condition] = {"slope": slope, "offset": offset, "thresholds": cuts, "error": crossed_error(parts)}
    return fits
