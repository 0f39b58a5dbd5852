"""Gathers texts in each condition, to fit the prediction of the condition.

    python3 -m text.prepare_conditions --gold DIR --out DIR

OUT/conditions.jsonl.gz   raw: the lines of pages; extracted: the output of Trafilatura and jusText for the same pages (both must be installed); crawl: the training texts of turku-tq

The pages come from sets for training, from hosts that are in no set for measuring. The lines have the labels of the page's gold lines, or null. Of
these labels, only those of turku-tq were used to train text-7.
"""

import argparse
import os
import re

import justext
import trafilatura

from common.gold import TURKU_LANGUAGES, fold_of, has_good_labels, host_of, read, write
from text.made.conditions import CRAWL, EXTRACTED, RAW

SETS = ["harvest", "mercury", "atf", "recipes", "mirrors", "rkrzr", "juriscraper"]
# The most pages of a set, in the order of their ids, so that sets of the same kind do not outweigh the others.
MOST_PAGES = 250
STOP_LISTS = {
    **{"cs": "Czech", "da": "Danish", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "hu": "Hungarian"},
    **{"it": "Italian", "nl": "Dutch", "no": "Norwegian_Bokmal", "pl": "Polish", "pt": "Portuguese", "ru": "Russian"},
    **{"sv": "Swedish", "tr": "Turkish", "vi": "Vietnamese"},
}


def clean(text):
    return re.sub(r"\s+", " ", text).strip()


def by_trafilatura(page):
    # Every second page has its comments, as for users who do not switch them off.
    return trafilatura.extract(page["html"], include_comments=len(page["html"]) % 2 == 0) or ""


def by_justext(page):
    if page["lang"] not in STOP_LISTS:
        return ""
    stop_list = justext.get_stoplist(STOP_LISTS[page["lang"]])
    paragraphs = justext.justext(page["html"].encode(), stop_list, encoding="utf-8")
    return "\n".join(str(one.text) for one in paragraphs if not one.is_boilerplate)


EXTRACTORS = {"trafilatura": by_trafilatura, "justext": by_justext}


def labels_of(lines):
    """Labels by text; null if the same text has two labels."""
    labels = {}
    for line in lines:
        text = clean(line["text"])
        labels[text] = line["label"] if labels.get(text, line["label"]) == line["label"] else None
    return labels


def texts_of_page(page, name):
    about = {"set": name, "lang": page["lang"], "fold": fold_of(host_of(page))}
    lines = [{"text": clean(one["text"]), "label": one["label"]} for one in page["gold_lines"]]
    yield {**about, "condition": RAW, "variant": "raw", "id": page["id"], "lines": lines}
    labels = labels_of(lines)
    for variant, extract in EXTRACTORS.items():
        # Markers of list items come from the extractor.
        texts = [clean(re.sub(r"^[-•|] ", "", one)) for one in extract(page).split("\n")]
        kept = [{"text": text, "label": labels.get(text)} for text in texts if text]
        yield {**about, "condition": EXTRACTED, "variant": variant, "id": f"{page['id']}#{variant}", "lines": kept}


def is_wanted(page):
    return has_good_labels(page) and not page.get("host_in_shared")


def texts(gold):
    for name in SETS:
        pages = sorted(filter(is_wanted, read(f"{gold}/pages/{name}/pages.jsonl.gz")), key=lambda page: page["id"])
        for page in pages[:: max(1, len(pages) // MOST_PAGES)]:
            yield from texts_of_page(page, name)
    for lang in TURKU_LANGUAGES:
        for one in read(f"{gold}/lines/turku-tq/{lang}.train.jsonl.gz"):
            about = {"set": "turku-tq", "lang": lang, "fold": fold_of(one["id"]), "condition": CRAWL, "variant": "crawl"}
            yield {**about, "id": one["id"], "lines": [{"text": line["text"], "label": line["label"]} for line in one["lines"]]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gold", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    write(f"{options.out}/conditions.jsonl.gz", (one for one in texts(options.gold) if any(line["text"] for line in one["lines"])))


if __name__ == "__main__":
    main()
