"""Turns outputs of texrex's networks into the figures of Schäfer 2016, with intervals over documents.

As in the paper, precision, recall and F1 are for boilerplate, `correct` is for all blocks, the baseline calls every block boilerplate, and PRE is the
share of the baseline's errors that the network avoids.
"""

from typing import Any, Dict, List, Tuple

import numpy as np

THRESHOLDS = np.arange(1, 100) / 100
RESAMPLES = 1000
SEED = 20161121


def counts_of(outputs: np.ndarray, content: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """documents × thresholds × (found, missed, false alarm, right content), summed over the seeds' columns."""
    documents = np.repeat(np.arange(len(ends)), np.diff(np.r_[0, ends]))
    counts = np.zeros((len(ends), len(THRESHOLDS), 4))
    is_content = content.astype(bool)
    for column in outputs.T:
        # A block is boilerplate if it reaches the threshold, so it counts for all thresholds that are not above it.
        under = np.searchsorted(THRESHOLDS, column, side="right")
        for wanted, (hit, miss) in ((False, (0, 1)), (True, (2, 3))):
            lines = is_content == wanted
            table = np.zeros((len(ends), len(THRESHOLDS) + 1))
            np.add.at(table, (documents[lines], under[lines]), 1)
            above = table[:, ::-1].cumsum(1)[:, ::-1][:, 1:]
            counts[:, :, hit] += above
            counts[:, :, miss] += table.sum(1, keepdims=True) - above
    return counts


def figures(sums: np.ndarray) -> Dict[str, np.ndarray]:
    """Computes figures from sums over documents; the last axis has the four counts."""
    found, missed, false, right = np.moveaxis(sums, -1, 0)
    every = found + missed + false + right
    some = lambda a, b: a / np.maximum(b, 1e-9)
    baseline = some(found + missed, every)
    correct = some(found + right, every)
    return {
        "precision": some(found, found + false),
        "recall": some(found, found + missed),
        "f1": some(2 * found, 2 * found + missed + false),
        "correct": correct,
        "baseline": baseline,
        "pre": some(correct - baseline, 1 - baseline),
        "contentPrecision": some(right, right + missed),
        "contentRecall": some(right, right + false),
        "contentF1": some(2 * right, 2 * right + missed + false),
    }


def rounded(value: float) -> float:
    return round(float(value), 4)


def with_intervals(counts: np.ndarray, threshold: int) -> Dict[str, Any]:
    """Returns figures at one threshold with 95 % intervals; documents are drawn with their blocks."""
    at = counts[:, threshold]
    draws = np.random.default_rng(SEED).integers(0, len(at), (RESAMPLES, len(at)))
    drawn = figures(at[draws].sum(1))
    low, high = 2.5, 97.5
    return {
        name: {"value": rounded(value), "low": rounded(np.percentile(drawn[name], low)), "high": rounded(np.percentile(drawn[name], high))}
        for name, value in figures(at.sum(0)).items()
    }


def balanced_threshold(curve: Dict[str, np.ndarray]) -> int:
    """Returns the threshold where precision and recall are closest to each other."""
    return int(np.argmin(np.abs(curve["precision"] - curve["recall"])))


def area(outputs: np.ndarray, content: np.ndarray) -> float:
    """Returns P(a boilerplate block has the higher output), with half for equal outputs; the mean over seeds."""
    areas: List[float] = []
    for column in outputs.T:
        _, ranks, sizes = np.unique(column, return_inverse=True, return_counts=True)
        mean_rank = np.cumsum(sizes) - (sizes - 1) / 2
        positive = content == 0
        pairs = positive.sum() * (len(content) - positive.sum())
        areas.append(float((mean_rank[ranks][positive].sum() - positive.sum() * (positive.sum() + 1) / 2) / max(1, pairs)))
    return float(np.mean(areas))


def measure(outputs: np.ndarray, content: np.ndarray, ends: np.ndarray, curve: bool = False) -> Dict[str, Any]:
    """Returns all figures that the paper gives for one test: at .5, where precision = recall, and over all thresholds if `curve`."""
    counts = counts_of(outputs, content, ends)
    over = figures(counts.sum(0))
    balanced = balanced_threshold(over)
    half = int(np.argmin(np.abs(THRESHOLDS - 0.5)))
    by_seed = [figures(counts_of(outputs[:, [k]], content, ends).sum(0))["correct"][half] for k in range(outputs.shape[1])]
    measured: Dict[str, Any] = {
        "documents": len(ends),
        "blocks": len(content),
        "boilerplate": int((content == 0).sum()),
        "at.5": with_intervals(counts, half),
        "balanced": {"threshold": float(THRESHOLDS[balanced]), **with_intervals(counts, balanced)},
        "correctBySeed": [rounded(one) for one in by_seed],
        "area": rounded(area(outputs, content)),
    }
    if curve:
        measured["curve"] = [
            {"threshold": float(t), "precision": rounded(over["precision"][k]), "recall": rounded(over["recall"][k])}
            for k, t in enumerate(THRESHOLDS)
        ]
    return measured


def best_cut(scores: np.ndarray, content: np.ndarray, beta: float) -> Tuple[float, float]:
    """Returns the cut with the best F-beta of content lines, in steps of .01, and that F-beta."""
    best = (0.5, -1.0)
    wanted = content.sum()
    for cut in THRESHOLDS:
        kept = scores >= cut
        right = (content[kept] == 1).sum()
        f = (1 + beta**2) * right / max(1, kept.sum() + beta**2 * wanted)
        if f > best[1]:
            best = (float(cut), float(f))
    return best
