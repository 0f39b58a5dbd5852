"""Puts lines into a document that are too rare in labelled corpora: verses, ingredients, posts of a forum, announced lists, copies of lines, and the
scenes of plant_scenes.py.

The patterns are ours (plant_patterns.py); words come from the document itself, verses from clean texts. A plant is put inside the main content or
next to it, as on real pages, and has the label that Salmela's guideline (2022, appendix 1) gives it: verses, ingredients, and the author and date of
a post are content; ranks, counts and second copies are boilerplate.
"""

from common.disguise import SCRIPTS, dice, disguise_document
from text.made.conditions import unknown
from text.made.plant_fill import filled, line, some, words_of
from text.made.plant_patterns import AMOUNTS, INGREDIENTS_HEAD, LIST_LEADS, POST_META, POST_RANKS, UNITS
from text.made.plant_scenes import generated, headings, opening, own_tables, side_box
from text.made.plant_teasers import teasers
from text.made.unspaced import UNSPACED_SCRIPTS, unspaced_lines

MOST_VERSES = 40
# Lines from this length on are copied, because short copies in a text belong to it (names, dates, refrains).
FEWEST_COPIED, FEWEST_BESIDE = 60, 40
# Keys and messages are listed in many languages, and must be recognised by their form in every script.
DISGUISED = 0.2
MOST_TEASERS = 30


def ingredients(document, words, texts, rng):
    units = rng.sample(UNITS, 4)
    rows = [line(rng.choice(INGREDIENTS_HEAD), 1)] if rng.random() < 0.7 else []
    for _ in range(rng.randint(4, 14)):
        things = some(words, rng, 1, 4).lower()
        amount = f"{rng.choice(AMOUNTS)} {rng.choice(units)}" if rng.random() < 0.75 else rng.choice(AMOUNTS)
        row = rng.choices((f"{amount} {things}", f"{things} {amount}", things), (0.75, 0.13, 0.12))[0]
        rows.append(line(("- " if rng.random() < 0.1 else "") + row, 1))
    return rows


def posts(document, words, texts, rng):
    said = [one["text"] for one in document["lines"] if one["label"] == 1 and len(one["text"]) > 30]
    ranks, heads = rng.sample(POST_RANKS, 6), rng.sample(POST_META, 2)
    is_head_first = rng.random() < 0.6
    rows = []
    for _ in range(rng.randint(2, 6)):
        head = [line(filled(rng.choice(heads), words, rng), 1)]
        side = [line(filled(pattern, words, rng), 0) for pattern in rng.sample(ranks, rng.randint(1, 4))]
        body = [line(rng.choice(said).lower() if rng.random() < 0.3 else rng.choice(said), 1) for _ in range(rng.randint(1, 3))] if said else []
        if rng.random() < 0.3:
            body.append(line(some(words, rng, 2, 7).lower() + rng.choice(("", "!!", " :)", "...", " lol", "?")), 1))
        rows += [*head, *side, *body] if is_head_first else [*side, *head, *body]
    return rows


def poem(document, words, texts, rng):
    """Returns a clean text, cut into lines of verse."""
    parts = " ".join(texts.draw(rng)["paragraphs"]).split()
    size = rng.randint(5, 12)
    has_capitals, has_marks = rng.random() < 0.6, rng.random() < 0.3
    rows = []
    while parts and len(rows) < MOST_VERSES:
        step = max(2, size + rng.randint(-2, 2))
        text = " ".join(parts[:step])
        parts = parts[step:]
        text = text if has_marks else text.rstrip(".,;")
        rows.append(line(text[:1].upper() + text[1:] if has_capitals else text, 1))
    # A refrain is not a leftover copy.
    return [*rows, *rows[2:5]] if len(rows) > 8 and rng.random() < 0.5 else rows


def announced_list(document, words, texts, rng):
    """Returns names below a line that announces them; they are content inside the content."""
    bullet = rng.choice(("", "", "", "- ", "• ", "* "))
    names = (" ".join(word.capitalize() for word in some(words, rng, 1, 4).split()) for _ in range(rng.randint(4, 25)))
    return [line(filled(rng.choice(LIST_LEADS), words, rng), 1), *(line(bullet + name, 1) for name in names)]


# Plants that go to one place, and plants that need the whole document.
KINDS = {"announced-list": announced_list, "ingredients": ingredients, "poem": poem, "posts": posts}
SCENES = {"generated": generated, "headings": headings, "opening": opening, "own-tables": own_tables, "side-box": side_box}


def plant(document, texts):
    """Returns the lines of the document with up to three plants; None if it has no content to put them in. `texts`: CleanTexts."""
    rng = dice(document, "plants")
    if not any(one["label"] for one in document["lines"]):
        return None
    if rng.random() < DISGUISED:
        document = disguise_document(document, rng.choice(SCRIPTS))
    lines = list(document["lines"])
    words = words_of(document)
    kinds = rng.choices(sorted(KINDS), k=1) if rng.random() < 0.85 else []
    for kind in [*kinds, *rng.sample(sorted(SCENES), rng.randint(1, 2))]:
        inside = [at for at, one in enumerate(lines) if one["label"] == 1]
        if not inside:
            break
        if kind in SCENES:
            lines = SCENES[kind](lines, words, rng)
            continue
        if kind in ("poem", "ingredients") and rng.random() < 0.3:
            # The page is the poem, so all other content is dropped.
            lines = [one for at, one in enumerate(lines) if one["label"] == 0 or at == inside[0]]
            inside = [next(at for at, one in enumerate(lines) if one["label"] == 1)]
        at = rng.choice(inside) + 1
        lines[at:at] = KINDS[kind](document, words, texts, rng)
    return copied(lines, rng) if rng.random() < 0.25 else lines


def copied(lines, rng):
    """Repeats some content, directly or further down, like teasers, printed versions or errors of an extractor."""
    content = [at for at, one in enumerate(lines) if one["label"] == 1 and len(one["text"]) >= FEWEST_COPIED]
    if not content:
        return lines
    start = rng.choice(content)
    near = lines[start : start + rng.randint(1, 4)]
    stretch = [one for one in near if one["label"] == 1 and len(one["text"]) >= FEWEST_BESIDE]
    after = start + len(near)
    at = rng.choice((after, after, len(lines), rng.randint(after, len(lines))))
    return [*lines[:at], *(unknown(one["text"], 0) for one in stretch), *lines[at:]]


def stage(document, texts, headlines):
    """Returns the lines of the document with two or three scenes around its text, and their language; None without content. Sometimes all of it is in
    a script without spaces, or disguised."""
    rng = dice(document, "scenes")
    inside = [at for at, one in enumerate(document["lines"]) if one["label"] == 1]
    if not inside:
        return None
    lines, words = list(document["lines"]), words_of(document)
    # Short lines that are content, in addition to those that are not.
    if rng.random() < 0.5:
        at = rng.choice(inside) + 1
        lines[at:at] = KINDS[rng.choice(sorted(KINDS))](document, words, texts, rng)
    for kind in rng.sample([*sorted(SCENES), "teasers"], rng.randint(2, 3)):
        if not any(one["label"] for one in lines):
            break
        if kind == "teasers":
            lines = teasers(lines, words, rng, headlines.draw(document, rng, rng.randint(3, MOST_TEASERS)))
        else:
            lines = SCENES[kind](lines, words, rng)
    made, form = {**document, "lines": lines}, rng.random()
    if form < 0.2:
        script = rng.choice(UNSPACED_SCRIPTS)
        return unspaced_lines(made, script), script
    if form < 0.35:
        script = rng.choice(SCRIPTS)
        return disguise_document(made, script)["lines"], script
    return lines, document["lang"]
