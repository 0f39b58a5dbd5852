"""Calibrates the logits of registers, chooses the cuts, and measures both on texts that were not used for either."""

import os

import numpy as np

from common.calibrate import platt
from registers.piece_languages import telling
from registers.register_data import left_out
from registers.register_network import OUTPUTS, REGISTERS, SUBREGISTERS

MAIN, SUB, MACHINE = slice(0, len(REGISTERS)), slice(len(REGISTERS), -1), len(OUTPUTS) - 1
TRIED = np.arange(0.2, 0.66, 0.01)
# Pulls slope and offset of an output with few texts towards the network's own output.
PRIOR = 2.0
BINS = 10
SAMPLES = 1000


def sigmoid(values):
    return 1 / (1 + np.exp(-values))


def calibrate(logits, fitted):
    return sigmoid(logits * np.array([slope for slope, _ in fitted]) + np.array([offset for _, offset in fitted]))


def counts(labels, said):
    """Counts for each text the right, predicted and labelled registers."""
    return np.stack([(labels * said).sum(1), said.sum(1), labels.sum(1)], 1)


def f1(total):
    right, said, labelled = total
    return 2 * right / max(1, said + labelled)


def best_cut(labels, probabilities):
    scores = [f1(counts(labels, probabilities >= cut).sum(0)) for cut in TRIED]
    best = max(scores)
    # The middle of all cuts that are about as good as the best.
    return float(np.mean(TRIED[np.array(scores) >= best - 0.002]))


def cuts_of(labels, probabilities, known):
    """Chooses one cut for the main registers, as in Rönnqvist et al. (2021), one for the inner registers, and for machine text the cut that finds half."""
    main = best_cut(labels[:, MAIN], probabilities[:, MAIN])
    rows = known[:, SUB].min(1) > 0
    sub = best_cut(labels[rows, SUB], probabilities[rows, SUB]) if rows.any() else main
    machines = np.sort(probabilities[(labels[:, MACHINE] > 0), MACHINE])
    machine = float(np.clip(machines[len(machines) // 2], 0.001, 0.999)) if len(machines) else 0.5
    return [round(main, 3)] * len(REGISTERS) + [round(sub, 3)] * len(SUBREGISTERS) + [round(machine, 3)]


def interval(values, of, draw):
    """Returns 95 % intervals, with texts drawn with replacement."""
    drawn = [of(values[draw.integers(0, len(values), len(values))]) for _ in range(SAMPLES)]
    return [round(float(edge), 3) for edge in np.percentile(drawn, [2.5, 97.5])]


def micro(labels, said):
    table = counts(labels, said)
    of = lambda rows: f1(rows.sum(0))
    return {"texts": len(labels), "f1": round(of(table), 3), "interval": interval(table, of, np.random.default_rng(1))}


def calibration_error(labels, probabilities):
    bins = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    return float(sum(abs(labels[bins == at].sum() - probabilities[bins == at].sum()) for at in range(BINS)) / max(1, len(labels)))


def by_output(labels, probabilities, known, cuts):
    figures = {}
    for at, name in enumerate(OUTPUTS[:-1]):
        rows = known[:, at] > 0
        one = counts(labels[rows, at : at + 1], probabilities[rows, at : at + 1] >= cuts[at])
        right, said, labelled = one.sum(0)
        pair = np.stack([labels[rows, at], probabilities[rows, at]], 1)
        error = lambda both: calibration_error(both[:, 0], both[:, 1])
        figures[name] = {
            "texts": int(labelled),
            "of": int(rows.sum()),
            "precision": round(float(right / max(1, said)), 3),
            "recall": round(float(right / max(1, labelled)), 3),
            "f1": round(float(f1(one.sum(0))), 3),
            "interval": interval(one, lambda rows_: f1(rows_.sum(0)), np.random.default_rng(1)),
            "calibrationError": round(error(pair), 3),
            "calibrationInterval": interval(pair, error, np.random.default_rng(1)),
        }
    return figures


def auc(pairs):
    """Returns the share of pairs of a machine text and another text in which the machine text has the higher score; equal scores count half."""
    yes, no = pairs[pairs[:, 0] > 0, 1], np.sort(pairs[pairs[:, 0] == 0, 1])
    if len(yes) == 0 or len(no) == 0:
        return float("nan")
    below, above = np.searchsorted(no, yes, "left"), np.searchsorted(no, yes, "right")
    return float((below + above).mean() / 2 / len(no))


def precision_at_half(pairs):
    """Returns the precision at the cut that finds half of the machine texts."""
    yes = np.sort(pairs[pairs[:, 0] > 0, 1])[::-1]
    if len(yes) == 0:
        return float("nan")
    found = pairs[pairs[:, 1] >= yes[(len(yes) + 1) // 2 - 1], 0]
    return float(found.mean())


def machine(labels, probabilities, known, langs):
    rows = known[:, MACHINE] > 0
    figures = {}
    for lang in ["all", *sorted(set(langs[rows]))]:
        those = rows if lang == "all" else rows & (langs == lang)
        pairs = np.stack([labels[those, MACHINE], probabilities[those, MACHINE]], 1)
        count = int(pairs[:, 0].sum())
        one = {"texts": int(those.sum()), "machine": count}
        if count > 0:
            draw = np.random.default_rng(1)
            clean = lambda of: lambda rows_: of(rows_) if rows_[:, 0].any() else of(pairs)
            one.update({"auc": round(auc(pairs), 3), "aucInterval": interval(pairs, clean(auc), draw)})
            one.update({"precision": round(precision_at_half(pairs), 3), "precisionInterval": interval(pairs, clean(precision_at_half), draw)})
        figures[lang] = one
    return figures


def read_scores(folder, name):
    path = os.path.join(folder, f"{name}.npz")
    return np.load(path) if os.path.exists(path) else None


def by_language(texts, rows, said):
    labels = texts.labels[rows][:, MAIN]
    langs = texts.langs[rows]
    return {"all": micro(labels, said), **{lang: micro(labels[langs == lang], said[langs == lang]) for lang in sorted(set(langs))}}


def fit_on(logits, labels, known):
    """Returns slope and offset of each output, and the cuts."""
    those = [known[:, at] > 0 for at in range(len(OUTPUTS))]
    fitted = [platt(labels[rows, at], logits[rows, at], np.ones(int(rows.sum())), prior=PRIOR) for at, rows in enumerate(those)]
    return fitted, cuts_of(labels, calibrate(logits, fitted), known)


def found_by(logits, fitted, cuts, tells):
    """Main registers."""
    return (calibrate(logits, fitted)[:, MAIN] >= np.array(cuts)[MAIN]) & tells[:, None]


def measure(texts, folder):
    """Returns figures, and the numbers that ship: slope and offset of each output, and its cut."""
    folds = {fold: read_scores(folder, f"fold-{fold}") for fold in sorted(set(texts.folds[texts.labelled]))}
    rows = np.concatenate([one["rows"] for one in folds.values()])
    logits = np.concatenate([one["logits"] for one in folds.values()])
    labels, known, langs = texts.labels[rows], texts.known[rows], texts.langs[rows]
    told = np.zeros(len(texts), bool)
    for fold in folds:
        told |= telling(texts, texts.folds == fold)
    tells = told[rows]
    fitted, cuts = fit_on(logits[tells], labels[tells], known[tells])

    # Each fold uses the others' fit.
    probabilities, said, said_all = np.zeros_like(logits), np.zeros((len(rows), len(REGISTERS)), bool), np.zeros(logits.shape, bool)
    for fold in folds:
        here = texts.folds[rows] == fold
        others = ~here & tells
        own, own_cuts = fit_on(logits[others], labels[others], known[others])
        # A text without an answer gets each register's share among all texts.
        mute = (labels * known)[~here].sum(0) / np.maximum(1, known[~here].sum(0))
        probabilities[here] = np.where(tells[here, None], calibrate(logits[here], own), mute)
        said_all[here] = (probabilities[here] >= np.array(own_cuts)) & tells[here, None]
    said = said_all[:, MAIN]
    figures = {
        "folds": by_language(texts, rows, said),
        "registers": by_output(labels, probabilities, known, cuts),
        "machine": machine(labels, probabilities, known, langs),
        "zeroShot": {},
        "testSplits": {},
        "made": made(texts, folds, fitted, cuts, told),
        "mute": round(float((~tells).mean()), 4),
        "cuts": {"main": cuts[0], "sub": cuts[len(REGISTERS)], "machine": cuts[-1]},
    }
    for name in sorted(os.listdir(folder)):
        if not (name.startswith("lang-") and name.endswith(".npz")):
            continue
        one = np.load(os.path.join(folder, name))
        left = np.unique(texts.langs[one["rows"]])
        others = ~np.isin(langs, left) & tells
        own, own_cuts = fit_on(logits[others], labels[others], known[others])
        found = found_by(one["logits"], own, own_cuts, telling(texts, left_out(texts, name.removesuffix(".npz")))[one["rows"]])
        for lang in left:
            here = texts.langs[one["rows"]] == lang
            figures["zeroShot"][str(lang)] = {**micro(texts.labels[one["rows"]][here][:, MAIN], found[here]), "with": [str(one_) for one_ in left if one_ != lang]}
    one = read_scores(folder, "test")
    if one is not None:
        others = (texts.splits[rows] != "test") & tells
        own, own_cuts = fit_on(logits[others], labels[others], known[others])
        kept = texts.splits[one["rows"]] == "test"
        found = found_by(one["logits"][kept], own, own_cuts, telling(texts, left_out(texts, "test"))[one["rows"][kept]])
        figures["testSplits"] = by_language(texts, one["rows"][kept], found)
    return figures, fitted, cuts


def made(texts, folds, fitted, cuts, told):
    """Measures how often a register is found in made texts without one, by networks trained without them."""
    rows = np.concatenate([np.flatnonzero((texts.folds == fold) & texts.made) for fold in folds])
    logits = np.concatenate([one["made"] for one in folds.values()])
    found = found_by(logits, fitted, cuts, told[rows]).any(1)
    kinds = np.array([texts.made_as[row] for row in rows])
    return {kind: {"texts": int((kinds == kind).sum()), "found": round(float(found[kinds == kind].mean()), 3)} for kind in sorted(set(kinds))}
