"""Turns a page's logits into labels with the arithmetic of the program's own `page` labeller: calibration, cut, verdict."""

import numpy as np

from common.calibrate import probability_of

# As choosePageCut of the program has it.
LOWEST_CUT = 0.05
HIGHEST_CUT = 0.9
# Letters of a line that count for the cut (as the program's `page` labeller counts them).
MOST_LETTERS = 10_000
# What a verdict calls the slopes of content_signs.
SIGNS = ("slope", "letters", "highest", "walls")


def rounded(probability):
    """Three decimals, half up, as the program rounds."""
    return np.floor(np.asarray(probability, dtype=np.float64) * 1000 + 0.5) / 1000


def page_cut(scores, letters, beta=1.0):
    """The cut with the highest expected F-beta; of equal ones the last."""
    weight = beta**2
    # Of equal scores the shortest line first, and sums one by one, as the program adds them: to the last digit.
    order = np.lexsort((letters, -scores))
    scores, letters = scores[order], letters[order]
    found = np.cumsum(scores * letters)
    wanted = float(found[-1])
    best = len(scores) - 1
    if wanted > 0:
        expected = (1 + weight) * found / (np.cumsum(letters) + weight * wanted)
        # A cut takes all lines of its score, so it is looked at behind the last of them.
        expected[:-1][scores[1:] == scores[:-1]] = -1
        best -= int(np.argmax(expected[::-1]))
    return float(min(HIGHEST_CUT, max(LOWEST_CUT, scores[best])))


def calibrated(logits, calibration):
    """Probabilities, along a line with bends, as the program's `calibrate` has them."""
    logits = np.asarray(logits, dtype=np.float64)
    odds = calibration["slope"] * logits + calibration["offset"]
    for bend in calibration["bends"]:
        odds = odds + bend["by"] * np.maximum(0, logits - bend["at"])
    return probability_of(odds)


def line_scores(record, fit):
    # The program holds scores in single precision.
    return calibrated(record["lines"], fit["calibration"]).astype(np.float32).astype(np.float64)


def kept_lines(record, fit):
    """Which lines of a page (a record of score_pages.py) are content by their own score."""
    if len(record["lines"]) == 0:
        return np.zeros(0, dtype=bool)
    scores = line_scores(record, fit)
    cut = rounded(page_cut(scores, np.asarray(record["letters"], dtype=np.float64)))
    return rounded(scores) >= cut


def content_signs(record, fit):
    """What speaks for main content: the network's judgement, the letters that the lines' scores let expect (their
    logarithm), the highest logit of a line, and against it how much of the text is walls."""
    expected = float(line_scores(record, fit) @ np.asarray(record["letters"], dtype=np.float64))
    return [record["page"][-1], float(np.log1p(expected)), max(record["lines"]), record["walls"]]


def content_score(record, fit):
    """P(the page has main content); 0 for a page without a line, which is answered before any model is asked."""
    if len(record["lines"]) == 0:
        return 0.0
    verdict = fit["verdict"]
    slopes = [verdict[sign] for sign in SIGNS]
    return float(rounded(probability_of(np.dot(slopes, content_signs(record, fit)), 1.0, verdict["offset"])))


def is_nothing(record, fit):
    return content_score(record, fit) < fit["verdict"]["threshold"]
