"""Makes the stop words of the `justext` labeller: a language's most frequent words, up to a given share of its texts.

    python3 -m papers.stop_words --gold DIR > ../../src/label/papers/justext/stop-words.ts

jusText's own lists cover .40 to .51 of the words of these texts, .45 on average, and its thresholds of .30 and .32 were set for such lists, so ours
are cut at .46. Words are separated by spaces, as in jusText: a word with a comma does not count. Words that are in the most texts come first, so that
a few long texts cannot bring in their own words.
"""

import argparse
import collections
import json
import os
import re
import sys
from typing import Any, Iterator

from common.gold import fold_of, host_of, read

SHARE = 0.46
CORE = {"ar": "ArCORE", "ca": "CaCORE", "es": "SpaCORE", "fi": "FinCORE", "fr": "FrCORE", "hi": "HiCORE", "id": "IdCORE", "pt": "PtCORE", "sv": "SvCORE", "ur": "UrCORE"}
# Letters and the marks that join them inside a word; no digits, no marks alone.
WORD = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0610-\u061a\u064b-\u065f\u0670\u200c\u200d'’-]+[^\W\d_]*)*")
# The least number of texts with a word; a rarer word belongs to a subject.
FEWEST_TEXTS = 0.02
# These hosts of wcxb and waddle are the benchmark's.
HELD_OUT_FOLD = 0

HEAD = """/**
 * Lists the most frequent words of languages. Written by models/train/papers/stop_words.py; do not edit.
 *
 * From texts of the CORE family and of Turku's line annotations, from the Web Content Extraction Benchmark's development pages
 * (en; all of these CC BY 4.0), and from Waddle's news (ru): the words that together make up .46 of a language's running words.
 */
"""


def texts_of(gold: str) -> Iterator[tuple[str, str]]:
    """Yields main texts with their language, without texts for measuring."""
    for lang, name in CORE.items():
        for document in read(os.path.join(gold, f"text/{name}.jsonl.gz")):
            # SvCORE and FrCORE contain the documents that Turku labelled line by line, and those are split.
            if lang not in ("fr", "sv") or document["split"] == "train":
                yield lang, document["text"]
    for lang in ("de", "fr"):
        for document in read(os.path.join(gold, f"lines/turku-tq/{lang}.train.jsonl.gz")):
            yield lang, main_of(document)
    for lang, name in (("en", "wcxb/dev"), ("ru", "waddle/pages")):
        for page in read(os.path.join(gold, f"pages/{name}.jsonl.gz")):
            if page["lang"].split("-")[0] == lang and fold_of(host_of(page)) != HELD_OUT_FOLD:
                yield lang, page.get("gold_text") or "\n".join(line["text"] for line in page.get("gold_lines") or [] if int(line["label"]))


def main_of(document: dict[str, Any]) -> str:
    return "\n".join(line["text"] for line in document["lines"] if int(line["label"]))


def frequent_words(texts: list[str]) -> list[str]:
    counts: collections.Counter[str] = collections.Counter()
    documents: collections.Counter[str] = collections.Counter()
    for text in texts:
        words = text.lower().split()
        counts.update(words)
        documents.update(set(words))
    total, covered, found = sum(counts.values()), 0, []
    for word, texts_with_it in documents.most_common():
        if covered >= SHARE * total or texts_with_it < FEWEST_TEXTS * len(texts):
            break
        if WORD.fullmatch(word):
            found.append(word)
            covered += counts[word]
    print(f"{len(texts)} texts, {total} words, {len(found)} stop words, {covered / total:.3f} of the words", file=sys.stderr)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", required=True)
    options = parser.parse_args()
    by_language: dict[str, list[str]] = {}
    for lang, text in texts_of(options.gold):
        by_language.setdefault(lang, []).append(text)
    sys.stdout.write(HEAD + "export const STOP_WORDS: Readonly<Record<string, string>> = {\n")
    for lang in sorted(by_language):
        print(lang, end=": ", file=sys.stderr)
        words = " ".join(sorted(frequent_words(by_language[lang])))
        sys.stdout.write(f"  {lang}: {json.dumps(words, ensure_ascii=False)},\n")
    sys.stdout.write("};\n")


if __name__ == "__main__":
    main()
