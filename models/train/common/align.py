"""Puts the labels of a page's gold lines onto our own lines of the same page.

    python3 -m common.align < documents.jsonl > labelled.jsonl

The two were cut from one page by different rules, so most lines are equal and the others are split, joined or spaced
otherwise. Equal lines are paired first, from lines that occur once on both sides; between them words are paired, and each
of our lines takes the label that most of its paired letters have. A line without a pair is boilerplate, and is counted.
"""

import bisect
import json
import re
import sys
from collections import Counter
from difflib import SequenceMatcher

# One letter of a script that writes no spaces is a word.
TOKEN = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|[^\W_]+")
# Pairs of words between two paired lines; beyond, the lines between stay without a pair.
MOST_PAIRS = 60_000_000


def align_known(gold, texts, unpaired=None):
    """As `align`, where some gold lines have the label None, for unknown: so are our lines then of which they would decide."""
    as_ = lambda unknown: align([{**one, "label": unknown if one["label"] is None else int(one["label"])} for one in gold], texts)
    return [unpaired if low is None else low if low == high else None for low, high in zip(as_(0), as_(1))]


def squeeze(text):
    return "".join(text.split())


def tokens(text):
    return TOKEN.findall(text.lower())


def align(gold, texts):
    """Labels, or None where there is no pair, of `texts` by `gold` lines ({"text", "label"})."""
    ours = [None] * len(texts)
    for tag, a, b, c, d in pair_lines([squeeze(one["text"]) for one in gold], [squeeze(text) for text in texts]):
        if tag == "equal":
            ours[c:d] = [int(one["label"]) for one in gold[a:b]]
        elif b > a and d > c:
            for at, (without, with_) in vote(gold[a:b], texts[c:d]).items():
                ours[c + at] = int(with_ > without)
    return ours


def pair_lines(gold, ours):
    """Runs that cover both lists, as SequenceMatcher gives them: "equal" or another tag, and the four edges."""
    runs = []
    before = (0, 0)
    for i, j in [*anchors(gold, ours), (len(gold), len(ours))]:
        between = SequenceMatcher(None, gold[before[0] : i], ours[before[1] : j], autojunk=False)
        for tag, a, b, c, d in between.get_opcodes():
            runs.append((tag, before[0] + a, before[0] + b, before[1] + c, before[1] + d))
        if i < len(gold):
            runs.append(("equal", i, i + 1, j, j + 1))
        before = (i + 1, j + 1)
    return runs


def anchors(gold, ours):
    """Pairs of equal lines that occur once on both sides, as many as keep the order of both."""
    once_in_gold, once_in_ours = Counter(gold), Counter(ours)
    place = {line: at for at, line in enumerate(gold) if once_in_gold[line] == 1}
    pairs = [(place[line], j) for j, line in enumerate(ours) if once_in_ours[line] == 1 and line in place]
    # The longest increasing run, by patience sorting.
    tails, last, previous = [], [], []
    for number, (i, _) in enumerate(pairs):
        pile = bisect.bisect_left(tails, i)
        previous.append(last[pile - 1] if pile else None)
        tails[pile : pile + 1] = [i]
        last[pile : pile + 1] = [number]
    chain = []
    at = last[-1] if last else None
    while at is not None:
        chain.append(pairs[at])
        at = previous[at]
    return chain[::-1]


def vote(gold, texts):
    """For each line with a paired word: how many paired letters are boilerplate, and how many content."""
    theirs = [(word, int(one["label"])) for one in gold for word in tokens(one["text"])]
    ours = [(word, at) for at, text in enumerate(texts) for word in tokens(text)]
    if len(theirs) * len(ours) > MOST_PAIRS:
        return {}
    words = SequenceMatcher(None, [word for word, _ in theirs], [word for word, _ in ours], autojunk=False)
    votes = {}
    for i, j, size in words.get_matching_blocks():
        for step in range(size):
            word, at = ours[j + step]
            votes.setdefault(at, [0, 0])[theirs[i + step][1]] += len(word)
    return votes


# Lines by the gold text alone: a line is content if this share of its letters has a pair there. It is asked where the
# labelled lines hold no more than FEWEST_FOUND of the gold lines' content, and believed if it finds LEAST_BY_TEXT of it.
FEWEST_PAIRED = 0.6
FEWEST_FOUND = 0.5
LEAST_BY_TEXT = 0.7


def align_to_text(gold_text, texts):
    """Labels by the gold text alone, for pages whose gold lines come from another reading of the page."""
    votes = vote([{"text": gold_text, "label": 1}], texts)
    letters = [sum(map(len, tokens(text))) for text in texts]
    return [int(at in votes and votes[at][1] >= FEWEST_PAIRED * letters[at]) for at in range(len(texts))]


def label_lines(document):
    """The document with labels, how many lines have no pair, and how much of the gold's content is in labelled lines.

    A page whose gold is empty has no content, whatever its lines; one without gold lines otherwise gets no labels, unless
    it has no line that could have one.
    """
    texts = [line["text"] for line in document["lines"]]
    gold = document.get("goldLines") or []
    is_empty = document.get("goldText") is not None and document["goldText"].strip() == ""
    labels = align(gold, texts) if gold else [0] * len(texts)
    wanted = sum(len(one["text"]) for one in gold if int(one["label"]))
    found = sum(len(text) for text, label in zip(texts, labels) if label)
    if document.get("goldText") and texts and found <= FEWEST_FOUND * wanted:
        by_text = align_to_text(document["goldText"], texts)
        cover = round(sum(len(text) for text, label in zip(texts, by_text) if label) / len(document["goldText"]), 3)
        if cover >= LEAST_BY_TEXT:
            lines = [{**line, "label": label} for line, label in zip(document["lines"], by_text)]
            return {**document, "lines": lines, "labelled": True, "unmatched": 0, "carried": min(1.0, cover), "goldCover": min(1.0, cover)}
    if not gold and not is_empty and texts:
        return {**document, "labelled": False}
    lines = [{**line, "label": label or 0} for line, label in zip(document["lines"], labels)]
    carried = round(found / wanted, 3) if wanted else 1.0
    unmatched = sum(label is None for label in labels)
    return {**document, "lines": lines, "labelled": True, "unmatched": unmatched, "carried": carried}


def label_known(document):
    """As `label_lines`, of gold that leaves lines without a label: ours are None there, and where they have no pair."""
    texts = [line["text"] for line in document["lines"]]
    gold = document.get("goldLines") or []
    labels = align_known(gold, texts)
    wanted = sum(len(one["text"]) for one in gold if one["label"])
    found = sum(len(text) for text, label in zip(texts, labels) if label)
    lines = [{**line, "label": label} for line, label in zip(document["lines"], labels)]
    known = {"labelled": 0 in labels and 1 in labels, "unmatched": labels.count(None)}
    return {**document, **known, "lines": lines, "carried": round(found / wanted, 3) if wanted else 1.0}


def main():
    pages = lines = unmatched = content = without = 0
    for line in sys.stdin:
        document = label_lines(json.loads(line))
        pages += 1
        without += not document["labelled"]
        lines += len(document["lines"])
        unmatched += document.get("unmatched", 0)
        content += sum(one.get("label", 0) for one in document["lines"])
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
    sys.stderr.write(f"{pages} pages ({without} without gold), {lines} lines: {content} content, {unmatched} without a pair\n")


if __name__ == "__main__":
    main()
