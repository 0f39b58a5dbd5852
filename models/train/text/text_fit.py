"""Fits calibration and thresholds of the `text` labeller in each condition of a text, on documents scored by networks trained without them."""

import numpy as np

from common.calibrate import error_floor, error_interval, error_of_documents, newton, probability_of
from common.measure import scores
from text.text_data import CONDITIONS, number_of

# Dev groups by condition: unchanged texts by people or extractors. Disguises and our own half-extracts are only auxiliary.
GROUPS = {
    "raw": (
        *("wcxb+raw", "wcxb+cut", "waddle-ru+raw", "waddle-ru+cut", "waddle-zh+raw", "waddle-zh+cut"),
        *("harvest+raw", "mercury+raw", "atf+raw", "mirrors+raw"),
    ),
    "extracted": ("wcxb+readable", "wcxb+chosen", "waddle-ru+readable", "waddle-zh+readable", "harvest+readable", "mercury+readable", "atf+readable"),
    "crawl": ("turku-tq+crawl",),
}
GRID = np.round(np.arange(0.05, 0.96, 0.01), 2)
WANTED_PRECISION, WANTED_RECALL = 0.9, 0.93
AS_GOOD = 0.001
# The number of parts to cross-validate the calibration.
PARTS = 5
# The fit starts here, and is pulled there only slightly.
START, PULL = (1.0, 0.0), 1e-5
# Groups for calibration that only the trainer has; they do not measure the calibration in use.
UNMEASURED = ("wcxb+chosen",)


def mixed(one, fits, of):
    """Mixes a number of each condition by the document's shares of conditions."""
    return sum(share * of(fits[name]) for share, name in zip(one.shares, CONDITIONS) if share > 0)


def scored_in_use(one, fits):
    """Returns P(content) of a document's lines without a given condition."""
    slope, offset = (mixed(one, fits, lambda fit: fit[key]) for key in ("slope", "offset"))
    return probability_of(one.free, slope, offset)


def scored_as(one, fit):
    """Returns P(content) of a document's lines with a given condition, by that condition's fit."""
    return probability_of(one.known, fit["slope"], fit["offset"])


def said(one, fits, focus="balanced"):
    """Returns the verdicts in use on a document's lines, without rules."""
    return np.round(scored_in_use(one, fits), 3) >= round(mixed(one, fits, lambda fit: fit["thresholds"][focus]), 3)


def gathered(scored, condition):
    """Returns the documents of a condition, each with the weight of one of its lines, so that each group weighs the same."""
    groups = {name: [one for one in scored if one.document["source"] == name] for name in GROUPS[condition]}
    lines = {name: sum(len(one.labels) for one in each) for name, each in groups.items() if each}
    return [(one, 1 / lines[name]) for name, each in groups.items() for one in each]


def joined(parts):
    """Returns labels, logits for the true condition, and weights, line by line."""
    labels, logits = (np.concatenate([getattr(one, key) for one, _ in parts]).astype(np.float64) for key in ("labels", "known"))
    return labels, logits, np.concatenate([np.full(len(one.labels), weight) for one, weight in parts])


def of_groups(scored):
    names = {name for each in GROUPS.values() for name in each}
    return [one for one in scored if one.document["source"] in names]


def line_weights(scored):
    """Returns weights of each document's lines: conditions weigh the same, and their groups by the root of their lines."""
    lines = {}
    for one in scored:
        lines[one.document["source"]] = lines.get(one.document["source"], 0) + len(one.labels)
    weight = {}
    for sources in GROUPS.values():
        total = sum(lines.get(name, 0) ** 0.5 for name in sources)
        weight.update({name: lines[name] ** -0.5 / total for name in sources if name in lines})
    return [weight[one.document["source"]] for one in scored]


def calibrated(scored):
    """Fits slopes and offsets of all conditions together, so that they are right when mixed by shares, if the labeller predicts the condition, and
    also alone, if the condition is given."""
    scored = of_groups(scored)
    known = [name for name in CONDITIONS if any(one.document["condition"] == name for one in scored)]
    said = {name: np.array([float(name == each) for each in CONDITIONS]) for name in CONDITIONS}
    # A network that knows only one condition cannot predict conditions.
    views = [lambda one: (one.known, said[one.document["condition"]])] + ([lambda one: (one.free, one.shares)] if known == list(CONDITIONS) else [])
    rows, labels, weights = [], [], []
    for view in views:
        for one, weight in zip(scored, line_weights(scored)):
            logits, shares = view(one)
            rows.append(np.concatenate([logits.astype(np.float64)[:, None] * shares, np.ones((len(logits), 1)) * shares], 1))
            labels.append(one.labels)
            weights.append(np.full(len(one.labels), weight))
    weights = np.concatenate(weights)
    start = np.repeat(START, len(CONDITIONS))
    theta = newton(np.concatenate(rows), np.concatenate(labels).astype(np.float64), weights / weights.sum(), start, PULL)
    return {name: {"slope": float(theta[at]), "offset": float(theta[at + len(CONDITIONS)])} for at, name in enumerate(CONDITIONS) if name in known}


def crossed(scored):
    """Returns P(content) of each document's lines by a fit without it and everything made from the same page: (document, with the predicted
    condition, with the given condition)."""
    scored = of_groups(scored)
    part = lambda one: number_of(one.document) % PARTS
    for at in range(PARTS):
        fits = calibrated([one for one in scored if part(one) != at])
        for one in scored:
            if part(one) == at:
                yield one, scored_in_use(one, fits), scored_as(one, fits[one.document["condition"]])


def crossed_errors(scored):
    """Returns by condition the documents, and the calibration errors with the predicted and with the given condition, each with its interval and the
    error of perfect probabilities."""
    each = [one for one in crossed(scored) if one[0].document["source"] not in UNMEASURED]
    found = {}
    for name in CONDITIONS:
        of_it = [one for one in each if one[0].document["condition"] == name]
        if not of_it:
            continue
        labels = [one.labels for one, _, _ in of_it]
        found[name] = {"documents": len(of_it)}
        for key, values in (("auto", [free for _, free, _ in of_it]), ("told", [known for _, _, known in of_it])):
            interval, floor = error_interval(labels, values), error_floor(labels, values)
            found[name][key] = {"error": error_of_documents(labels, values), "interval": interval, "floor": floor}
    return found


def cuts_of(parts, fit):
    """balanced: about the best mean of the F1 of content and that of both labels. precision and recall: from there, the cut that reaches the wanted P or R."""
    labels, logits, weights = joined(parts)
    rounded = np.round(probability_of(logits, *fit), 3)
    weighed = lambda cut: scores(weighed_counts(labels, rounded >= cut, weights))
    by_cut = {float(cut): weighed(cut) for cut in GRID}
    worth = {cut: (one["macro"] + one["f1"]) / 2 for cut, one in by_cut.items()}
    # Many cuts are about as good as the best one, so the middle of them is taken.
    balanced = float(np.median([cut for cut in by_cut if worth[cut] >= max(worth.values()) - AS_GOOD]))
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
    """Returns slope, offset and cuts of each condition that has documents."""
    scored = list(scored)
    fits = {}
    for condition, fit in calibrated(scored).items():
        cuts = cuts_of(gathered(scored, condition), (fit["slope"], fit["offset"]))
        fits[condition] = {**fit, "thresholds": cuts}
    return fits
