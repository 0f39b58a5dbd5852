"""Writes the documents of a page model's parity test as labelled lines (the labels mean nothing here): lines of this
project's own fixtures with their place in the page, and the texts of parity.py without one.

    python3 -m page.parity_pages > parity.jsonl
"""

import json
import os
import sys
import tempfile

from common.gold import read
from common.parity import DOCUMENTS
from page.prepare_pages import write_page_lines

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "fixtures", "pages")
SLUGS = ["documentation-code-en", "forum-thread-ko", "listing-pt", "news-article-zh", "product-es", "recipe-ruby-ja"]
SLUGS += ["table-as-layout"]


def fixture(slug):
    with open(os.path.join(FIXTURES, slug, "source.html"), encoding="utf-8") as file:
        return {"id": slug, "url": f"https://www.{slug}.example/pages/{slug}.html", "lang": "und", "html": file.read()}


def placed_documents():
    with tempfile.TemporaryDirectory() as folder:
        pages, out = os.path.join(folder, "pages.jsonl"), os.path.join(folder, "lines.jsonl.gz")
        with open(pages, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(fixture(slug)) + "\n" for slug in SLUGS)
        write_page_lines(pages, out)
        yield from read(out)


def main():
    plain = ({"id": name, "lang": "und", "lines": [{"text": line.strip()} for line in lines]} for name, lines in DOCUMENTS.items())
    for document in [*placed_documents(), *plain]:
        lines = [{**line, "label": 0} for line in document["lines"]]
        sys.stdout.write(json.dumps({**document, "source": "parity", "lines": lines}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
