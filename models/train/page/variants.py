"""Turns a labelled page into similar pages that the gold sets lack: in another script, in an old style, without names, or with no or little content.

    python3 -m page.variants < labelled.jsonl > made.jsonl

Every line keeps its label, or is dropped. Lines without a label (None) are not in pages that lost content. The same page always gives the same made pages.
"""

import json
import math
import sys

from common.disguise import SCRIPTS, dice, disguise_document, disguise_line, salt_of

HTML5 = {"article", "section", "main", "header", "footer", "nav", "aside", "figure", "figcaption"}
HTML5 |= {"picture", "details", "summary", "time"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
# Steps that can give a line its block (the program's BLOCK_TAGS without "text" and "tr", which a path does not tell).
BLOCKS = {"p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "address", "form", "fieldset"}
BLOCKS |= {"legend", *HEADINGS, "ul", "ol", "li", "dt", "dd", "blockquote", "pre", "figure", "figcaption", "details"}
BLOCKS |= {"summary", "table", "caption", "td", "th", "center", "body"}
CONSONANTS = "bcdfghjklmnpqrstvwxz"
# Longer pages would fill an epoch with one page; pages need at least this many lines.
MOST_LINES = 1_500
FEWEST_LINES = 5
# How many characters of main content a page with little content has.
LEAST_SHORT = 80
MOST_SHORT = 600


def make_variants(document):
    """Returns the made pages, each with the name of its `variant` and the id of its `base`."""
    if len(document["lines"]) > MOST_LINES:
        return
    is_page = any(line.get("path") for line in document["lines"])
    for name, make in VARIANTS.items():
        made = make(document) if is_page or name == "disguised" else None
        if made is not None:
            yield {**made, "source": document["source"], "variant": name, "base": document["id"]}


def disguised(document):
    """Makes a page in another script: almost all labels are for Latin letters, and Chinese pages must not need Chinese labels."""
    script = dice(document, "disguised").choice(SCRIPTS)
    made = disguise_document(document, script)
    title = disguise_line(document.get("title") or "", script, salt_of(document))
    grown = 0
    lines = []
    for old, new in zip(document["lines"], made["lines"]):
        length, more = utf16(old["text"]), utf16(new["text"]) - utf16(old["text"])
        lines.append(resized(new, length, more, grown))
        grown += more
    return {**made, "title": title, "lines": lines}


def aged(document):
    """Makes a page like those before 2005: with tables and fonts for layout, without names, and often with headings and paragraphs that only look
    like ones. The training sets are recent; CleanEval, CANOLA and much of every archive are old."""
    rng = dice(document, "aged")
    page = {"headings": rng.random() < 0.4, "paragraphs": rng.random() < 0.5, "breaks": rng.random() < 0.5}
    known = {}

    def age(step, depth):
        if (step, depth) not in known:
            known[step, depth] = aged_step(tag_of(step), depth, page, rng)
        return known[step, depth]

    lines = [moved(line, age) for line in document["lines"]]
    if not page["paragraphs"] and page["breaks"]:
        lines = [{**new, "breakBefore": "line"} if old["block"] == "p" else new for old, new in zip(document["lines"], lines)]
    return {**document, "id": document["id"] + "+aged", "lines": lines}


def aged_step(tag, depth, page, rng):
    if depth > 0 and (tag in HTML5 or tag == "div"):
        steps, shares = ("table>tbody>tr>td", "div", "center", "font", ""), (0.3, 0.25, 0.05, 0.1, 0.3)
        return rng.choices(steps, shares)[0]
    if tag in HEADINGS and not page["headings"]:
        return "font>b"
    if tag == "p" and not page["paragraphs"]:
        return ""
    if tag == "span":
        return rng.choice(("span", "font"))
    return "b" if tag in ("strong", "em") else tag


def plain(document):
    """Makes a page without meaningful names (generated classes, no roles, no schema.org), often without HTML5: a page must not fail because its
    author named nothing, or used a language without labels."""
    rng = dice(document, "plain")
    keeps_html5 = rng.random() < 0.4
    known = {}

    def strip(step, _depth):
        if step not in known:
            tag = tag_of(step)
            tag = "div" if tag in HTML5 and not keeps_html5 else tag
            name = "." + "".join(rng.choices(CONSONANTS, k=5)) if rng.random() < 0.3 else ""
            known[step] = tag + name
        return known[step]

    return {**document, "id": document["id"] + "+plain", "lines": [moved(line, strip) for line in document["lines"]]}


def emptied(document):
    """Returns the page without its content, as with a login wall or a script that did not run: there are too few real pages without main content to
    learn "nothing here" from."""
    lines = [line for line in document["lines"] if line["label"] == 0]
    if len(lines) < FEWEST_LINES or len(lines) == len(document["lines"]):
        return None
    return {**document, "id": document["id"] + "+empty", "lines": lines}


def shortened(document):
    """Returns the page with little main content, like brief news or questions without an answer: the training pages have much content, and "nothing
    here" must not be the answer for these."""
    lengths = {at: len(line["text"]) for at, line in enumerate(document["lines"]) if line["label"]}
    if sum(lengths.values()) < 2 * MOST_SHORT:
        return None
    content = list(lengths)
    rng = dice(document, "short")
    wanted = math.exp(rng.uniform(math.log(LEAST_SHORT), math.log(MOST_SHORT)))
    kept, held = set(), 0
    for at in content[rng.randrange(len(content)) :] + content:
        if held >= wanted:
            break
        if at not in kept and held + lengths[at] <= 2 * MOST_SHORT:
            kept.add(at)
            held += lengths[at]
    lines = [line for at, line in enumerate(document["lines"]) if at in kept or line["label"] == 0]
    if held < LEAST_SHORT or len(lines) < FEWEST_LINES:
        return None
    return {**document, "id": document["id"] + "+short", "lines": lines}


VARIANTS = {"disguised": disguised, "aged": aged, "plain": plain, "empty": emptied, "short": shortened}


def tag_of(step):
    for at, character in enumerate(step):
        if character in "#.[":
            return step[:at]
    return step


def steps_of(path):
    return path.split(">") if path else []


def moved(line, change):
    """Returns the line with the steps of its path changed one by one; its block changes if it came from the path."""
    old = line.get("path") or ""
    new = ">".join(filter(None, (change(step, depth) for depth, step in enumerate(steps_of(old)))))
    block = line.get("block", "text")
    if block == block_of(old):
        block = block_of(new)
    elif block in HTML5:
        block = "div"
    return {**line, "path": new, "block": block}


def block_of(path):
    """Returns the innermost block of a path."""
    for step in reversed(steps_of(path)):
        if tag_of(step) in BLOCKS:
            return tag_of(step)
    return "div"


def utf16(text):
    """Counts the length as the program does."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def resized(line, length, more, grown):
    """Returns the line with the same share of links and the same length of markup: its text had `length`, is now `more` longer, and the lines before
    it are `grown` longer."""
    links = line.get("linkChars", 0)
    fields = {"linkChars": round(links * (length + more) / max(1, length))} if links else {}
    if line.get("span"):
        start, end = line["span"][0] + grown, line["span"][1] + grown + more
        fields["span"] = [max(0, start), max(0, start, end)]
    return {**line, **fields}


def main():
    for line in sys.stdin:
        for made in make_variants(json.loads(line)):
            sys.stdout.write(json.dumps(made, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
