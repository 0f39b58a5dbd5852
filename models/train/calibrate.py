"""Logits with known answers into the numbers that make probabilities of them (Platt 1999)."""

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


def logistic(labels, columns, weights, prior=1.0, steps=100):
    """P = sigmoid(columns @ slopes + offset), by Newton's method: the slopes and the offset. `prior` pulls the slopes of
    standardised columns towards nothing, as many answers as this against them."""
    mean, deviation = columns.mean(0), columns.std(0)
    x = np.concatenate([(columns - mean) / deviation, np.ones((len(columns), 1))], 1)
    pull = prior * np.diag([1.0] * columns.shape[1] + [0.0])
    theta = np.zeros(x.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-(x @ theta)))
        gradient = x.T @ (weights * (p - labels)) + pull @ theta
        hessian = (x * (weights * p * (1 - p))[:, None]).T @ x + pull + 1e-9 * np.eye(len(theta))
        theta -= np.clip(np.linalg.solve(hessian, gradient), -5, 5)
    slopes = theta[:-1] / deviation
    return [float(slope) for slope in slopes], float(theta[-1] - slopes @ mean)


def calibration_error(labels, probability, weights, bins=10):
    """Expected calibration error: how far the mean probability of a tenth of the scale is from the share of ones in it."""
    at = np.minimum((probability * bins).astype(int), bins - 1)
    gaps = np.bincount(at, weights * (probability - labels), bins)
    return float(np.abs(gaps).sum() / weights.sum())
