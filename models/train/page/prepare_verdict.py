"""Gathers the pages on which the verdict "nothing here" is fitted, with the lines that the program finds on them.

    python3 -m page.prepare_verdict --gold DIR --out DIR [--limit N]

OUT/verdict.jsonl.gz   pages with main content of many types, pages that ask for a login, and what variants.py makes of the
                       first: without their content, and with little of it

They come from sets for training; each must be scored by a network trained without its fold. `answer` is 1 for main content, 0 for none; `kind` is the
type of the page, or its set's name for it. Pages whose host is in another set are left out.
"""

import argparse
import os
import re
import sys
from collections import Counter
from urllib.parse import urlparse

from common.align import align_known
from common.gold import fold_of, read, write
from page.prepare_pages import write_page_lines
from page.variants import MOST_LINES, emptied, shortened

# `kind` is for sets that state no type. The last set has no gold lines: its login pages have no content, and its other pages are not used.
SETS = [
    {"name": "wcxb", "file": "pages/wcxb/dev.jsonl.gz"},
    {"name": "harvest", "file": "pages/harvest/pages.jsonl.gz"},
    {"name": "mercury", "file": "pages/mercury/pages.jsonl.gz", "kind": "article"},
    {"name": "atf", "file": "pages/atf/pages.jsonl.gz"},
    {"name": "recipes", "file": "pages/recipes/pages.jsonl.gz"},
    {"name": "juriscraper", "file": "pages/juriscraper/pages.jsonl.gz"},
    {"name": "mirrors", "file": "pages/mirrors/pages.jsonl.gz"},
    {"name": "rkrzr", "file": "pages/rkrzr/pages.jsonl.gz", "kind": "home"},
    {"name": "formasaurus", "file": "pages/unlabelled/formasaurus.jsonl.gz"},
]
UNLABELLED = "formasaurus"
# Titles of pages that are a form for login, registration or a forgotten password, in the languages of formasaurus.
LOGIN_TITLE = re.compile(
    r"\b(log ?-?in|log ?-?on|sign ?-?(in|up|on))\b|\bregist(er|ration|rar|rácia)|password|passwort|forgot|create (an |new )?account|new account|"
    r"anmelden|connexion|mot de passe|senha|giriş|регистрац|пароля|zaloguj|logowanie|login|hasł|haslo|adgangskode|log ind|opret|meld u aan|"
    r"belépés|jelszó|注册|密码",
    re.I,
)


def gold_of(path):
    """By id: the fields that the program's lines do not keep."""
    return {one["id"]: {key: one.get(key) for key in ("host_in_shared", "repo", "page_type")} for one in read(path)}


def site_of(page, gold):
    """Sites of one repository of mirrors count as one; pages of formasaurus have no address, but a name with their host."""
    host = urlparse(page["url"] or "").netloc or page["id"].split("/")[-1].rsplit("-", 1)[0]
    return gold["repo"] or ".".join(host.lower().split(".")[-2:])


def labelled(page):
    """Returns 1 or 0 for the page's lines, or None where its gold lines do not say; None without gold lines."""
    gold = page.get("goldLines") or []
    return align_known(gold, [line["text"] for line in page["lines"]], unpaired=0) if gold else None


def answer_of(page, labels):
    """Returns 1, 0, or None if the page's content is in none of its lines, or is not labelled."""
    if page["source"] == UNLABELLED:
        return 0 if LOGIN_TITLE.search(page.get("title") or "") else None
    if labels is not None and 1 in labels:
        return 1
    return 0 if page["source"] == "wcxb" and not (page.get("goldText") or "").strip() else None


def with_made(page):
    """Returns the page with its answer, and its made variants."""
    labels = labelled(page)
    answer = answer_of(page, labels)
    if answer is not None:
        yield {**page, "variant": "base", "answer": answer, "lines": [{**line, "label": answer} for line in page["lines"]]}
    if labels is None or 1 not in labels or len(labels) > MOST_LINES:
        return
    known = {**page, "lines": [{**line, "label": label} for line, label in zip(page["lines"], labels)]}
    for variant, made, answer in (("empty", emptied(known), 0), ("short", shortened(known), 1)):
        if made is not None:
            yield {**made, "variant": variant, "answer": answer}


def pages_of(part, options):
    path = os.path.join(options.gold, part["file"])
    known = gold_of(path)
    lines = os.path.join(options.out, f"{part['name']}.verdict-lines.jsonl.gz")
    write_page_lines(path, lines, options.limit)
    for page in read(lines):
        gold = known[page["id"]]
        if gold["host_in_shared"] or not page["lines"]:
            continue
        site = site_of(page, gold)
        about = {"source": part["name"], "site": site, "kind": gold["page_type"] or part.get("kind")}
        yield from with_made({**page, **about, "fold": fold_of(urlparse(page["url"] or "").netloc or site)})


def for_use(page):
    keys = ("id", "url", "lang", "source", "site", "fold", "title", "kind", "variant", "answer", "lines")
    return {key: page[key] for key in keys if page.get(key) is not None}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--limit", type=int, help="at most this many pages of each set, to try the scripts")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    pages = [for_use(page) for part in SETS for page in pages_of(part, options)]
    write(os.path.join(options.out, "verdict.jsonl.gz"), pages)
    for group, count in sorted(Counter((one["variant"], one["answer"], one["source"]) for one in pages).items()):
        print(*group, count)


if __name__ == "__main__":
    sys.exit(main())
