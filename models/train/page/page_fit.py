"""Fits calibration and thresholds of the `page` labeller on pages that were scored by a network trained without them."""

import numpy as np

from common.calibrate import bent, logistic, probability_of
from page.page_data import NO_LABEL
from page.page_label import SIGNS, content_signs, kept_lines, rounded

# The corpus whose notion of main content the labeller follows.
GUIDE = "wcxb"
# The weight of a line in the calibration error: half is the same for all lines of a page, half goes by its letters.
EVEN_SHARE = 0.5
# Logits at which the calibration line bends: labels are smoothed to .95 and .05, which have log-odds 3 and -3.
BENDS = (-3.0, -1.0, 1.0, 3.0)
# The share of pages with main content that may get "nothing here". Twice this share finds only more made pages without content, not more real ones.
MOST_FALSE_ALARMS = 0.002
# The same for made pages with little main content, because the training pages have too few of these.
MOST_FALSE_ALARMS_OF_SHORT = 0.015
# A page is never called empty if it is more likely to have content.
HIGHEST_THRESHOLD = 0.5
# Benchmarks have few pages without main content, crawls have many. Made pages (without their content lines) replace them here, as this share of all
# pages.
EMPTY_SHARE = 0.1
SLOPES = (1.0, 0.8, 0.65, 0.5, 0.4)


def lines_of(records, even_share=EVEN_SHARE):
    """Labels, logits and weights of all labelled lines; each page weighs the same."""
    labels, logits, weights = [], [], []
    for record in records:
        known = np.asarray(record["labels"]) != NO_LABEL
        letters = np.asarray(record["letters"])[known]
        even = np.full(len(letters), 1 / max(1, len(letters)))
        labels.append(np.asarray(record["labels"])[known])
        logits.append(np.asarray(record["lines"])[known])
        weights.append(even_share * even + (1 - even_share) * letters / max(1e-6, letters.sum()))
    weights = np.concatenate(weights)
    return np.concatenate(labels), np.concatenate(logits), weights / weights.sum()


def well_labelled(records):
    """The unchanged pages of the guiding corpus whose labels are good enough for training."""
    return [one for one in records if one["source"] == GUIDE and one["variant"] == "base" and one["trains"]]


def fit_lines(records):
    # Long lines have the same errors, and would move the cut to suit them; so each line of a page weighs the same.
    slope, offset, bends = bent(*lines_of(well_labelled(records), even_share=1.0), BENDS)
    how = {"method": "logistic on a bent line", "fitted": f"out of fold on {GUIDE}, each page and each line of it weighted alike"}
    return {**how, "slope": slope, "offset": offset, "bends": bends}


def threshold_for(scores, most):
    """Returns the highest threshold below which there is at most this share of the scores; a score below the threshold is an alarm."""
    return float(np.sort(scores)[int(most * len(scores))])


def fit_content(records, content, calibration):
    """`content`: by id, whether the gold has main content. Pages without lines are answered without a model, and not used for fitting."""
    known = [one for one in records if one["variant"] == "base" and content[one["id"]] is not None]
    made = [one for one in records if one["variant"] == "empty"]
    signs_of = lambda those: np.array([content_signs(one, {"calibration": calibration}) for one in those])
    short = [one for one in records if one["variant"] == "short"]
    records = [one for one in [*known, *made] if len(one["lines"]) > 0]
    signs = signs_of(records)
    answers = np.array([float(one["variant"] == "base" and content[one["id"]]) for one in records])
    empty = max(1, int((answers == 0).sum()))
    weights = np.where(answers == 1, 1.0, EMPTY_SHARE / (1 - EMPTY_SHARE) * (answers == 1).sum() / empty)
    slopes, offset = logistic(answers, signs, weights)
    scores_of = lambda signs: rounded(probability_of(signs @ slopes, 1.0, offset))
    threshold = min(HIGHEST_THRESHOLD, threshold_for(scores_of(signs[answers == 1]), MOST_FALSE_ALARMS))
    if short:
        threshold = min(threshold, threshold_for(scores_of(signs_of(short)), MOST_FALSE_ALARMS_OF_SHORT))
    return {**dict(zip(SIGNS, slopes)), "offset": offset, "threshold": threshold}


def fit_all(records, content):
    calibration = fit_lines(records)
    verdict = fit_content(records, content, calibration)
    return {"calibration": calibration, "verdict": verdict, "pages": len(well_labelled(records))}


def scaled(calibration, share):
    bends = [{"at": bend["at"], "by": share * bend["by"]} for bend in calibration["bends"]]
    return {"slope": share * calibration["slope"], "offset": share * calibration["offset"], "bends": bends}


def word_f1_by_slope(records, words, fit):
    """Computes word F1 with flatter scores than the fitted ones. If it is much higher, the network is too sure about whole pages."""
    calibration = fit["calibration"]
    measured = [one for one in records if one["source"] == GUIDE and one["variant"] == "base" and words.get(one["id"])]
    found = {}
    for share in SLOPES:
        flatter = {"calibration": scaled(calibration, share)}
        found[share] = float(np.mean([words[one["id"]].f1(kept_lines(one, flatter)) for one in measured]))
    return found
