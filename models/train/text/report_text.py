"""Prints the score tables of predictions (from predict_text.js) as Markdown, with 95 % document-bootstrap intervals.

    python3 -m text.report_text dev.predictions.jsonl eval.predictions.jsonl [--further more-dev.predictions.jsonl] [--into model.json]

`--further` names predictions for prepare_sets.py's documents for measuring, for tables by set and by language. The majority is that of the measured
lines, so it is the best possible constant answer.
"""

import argparse

import numpy as np

from common.calibrate import calibration_error, error_floor, error_interval, error_of_documents
from common.gold import read
from common.json_file import read_json, write_json
from common.measure import bootstrap, counts, scores

GUIDELINE = "turku-tq+crawl"
REGISTERS = ("NA", "IN", "OP", "IP", "HI", "ID", "SP", "LY")
# Registers with fewer documents than this are left out.
FEWEST = 3
# text: without a given condition; told: with it.
SYSTEMS = ("text", "told", "rules", "justext", "majority")


def counts_of(document, system, majority=False):
    gold = np.array(document["gold"])
    said = np.full(len(gold), majority, dtype=bool) if system == "majority" else np.array(document[system]) == 1
    return counts(gold, said)


def error_of(documents, system="text"):
    """Expected calibration error of the shipped scores."""
    keys = ("gold", "scores" if system == "text" else "toldScores")
    gold, said = (np.concatenate([document[key] for document in documents]).astype(np.float64) for key in keys)
    return calibration_error(gold, said, np.ones(len(gold)))


def row(name, documents, system):
    share = np.mean(np.concatenate([document["gold"] for document in documents]))
    each = [counts_of(document, system, share >= 0.5) for document in documents]
    total, intervals = scores(sum(each)), bootstrap(each)
    cell = lambda key: f"{total[key]:.3f} ({intervals[key][0]:.2f}–{intervals[key][1]:.2f})"
    # Documents with content of which no line is kept.
    empty = sum(1 for one in each if one[0] + one[2] > 0 and one[0] + one[1] == 0)
    error = f"{error_of(documents, system):.3f}" if system in SYSTEMS[:2] else ""
    cells = [name, f"{len(documents)} / {int(sum(sum(each)))}", system, cell("accuracy"), cell("f1"), cell("macro"), f"{total['share']:.2f}", str(empty), error]
    return f"| {' | '.join(cells)} |"


def table(title, groups):
    print(f"\n### {title}\n")
    print("| | documents / lines | labeller | accuracy | F1 content | macro F1 | share content | emptied | calibration error |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, documents in groups:
        for system in SYSTEMS:
            print(row(name, documents, system))


def groups_of(documents, key):
    groups = {}
    for document in documents:
        groups.setdefault(key(document), []).append(document)
    return groups


def guideline_groups(documents):
    """The crawled documents: together, by language, and by register (those that have one)."""
    groups = [("pooled", documents), *sorted(groups_of(documents, lambda one: one["lang"]).items())]
    for register in REGISTERS:
        of_it = [one for one in documents if register in (one.get("register") or "").split()]
        if len(of_it) >= FEWEST:
            groups.append((f"register {register}", of_it))
    return groups


def conditions(documents):
    """How often the condition is predicted right, and the calibration error in each condition, with interval, and the error that perfect scores would have."""
    print("\n### Conditions\n\n| condition | documents | told right | calibration error | floor | where said | floor |\n|---|---|---|---|---|---|---|")
    for name, each in sorted(groups_of(documents, lambda one: one["condition"]).items()):
        right = np.mean([one["judged"] == name for one in each])
        labels = [np.array(one["gold"]) for one in each]
        cells = [error_cells(labels, [np.array(one[key]) for one in each]) for key in ("scores", "toldScores")]
        print(f"| {name} | {len(each)} | {right:.3f} | {' | '.join(cells)} |")


def error_cells(labels, scores_of):
    low, high = error_interval(labels, scores_of)
    mean, most = error_floor(labels, scores_of)
    return f"{error_of_documents(labels, scores_of):.3f} ({low:.2f}–{high:.2f}) | {mean:.3f} (≤ {most:.3f})"


def further(documents):
    """Held-out sites of further sets, unchanged and as extracted, by set and by language."""
    found = [one for one in documents if one["source"].split("+")[1] in ("raw", "readable")]
    table("further sets of pages, by set", sorted(groups_of(found, lambda one: one["source"]).items()))
    table("further sets of pages, by language", sorted(groups_of(found, lambda one: f"{one['condition']} {one['lang']}").items()))


def record(path, groups):
    """Writes the `text` scores into model.json, so that they stay with the weights."""
    about = read_json(path)
    for name, documents in groups.items():
        each = [counts_of(document, "text") for document in documents]
        total, intervals = scores(sum(each)), bootstrap(each)
        about["scores"][name] = {
            "documents": len(documents),
            "lines": int(sum(sum(each))),
            **{key: round(total[key], 3) for key in ("accuracy", "f1", "macro")},
            "accuracyInterval": [round(float(x), 3) for x in intervals["accuracy"]],
            "calibrationError": round(error_of(documents), 3),
        }
    write_json(path, about)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dev")
    parser.add_argument("eval")
    parser.add_argument("--further")
    parser.add_argument("--into")
    options = parser.parse_args()
    dev, evaluated = list(read(options.dev)), list(read(options.eval))
    by_source = groups_of(dev, lambda one: one["source"])
    table("turku-tq dev", guideline_groups(by_source.pop(GUIDELINE)))
    table("own dev splits, by condition", sorted(by_source.items()))
    # Disguises and our own half-extracts are made, not found.
    conditions([one for one in dev if one["source"].split("+")[1] in ("crawl", "raw", "cut", "readable")])
    of_sets = groups_of(evaluated, lambda one: one["source"])
    news = [one for one in evaluated if one["source"] == "newspaper4k"]
    languages = [(f"newspaper4k {lang}", each) for lang, each in sorted(groups_of(news, lambda one: one["lang"]).items()) if lang in ("ja", "th", "zh", "my")]
    table("sets that never trained and chose nothing", [*of_sets.items(), *languages])
    if options.further:
        further(list(read(options.further)))
    for name, documents in (("dev", dev), ("the other sets", evaluated)):
        copies = [one["copies"] for one in documents if one["copies"]]
        print(f"\n`duplicate-line` decided {sum(copies)} lines in {len(copies)} of {len(documents)} documents of {name}.")
    if options.into:
        record(options.into, {**groups_of(dev, lambda one: one["source"]), **of_sets})


if __name__ == "__main__":
    main()
