"""Prints how well pages scored by train_page.py or score_pages.py are labelled, and fits calibration and cuts.

    python3 -m page.measure_pages --scores FILE... --pages FILE... --fit fit.json     # folds: fit, then measure with the fit
    python3 -m page.measure_pages --scores FILE... --pages FILE... --with fit.json [--into model.json]     # sets of their own

`--pages` are the prepared files (train.jsonl.gz, eval/*.jsonl.gz) with gold texts. Pages in folds that have no lines count, too: they keep nothing,
and get the answer "nothing here". Intervals: 95 %, pages drawn with replacement.
"""

import argparse

import numpy as np

from common.calibrate import calibration_error
from common.gold import read
from common.json_file import read_json, write_json
from common.measure import bootstrap, bootstrap_mean, counts, scores
from page.page_types import PAGE_TYPES
from page.page_fit import GUIDE, fit_all, lines_of, word_f1_by_slope
from page.page_label import calibrated, content_score, is_nothing, kept_lines
from page.page_words import has_content, read_pages, words_of


def read_scores(paths):
    # Pages outside training folds are used as they are.
    return [{**one, "variant": one["variant"] or "base"} for path in paths for one in read(path)]


def without_lines(pages, folds):
    """Returns records of pages without lines, which no model scores, of these folds (of all pages if they have no folds)."""
    empty = {"variant": "base", "trains": False, "labels": [], "letters": [], "walls": 0, "lines": [], "page": []}
    silent = [page for page in pages.values() if len(page["lines"]) == 0 and page.get("fold") in folds]
    return [{**empty, **{key: page.get(key) for key in ("id", "source", "lang", "pageType", "fold")}} for page in silent]


class Judged:
    """A scored page with the labeller's result and how good it is."""

    def __init__(self, record, page, words, fit):
        self.record = record
        self.source, self.type = record["source"], record["pageType"]
        self.has_content = has_content(page)
        self.is_nothing = is_nothing(record, fit)
        kept = kept_lines(record, fit) & (not self.is_nothing)
        self.counts = counts(np.array(record["labels"]), kept)
        self.word_f1 = None if words is None else words.f1(kept)


def judge(records, pages, words, fit):
    return [Judged(one, pages[one["id"]], words.get(one["id"]), fit) for one in records if one["variant"] == "base"]


def cell(value, interval):
    return f"{value:.3f} ({interval[0]:.2f}–{interval[1]:.2f})"


def row(name, judged):
    each = [one.counts for one in judged]
    total, intervals = scores(sum(each)), bootstrap(each)
    words = [one.word_f1 for one in judged if one.word_f1 is not None]
    word_f1 = cell(np.mean(words), bootstrap_mean(words)) if words else "–"
    line = f"| {name} | {len(judged)} / {int(sum(sum(each)))} | {word_f1} | {cell(total['f1'], intervals['f1'])} "
    return line + f"| {cell(total['macro'], intervals['macro'])} | {total['share']:.2f} |"


def print_groups(judged):
    print("\n| | pages / lines | word F1 | line F1 | line macro F1 | share content |")
    print("|---|---|---|---|---|---|")
    for source in dict.fromkeys(one.source for one in judged):
        print(row(source, [one for one in judged if one.source == source]))
    for page_type in PAGE_TYPES:
        of_type = [one for one in judged if one.source == GUIDE and one.type == page_type]
        if of_type:
            print(row(f"{GUIDE} {page_type}", of_type))


def print_verdicts(judged, records, fit):
    """Counts the pages without main content with the answer "nothing here", and the other pages with this wrong answer."""
    print('\n| | pages without content | answered "nothing here" | of them without a line | false alarms |')
    print("|---|---|---|---|---|")
    for source in dict.fromkeys(one.source for one in judged):
        pages = [one for one in judged if one.source == source]
        empty = [one for one in pages if one.has_content is False]
        answered = [one for one in empty if one.is_nothing]
        silent = [one for one in answered if len(one.record["lines"]) == 0]
        # If we do not find a page's text, it has no line to lose, so it is not a false alarm of the model.
        full = [one for one in pages if one.has_content and len(one.record["lines"]) > 0]
        alarms = sum(one.is_nothing for one in full)
        share = f"{len(answered) / len(empty):.2f}" if empty else "–"
        print(f"| {source} | {len(empty)} | {len(answered)} ({share}) | {len(silent)} | {alarms} of {len(full)} ({alarms / max(1, len(full)):.4f}) |")
    for variant, what in (("empty", "without"), ("short", "with little")):
        those = [one for one in records if one["variant"] == variant]
        if those:
            print(f"\nMade pages {what} content: {sum(is_nothing(one, fit) for one in those)} of {len(those)} answered.")


def print_calibration(records, judged, fit):
    by_source = {}
    for record in records:
        if record["variant"] == "base" and len(record["lines"]) > 0:
            by_source.setdefault(record["source"], []).append(record)
    print("\nExpected calibration error of lines, each page weighing the same:")
    for source, each in by_source.items():
        labels, logits, weights = lines_of(each)
        probability = calibrated(logits, fit["calibration"])
        print(f"  {source} {calibration_error(labels, probability, weights):.3f}")
    modelled = [one for one in judged if len(one.record["lines"]) > 0 and one.has_content is not None]
    answers = np.array([float(one.has_content) for one in modelled])
    content = np.array([content_score(one.record, fit) for one in modelled])
    print(f"  main content of pages {calibration_error(answers, content, np.ones(len(content))):.3f}")
    typed = [one for one in modelled if one.type in PAGE_TYPES and one.has_content]
    if typed:
        right = [PAGE_TYPES[int(np.argmax(one.record["page"][: len(PAGE_TYPES)]))] == one.type for one in typed]
        print(f"Page type: {np.mean(right):.3f} of {len(typed)} right.")


def print_tables(records, pages, words, fit):
    judged = judge(records, pages, words, fit)
    print_groups(judged)
    print_verdicts(judged, records, fit)
    print_calibration(records, judged, fit)
    return judged


def record_scores(path, judged):
    """Writes the scores into model.json, so that they stay with the weights."""
    about = read_json(path)
    for source in dict.fromkeys(one.source for one in judged):
        each = [one for one in judged if one.source == source]
        total, intervals = scores(sum(one.counts for one in each)), bootstrap([one.counts for one in each])
        words = [one.word_f1 for one in each if one.word_f1 is not None]
        about["scores"][source] = {
            "documents": len(each),
            "lines": int(sum(sum(one.counts for one in each))),
            **{key: round(total[key], 3) for key in ("f1", "macro")},
            "f1Interval": [round(float(x), 3) for x in intervals["f1"]],
            **({"wordF1": round(float(np.mean(words)), 3)} if words else {}),
        }
    write_json(path, about)


def fitted(records, pages):
    return fit_all(records, {one["id"]: has_content(pages[one["id"]]) for one in records if one["variant"] == "base"})


def print_fit(records, words, fit):
    print(f"calibration {fit['calibration']}, verdict {fit['verdict']}")
    slopes = word_f1_by_slope(records, words, fit)
    print("word F1 at shares of the slope: " + ", ".join(f"{share}: {value:.4f}" for share, value in slopes.items()))


def measured(records, pages):
    """Returns the records, including those of pages without lines, and the words of each page."""
    records = records + without_lines(pages, {one.get("fold") for one in records})
    wanted = [one["id"] for one in records if one["variant"] == "base"]
    return records, {name: words_of(pages[name]) for name in wanted}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scores", nargs="+", required=True)
    parser.add_argument("--pages", nargs="+", required=True)
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--fit", help="fit on these pages and write the fit to this file")
    how.add_argument("--with", dest="known", help="a fit to use")
    parser.add_argument("--into", help="write the scores into this model.json")
    options = parser.parse_args()
    pages = read_pages(options.pages)
    records, words = measured(read_scores(options.scores), pages)
    if options.known:
        fit = read_json(options.known)
    else:
        fit = fitted(records, pages)
        write_json(options.fit, fit)
        print_fit(records, words, fit)
    judged = print_tables(records, pages, words, fit)
    if options.into:
        record_scores(options.into, judged)


if __name__ == "__main__":
    main()
