"""Computes scores of lines, with bootstrap intervals over documents."""

import numpy as np

# How often documents are drawn for an interval, and the seed of the draws.
SAMPLES, SEED = 1000, 1


def counts(labels, said):
    tp = float(np.sum((labels == 1) & said))
    fp = float(np.sum((labels == 0) & said))
    fn = float(np.sum((labels == 1) & ~said))
    tn = float(np.sum((labels == 0) & ~said))
    return np.array([tp, fp, fn, tn])


def scores(total):
    tp, fp, fn, tn = total
    f1 = 2 * tp / max(1.0, 2 * tp + fp + fn)
    f1_boilerplate = 2 * tn / max(1.0, 2 * tn + fp + fn)
    everything = max(1.0, tp + fp + fn + tn)
    return {
        "accuracy": (tp + tn) / everything,
        "f1": f1,
        "macro": (f1 + f1_boilerplate) / 2,
        "precision": tp / max(1.0, tp + fp),
        "recall": tp / max(1.0, tp + fn),
        "share": (tp + fn) / everything,
        "said": (tp + fp) / everything,
    }


def bootstrap(per_document):
    """Returns 95 % intervals of scores over documents × counts."""
    return bootstrap_seeds([per_document])


def bootstrap_mean(values):
    """95 % interval of a mean over documents."""
    rng = np.random.default_rng(SEED)
    table = np.array(values)
    return tuple(np.percentile(table[rng.integers(0, len(table), (SAMPLES, len(table)))].mean(1), [2.5, 97.5]))


def logloss(labels, logits):
    return float(np.mean(np.logaddexp(0, np.where(labels == 1, -logits, logits))))


def bootstrap_seeds(seeds):
    """95 % intervals of means over seeds (seeds × documents × counts). Documents are drawn with replacement, because their lines are not independent;
    the same ones for each seed."""
    rng = np.random.default_rng(SEED)
    table = np.array(seeds)
    drawn = []
    for _ in range(SAMPLES):
        at = rng.integers(0, table.shape[1], table.shape[1])
        each = [scores(one) for one in table[:, at].sum(1)]
        drawn.append({key: np.mean([one[key] for one in each]) for key in ("accuracy", "f1", "macro")})
    return {key: tuple(np.percentile([one[key] for one in drawn], [2.5, 97.5])) for key in ("accuracy", "f1", "macro")}
