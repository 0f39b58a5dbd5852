"""Prints the score tables of predictions (from predict.js) as Markdown, with 95 % document-bootstrap intervals.

    python3 report.py dev.predictions.jsonl eval.predictions.jsonl [--into model.json]

The majority is that of the measured lines themselves, so it is the best that any constant answer can do.
"""

import argparse
import json

import numpy as np

from measure import bootstrap, counts, scores


DEV_SOURCES = ("turku-tq", "wcxb", "waddle")


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def said(document, system, majority):
    if system == "majority":
        return np.full(len(document["gold"]), majority, dtype=bool)
    return np.array(document[system]) == 1


def row(name, documents, system):
    share = np.mean(np.concatenate([document["gold"] for document in documents]))
    each = [counts(np.array(d["gold"]), said(d, system, share >= 0.5)) for d in documents]
    total, intervals = scores(sum(each)), bootstrap(each)
    cell = lambda key: f"{total[key]:.3f} ({intervals[key][0]:.2f}–{intervals[key][1]:.2f})"
    lines = int(sum(sum(each)))
    # Documents with content of which no line was kept.
    empty = sum(1 for one in each if one[0] + one[2] > 0 and one[0] + one[1] == 0)
    return f"| {name} | {len(documents)} / {lines} | {system} | {cell('accuracy')} | {cell('f1')} | {cell('macro')} | {total['share']:.2f} | {empty} |"


def table(title, groups):
    print(f"\n{title}\n")
    print("| | documents / lines | labeller | accuracy | F1 content | macro F1 | share content | emptied |")
    print("|---|---|---|---|---|---|---|---|")
    for name, documents in groups:
        for system in ("text", "rules", "majority"):
            print(row(name, documents, system))


def named(source):
    return f"{source} dev" if source.split("+")[0] in DEV_SOURCES else source


def record(path, groups):
    """Writes the `text` scores into model.json, so that they travel with the weights."""
    with open(path, encoding="utf-8") as file:
        about = json.load(file)
    for name, documents in groups:
        each = [counts(np.array(d["gold"]), said(d, "text", False)) for d in documents]
        total, intervals = scores(sum(each)), bootstrap(each)
        about["scores"][name] = {
            "documents": len(documents),
            "lines": int(sum(sum(each))),
            **{key: round(total[key], 3) for key in ("accuracy", "f1", "macro")},
            "accuracyInterval": [round(float(x), 3) for x in intervals["accuracy"]],
        }
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(about, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("predictions", nargs="+")
    parser.add_argument("--into")
    options = parser.parse_args()
    for path in options.predictions:
        documents = read(path)
        by_source = {}
        for document in documents:
            by_source.setdefault(document["source"], []).append(document)
        turku = by_source.get("turku-tq", [])
        if turku:
            languages = sorted({document["lang"] for document in turku})
            groups = [(lang, [d for d in turku if d["lang"] == lang]) for lang in languages]
            table("turku-tq dev", [("pooled", turku), *groups])
        others = [(named(source), each) for source, each in by_source.items() if source != "turku-tq"]
        for source in ("waddle", "waddle+extracted", "newspaper4k"):
            each = by_source.get(source, [])
            languages = sorted({d["lang"] for d in each} & {"zh", "ja", "th", "ru", "my"})
            others += [(f"{named(source)} {lang}", [d for d in each if d["lang"] == lang]) for lang in languages]
        table("own dev splits" if turku else "sets that never trained and chose nothing", others)
        copies = [d["copies"] for d in documents if d["copies"]]
        print(f"\n`duplicate-line` decided {sum(copies)} lines in {len(copies)} of {len(documents)} documents.")
        if options.into:
            record(options.into, [(named(source), each) for source, each in by_source.items()])


if __name__ == "__main__":
    main()
