"""Fits the numbers that turn logits into probabilities (Platt 1999), and measures how reliable the probabilities are."""

import numpy as np

from common.measure import SAMPLES, SEED

# Points and weights to average over a document's own deviation, and the values that are tried for its size and for the slope.
POINTS, SHARES = np.polynomial.hermite_e.hermegauss(25)
SHARES = SHARES / SHARES.sum()
DEVIATIONS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
SLOPES = (1.0, 1.25, 1.5, 2.0, 2.5)
# The longest and the shortest step of Newton's method, and how many it takes at most.
LONGEST_STEP, SHORTEST_STEP, MOST_STEPS = 1.0, 1e-9, 100
# Log-odds per logit, between two bends.
LEAST_SLOPE = 0.01
# How many documents the deviation is estimated from; more would take long and give the same result.
MOST_TOLD = 400
BINS = 10


def newton(x, labels, weights, start, prior=0.0):
    """Fits theta of P = sigmoid(x · theta) by Newton's method. `prior`, one for all or one for each, pulls towards `start`."""
    start = np.asarray(start, np.float64)
    theta = start.copy()
    for _ in range(MOST_STEPS):
        p = probability_of(x @ theta)
        gradient = x.T @ (weights * (p - labels)) + prior * (theta - start)
        hessian = (x * (weights * p * (1 - p))[:, None]).T @ x
        step = np.linalg.solve(hessian + (1e-12 + prior) * np.eye(len(theta)), gradient)
        longest = np.abs(step).max()
        theta -= step * min(1.0, LONGEST_STEP / max(1e-12, longest))
        if longest < SHORTEST_STEP:
            break
    return theta


def platt(labels, logits, weights, prior=0.0):
    """Fits P = sigmoid(slope × logit + offset). These are two numbers, so a dev split is enough.

    `prior` pulls towards slope 1, offset 0, because few answers may be separable without error.
    """
    x = np.stack([logits.astype(np.float64), np.ones(len(logits))], 1)
    slope, offset = newton(x, labels, weights, (1.0, 0.0), prior)
    return float(slope), float(offset)


def bent(labels, logits, weights, at):
    """Fits P = sigmoid(slope × logit + offset + by × (logit - at) for each bend below the logit): slope, offset and bends.

    A higher logit never gives a lower probability: a bend that would cause this is left out, and the rest is fitted again."""
    logits, at = logits.astype(np.float64), list(at)
    while True:
        x = np.stack([logits, np.ones(len(logits)), *(np.maximum(0, logits - bend) for bend in at)], 1)
        slope, offset, *by = newton(x, labels, weights, [1.0] + [0.0] * (1 + len(at)))
        slopes = np.cumsum([slope, *by])
        if slopes.min() > LEAST_SLOPE or not at:
            return float(slope), float(offset), [{"at": float(bend), "by": float(more)} for bend, more in zip(at, by)]
        del at[max(0, int(slopes.argmin()) - 1)]


def logistic(labels, columns, weights, prior=1.0):
    """Fits the slopes and the offset of P = sigmoid(columns @ slopes + offset). `prior` pulls the slopes of standardised columns towards 0, with the
    strength of this many answers."""
    mean, deviation = columns.mean(0), columns.std(0)
    # A constant column says nothing, and gets no slope.
    deviation = np.where(deviation > 0, deviation, 1)
    x = np.concatenate([(columns - mean) / deviation, np.ones((len(columns), 1))], 1)
    pull = prior * np.array([1.0] * columns.shape[1] + [0.0])
    theta = newton(x, labels, weights, np.zeros(x.shape[1]), pull)
    slopes = theta[:-1] / deviation
    return [float(slope) for slope in slopes], float(theta[-1] - slopes @ mean)


def calibration_error(labels, probability, weights):
    """Expected calibration error: how far the mean probability of a tenth of the scale is from the share of ones in it."""
    return float(np.abs(gaps_of(labels, probability, weights)).sum() / weights.sum())


def gaps_of(labels, probability, weights):
    """[bins]: how far the sum of the probabilities in each tenth of the scale is from the sum of the labels."""
    at = np.minimum((probability * BINS).astype(int), BINS - 1)
    return np.bincount(at, weights * (probability - labels), BINS)


def error_of_documents(labels, probabilities):
    return calibration_error(np.concatenate(labels).astype(np.float64), np.concatenate(probabilities), np.ones(sum(map(len, labels))))


def error_interval(labels, probabilities):
    """Returns the 95 % interval of the error over documents drawn with replacement. It is not centred: an error is never below zero, and fewer
    different documents make it larger."""
    rng = np.random.default_rng(SEED)
    lines = np.array([len(one) for one in labels])
    # What each document adds to the gaps.
    gaps = np.array([gaps_of(*both, np.ones(len(both[0]))) for both in zip(labels, probabilities)])
    drawn = []
    for _ in range(SAMPLES):
        at = rng.integers(0, len(lines), len(lines))
        drawn.append(np.abs(gaps[at].sum(0)).sum() / lines[at].sum())
    return tuple(np.percentile(drawn, [2.5, 97.5]))


def error_floor(labels, probabilities, samples=200):
    """Returns the error that perfectly calibrated probabilities would have on as many documents with lines as similar to each other: the mean, and
    the value that one sample in twenty exceeds.

    Each document has its own deviation, normal on the scale of logits; its size, and a slope, are the likeliest for these documents. Labels are drawn
    from this, and the probabilities do not know the deviation."""
    clipped = [np.clip(one, 1e-6, 1 - 1e-6) for one in probabilities]
    logits = [np.log(one / (1 - one)) for one in clipped]
    some = slice(None, None, -(-len(logits) // MOST_TOLD))
    slope, deviation = max(((a, s) for a in SLOPES for s in DEVIATIONS), key=lambda each: likelihood(labels[some], logits[some], *each))
    calibrated = [SHARES @ probability_of(one[None], slope, deviation * POINTS[:, None]) for one in logits]
    rng = np.random.default_rng(SEED)
    whole, sizes = np.concatenate(logits), [len(one) for one in logits]
    all_calibrated, ones = np.concatenate(calibrated), np.ones(sum(sizes))
    errors = []
    for _ in range(samples):
        own = np.repeat(rng.normal(size=len(sizes)), sizes)
        drawn = rng.random(len(whole)) < probability_of(whole, slope, deviation * own)
        errors.append(calibration_error(drawn, all_calibrated, ones))
    return float(np.mean(errors)), float(np.percentile(errors, 95))


def likelihood(labels, logits, slope, deviation):
    total = 0.0
    for label, logit in zip(labels, logits):
        z = slope * logit[None] + deviation * POINTS[:, None]
        each = -np.logaddexp(0, np.where(np.asarray(label) == 1, -z, z)).sum(1)
        most = each.max()
        total += most + np.log(SHARES @ np.exp(each - most))
    return total


def probability_of(logits, slope=1.0, offset=0.0):
    """P(content) of calibrated logits, in double precision as the program computes it."""
    return 1 / (1 + np.exp(-(slope * np.asarray(logits, dtype=np.float64) + offset)))
