"""Computes the word F1 of pages as the Web Content Extraction Benchmark counts it: bags of words, the mean over pages."""

import re

import numpy as np

from common.gold import read

WORD = re.compile(r"\w+")


class PageWords:
    """The gold text and our lines of one page as numbers of words, so that many cuts are counted quickly."""

    def __init__(self, gold_text, lines):
        known = {}
        number = lambda text: [known.setdefault(word, len(known)) for word in WORD.findall(text.lower())]
        gold = number(gold_text)
        self.lines = [np.array(number(line), dtype=np.int64) for line in lines]
        self.size = len(known)
        self.gold = np.bincount(np.array(gold, dtype=np.int64), minlength=self.size)

    def f1(self, kept):
        """Scores the kept lines. If no words are wanted, none is right."""
        words = [line for line, is_kept in zip(self.lines, kept) if is_kept]
        said = np.bincount(np.concatenate([*words, np.zeros(0, dtype=np.int64)]), minlength=self.size)
        wanted, given = self.gold.sum(), said.sum()
        if wanted == 0 or given == 0:
            return float(wanted == given)
        return float(2 * np.minimum(self.gold, said).sum() / (wanted + given))


def read_pages(paths):
    """By id: the pages of prepared files."""
    return {page["id"]: page for path in paths for page in read(path)}


def words_of(page):
    """Returns nothing for a page whose gold has only labels and no text."""
    if page.get("goldText") is None:
        return None
    return PageWords(page["goldText"], [line["text"] for line in page["lines"] if line["text"].strip()])


def has_content(page):
    """Returns True, False, or None for a page whose gold text is in none of its lines: then neither answer is wrong."""
    if any(line.get("label") == 1 for line in page["lines"]):
        return True
    return None if (page.get("goldText") or "").strip() else False
