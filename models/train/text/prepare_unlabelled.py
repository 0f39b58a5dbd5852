"""Gathers unlabelled texts in many languages, with which a fine-tuned encoder teaches a network for crawled text.

    python3 -m text.prepare_unlabelled --gold DIR --out DIR

OUT/unlabelled.jsonl.gz        documents whose labels are all null: the output of Trafilatura and jusText for pages (both must be installed), all
                               paragraphs of some pages, and clean texts split into lines at their sentences
OUT/unlabelled.about.jsonl     about them, in the form of prepare_text.py

The pages come from sets for training, from hosts that are in no set for measuring, and not from the fold of sites for measuring. Texts that share
several runs of eight words with a document of turku-tq, in any split, are left out, so that folds stay unseen.
"""

import argparse
import os
import re
from collections import Counter
from itertools import chain

import justext
import trafilatura

from common.disguise import dice
from common.gold import TURKU_LANGUAGES, digest_of, fold_of, host_of, read
from text.made.conditions import CRAWL, SENTENCE_END
from text.prepare_conditions import STOP_LISTS, clean
from text.prepare_text import DEV_FOLD, MOST_RUNS, runs_of, runs_of_lines, without_blanks, write
from text.text_data import NO_FOLD

PAGES = (
    *(f"unlabelled/{name}" for name in ("htmldate", "autopager", "formasaurus", "webstruct")),
    *(f"{name}/pages" for name in ("mercury", "recipes", "mirrors", "rkrzr", "harvest", "atf")),
)
# Whole pages as plain text, with the share of them that is used; and clean texts, with the most lines of each.
WHOLE_TEXTS = {"SpaCORE": 1.0, "SimChiCORE": 0.2}
CLEAN_TEXTS = {"SvCORE": 9_000, "FinCORE": 5_000, "FrCORE": 4_000, "IdCORE": 1_000, "PtCORE": 1_500, "CaCORE": 800}
# The most lines of pages in a language, and the share of them that may come from whole pages.
MOST_OF_LANGUAGE = {"en": 9_000, "zh": 1_500, "nl": 2_500, "pt": 3_000, "ru": 2_500, **dict.fromkeys(("de", "es", "fi", "fr", "sv"), 6_000)}
MOST_OF_OTHERS, WHOLE_SHARE = 900, 0.3
ENGLISH_SHARE = 0.3
FEWEST_LINES, MOST_LINES, LONGEST_PAGE = 3, 80, 400_000
# Where a clean text may be split without the end of a sentence: before a title or a list that lost its line break.
TITLE_START = re.compile(r"(?<=[a-zåäöéè0-9]) (?=[A-ZÅÄÖÉ][a-zåäö]+ [A-ZÅÄÖÉ])")


def held_runs(gold):
    """Returns the word runs of all line-labelled documents in turku-tq."""
    documents = chain.from_iterable(read(f"{gold}/lines/turku-tq/{lang}.{split}.jsonl.gz") for lang in TURKU_LANGUAGES for split in ("train", "dev"))
    return runs_of_lines(documents)


def by_trafilatura(page, rng):
    text = trafilatura.extract(page["html"], include_comments=True, favor_recall=rng.random() < 0.6) or ""
    return [re.sub(r"^[-•|] ", "", line) for line in text.split("\n")]


def paragraphs_of(page):
    stop_list = justext.get_stoplist(STOP_LISTS[page["lang"]]) if page["lang"] in STOP_LISTS else frozenset()
    return justext.justext(page["html"].encode(), stop_list, encoding="utf-8")


def by_justext(paragraphs, rng):
    """Returns jusText's output unchanged or, more often, as a less strict cleaner would: with some short and nearly good paragraphs."""
    is_lax = rng.random() < 0.7
    return [one.text for one in paragraphs if not one.is_boilerplate or (is_lax and one.cf_class in ("neargood", "short") and rng.random() < 0.6)]


def window(lines, rng, most):
    start = rng.randrange(max(1, len(lines) - most + 1))
    return lines[start : start + most]


def texts_of_page(page):
    rng = dice(page, "unlabelled")
    if page.get("host_in_shared") or page["lang"] == "und" or len(page["html"]) > LONGEST_PAGE:
        return
    if fold_of(host_of(page)) == DEV_FOLD or (page["lang"] == "en" and rng.random() > ENGLISH_SHARE):
        return
    paragraphs = paragraphs_of(page)
    yield "trafilatura", by_trafilatura(page, rng), rng
    if page["lang"] in STOP_LISTS:
        yield "justext", by_justext(paragraphs, rng), rng
    if rng.random() < 0.5:
        yield "whole", [one.text for one in paragraphs], rng


def document_of(name, lang, lines, rng, most=MOST_LINES):
    # The teacher must see the same lines as the features.
    lines = without_blanks({"text": clean(str(line)), "label": None} for line in lines)
    return {"id": f"unlabelled/{name}", "lang": lang, "lines": window(lines, rng, most)}


def of_pages(gold):
    """Returns documents of each language up to its limit, in random order."""
    found = []
    for path in PAGES:
        for page in read(f"{gold}/pages/{path}.jsonl.gz"):
            found += [(how, document_of(f"{page['id']}#{how}", page["lang"], lines, rng)) for how, lines, rng in texts_of_page(page)]
    for name, share in WHOLE_TEXTS.items():
        for text in read(f"{gold}/text/{name}.jsonl.gz"):
            rng = dice(text, "unlabelled")
            if rng.random() < share:
                found.append(("text", document_of(text["id"], text["lang"], text["text"].split("\n"), rng)))
    return found


def limited(found):
    taken, whole = Counter(), Counter()
    for how, document in sorted(found, key=lambda one: dice(one[1], "order").random()):
        lang, lines = document["lang"], len(document["lines"])
        most = MOST_OF_LANGUAGE.get(lang, MOST_OF_OTHERS)
        if taken[lang] + lines > most or (how == "whole" and whole[lang] + lines > WHOLE_SHARE * most):
            continue
        taken[lang] += lines
        whole[lang] += lines if how == "whole" else 0
        yield document


def cut_text(text, rng):
    """Returns lines of one to four sentences, some of them split where a title may have been."""
    sentences = [one for one in SENTENCE_END.split(text) if one.strip()]
    grain, lines = rng.choice((1, 1, 2, 4)), []
    while sentences:
        count = rng.randint(1, grain)
        line = " ".join(sentences[:count])
        lines += TITLE_START.split(line, maxsplit=3) if len(line) > 80 and rng.random() < 0.5 else [line]
        sentences = sentences[count:]
    return lines


def of_clean_texts(gold):
    for name, most in CLEAN_TEXTS.items():
        lines = 0
        # Machine translations are not natural language.
        texts = (one for one in read(f"{gold}/text/{name}.jsonl.gz") if "MT" not in (one.get("register") or "").split())
        for text in sorted(texts, key=lambda one: dice(one, "order").random()):
            rng = dice(text, "unlabelled")
            document = document_of(text["id"], text["lang"], cut_text(text["text"], rng), rng, 60)
            if lines + len(document["lines"]) <= most:
                lines += len(document["lines"])
                yield document


def fresh(documents, held):
    """Returns documents that are texts, occur once, and are not similar to a document of turku-tq."""
    seen = set()
    for document in documents:
        digest = digest_of(document["lines"])
        is_like = len(runs_of("\n".join(line["text"] for line in document["lines"])) & held) >= MOST_RUNS
        if len(document["lines"]) >= FEWEST_LINES and digest not in seen and not is_like:
            seen.add(digest)
            yield {**document, "source": "turku-tq", "condition": CRAWL, "variant": "unlabelled", "fold": NO_FOLD, "digest": digest}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    lines = Counter()

    def counted():
        for document in fresh(chain(limited(of_pages(options.gold)), of_clean_texts(options.gold)), held_runs(options.gold)):
            lines[document["lang"]] += len(document["lines"])
            yield document

    write(options.out, "unlabelled", counted())
    print(f"{len(lines)} languages:", *(f"{lang} {count}" for lang, count in lines.most_common()))


if __name__ == "__main__":
    main()
