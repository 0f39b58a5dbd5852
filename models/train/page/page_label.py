"""Turns a page's logits into labels with the arithmetic of the program's own `page` labeller: calibration, cut, verdict."""

import numpy as np

from common.calibrate import probability_of

# Like choosePageCut in the program.
LOWEST_CUT = 0.05
HIGHEST_CUT = 0.9
# The letters of a line that count for the cut, as in the program's `page` labeller.
MOST_LETTERS = 10_000
# The names of content_signs' slopes in a verdict.
SIGNS = ("slope", "letters", "highest", "walls")


def rounded(probability):
    """Rounds to three decimals, half up, like the program."""
    return np.floor(np.asarray(probability, dtype=np.float64) * 1000 + 0.5) / 1000


def page_cut(scores, letters, beta=1.0):
    """Returns the cut with the highest expected F-beta; the last of equal ones."""
    weight = beta**2
    # Among equal scores the shortest line comes first, and numbers are added one by one, so that the sum equals the program's to the last digit.
    order = np.lexsort((letters, -scores))
    scores, letters = scores[order], letters[order]
    found = np.cumsum(scores * letters)
    wanted = float(found[-1])
    best = len(scores) - 1
    if wanted > 0:
        expected = (1 + weight) * found / (np.cumsum(letters) + weight * wanted)
        # A cut takes all lines with its score, so it is checked after the last of them.
        expected[:-1][scores[1:] == scores[:-1]] = -1
        best -= int(np.argmax(expected[::-1]))
    return float(min(HIGHEST_CUT, max(LOWEST_CUT, scores[best])))


def calibrated(logits, calibration):
    """Returns probabilities along a line with bends, like the program's `calibrate`."""
    logits = np.asarray(logits, dtype=np.float64)
    odds = calibration["slope"] * logits + calibration["offset"]
    for bend in calibration["bends"]:
        odds = odds + bend["by"] * np.maximum(0, logits - bend["at"])
    return probability_of(odds)


def line_scores(record, fit):
    # The program stores scores in single precision.
    return calibrated(record["lines"], fit["calibration"]).astype(np.float32).astype(np.float64)


def kept_lines(record, fit):
    """Tells which lines of a page (a record of score_pages.py) are content by their own score."""
    if len(record["lines"]) == 0:
        return np.zeros(0, dtype=bool)
    scores = line_scores(record, fit)
    cut = rounded(page_cut(scores, np.asarray(record["letters"], dtype=np.float64)))
    return rounded(scores) >= cut


def content_signs(record, fit):
    """Signs of main content: the network's judgement, the logarithm of the letters of content expected from the lines' scores, and the highest logit
    of a line; and, as a sign against it, how much of the text is walls."""
    expected = float(line_scores(record, fit) @ np.asarray(record["letters"], dtype=np.float64))
    return [record["page"][-1], float(np.log1p(expected)), max(record["lines"]), record["walls"]]


def content_score(record, fit):
    """Returns P(the page has main content); 0 for a page without lines, which is answered without a model."""
    if len(record["lines"]) == 0:
        return 0.0
    verdict = fit["verdict"]
    slopes = [verdict[sign] for sign in SIGNS]
    return float(rounded(probability_of(np.dot(slopes, content_signs(record, fit)), 1.0, verdict["offset"])))


def is_nothing(record, fit):
    return content_score(record, fit) < fit["verdict"]["threshold"]
