"""Logits with known answers into the two numbers that make probabilities of them (Platt 1999)."""

import numpy as np


def platt(labels, logits, weights, steps=100, prior=0.0):
    """P = sigmoid(slope × logit + offset), by Newton's method; two numbers, so a dev split is enough to fit them.

    `prior` pulls towards slope 1, offset 0, for answers so few that a line could part them without error.
    """
    x = np.stack([logits.astype(np.float64), np.ones(len(logits))], 1)
    start = np.array([1.0, 0.0])
    theta = start.copy()
    for _ in range(steps):
        p = 1 / (1 + np.exp(-(x @ theta)))
        gradient = x.T @ (weights * (p - labels)) + prior * (theta - start)
        hessian = (x * (weights * p * (1 - p))[:, None]).T @ x
        theta -= np.linalg.solve(hessian + (1e-12 + prior) * np.eye(2), gradient)
    return float(theta[0]), float(theta[1])


def calibration_error(labels, probability, weights, bins=10):
    """Expected calibration error: how far the mean probability of a tenth of the scale is from the share of ones in it."""
    at = np.minimum((probability * bins).astype(int), bins - 1)
    gaps = np.bincount(at, weights * (probability - labels), bins)
    return float(np.abs(gaps).sum() / weights.sum())
