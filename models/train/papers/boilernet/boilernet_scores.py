"""Turns counts of pages into the two figures of the MultiBoilerNet paper."""

import numpy as np


def f1_of(right, wrong):
    """1 if there is none and none was predicted, as in the paper's code."""
    return 1.0 if right + wrong == 0 else 2 * right / (2 * right + wrong)


def paper_scores(table):
    """`table`: pages × (tp, fp, fn, tn). The paper's micro is over all lines, its macro the mean over pages; F1 of both labels."""
    table = np.asarray(table)
    each = np.array([(f1_of(tn, fp + fn), f1_of(tp, fp + fn)) for tp, fp, fn, tn in table])
    tp, fp, fn, tn = table.sum(0)
    micro = np.array([f1_of(tn, fp + fn), f1_of(tp, fp + fn)])
    macro = each.mean(0)
    named = {}
    for name, (boilerplate, content) in {"macro": macro, "micro": micro}.items():
        named[name] = {"boilerplate": float(boilerplate), "content": float(content), "mean": float((boilerplate + content) / 2)}
    return named
