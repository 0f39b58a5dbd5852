"""Puts the surroundings of a text into a document, where only the place separates content from boilerplate: lines above a text and at its beginning,
headings of its sections and of boxes, its own tables and the side box, messages written by programs and messages that the text quotes.

Each function takes the lines of a document and returns new ones; labels follow our reading of Salmela's guideline (fixtures/README.md).
"""

from text.made.plant_fill import filled, line, some
from text.made.plant_patterns import BOX_HEADS, BYLINES, DATES, FACT_KEYS, MESSAGES, QUOTE_LEADS, SHARED, SITE_LINES, TABLE_HEADS, TRACES, WALLS

# The length of a paragraph, as opposed to a title or an item; in bytes, because a Chinese letter says more.
FEWEST_BYTES = 100
LONGEST_TITLE = 110


def is_paragraph(one):
    return one["label"] == 1 and len(one["text"].encode("utf-8", "replace")) >= FEWEST_BYTES


def is_title(one):
    return len(one["text"]) <= LONGEST_TITLE and not one["text"].rstrip().endswith((".", "!", ":", "…", "。"))


def named(words, rng, least, most):
    """Returns a few words, like a title."""
    text = some(words, rng, least, most)
    style = rng.random()
    if style < 0.5:
        return text[:1].upper() + text[1:].lower()
    return text.title() if style < 0.7 else text.upper() if style < 0.8 else text


def opening(lines, words, rng):
    """Puts site, menu and window title above the text; then headline, summary, author and date."""
    first = next(at for at, one in enumerate(lines) if one["label"] == 1)
    rest = lines[first:]
    site = named(words, rng, 1, 2)
    title = rest.pop(0)["text"] if is_title(rest[0]) else named(words, rng, 3, 9)
    joint = rng.choice((" | ", " - ", " – ", " :: ", " » ", " — ", ": "))
    window = joint.join(rng.sample((title, site), 2) if rng.random() < 0.3 else (title, site))
    above = [line(window, 0)] if rng.random() < 0.6 else []
    above += [line(site, 0)] if rng.random() < 0.5 else []
    above += [line(named(words, rng, 1, 2), 0) for _ in range(rng.choice((0, 2, 4, 8)))]
    above += [line(filled(pattern, words, rng), 0) for pattern in rng.sample(SITE_LINES, rng.randint(0, 4))]
    if rng.random() < 0.25:
        above = [line(" ".join(one["text"] for one in above), 0)] if above else []
    head = [line(title, 1)]
    # The summary is a paragraph of the text, not a copy of one.
    later = [at for at, one in enumerate(rest) if is_paragraph(one)][1:]
    if later and rng.random() < 0.5:
        head.append(line(rest.pop(rng.choice(later))["text"], 1))
    about = [line(filled(pattern, words, rng), 1) for pattern in rng.sample(BYLINES, rng.choice((1, 1, 2)))]
    if rng.random() < 0.4:
        about.append(line(rng.choice(DATES), 1))
    head = [*about, *head] if rng.random() < 0.15 else [*head, *about]
    if rng.random() < 0.4:
        head += [line(filled(pattern, words, rng), 0) for pattern in rng.sample(SHARED, rng.randint(1, 4))]
    return [*lines[:first], *above, *head, *rest] if rng.random() < 0.5 else [*above, *lines[:first], *head, *rest]


def heading(text, words, rng, number):
    """Made mostly from the words of its paragraph."""
    own = [word for word in text.split() if len(word) > 3] or words
    said = named(own if rng.random() < 0.7 else words, rng, 1, 5)
    form = rng.choices(("{}", "{}?", "{}:", "%d. {}" % number, "%d) {}" % number, "{}!"), (0.6, 0.1, 0.08, 0.12, 0.06, 0.04))[0]
    return form.format(said.strip(".,;:!?\"'()«»„“”"))


def box(words, rng):
    """Adds a heading that does not belong to the text, and the lines below it."""
    items = [line(named(words, rng, 1, 9), 0) for _ in range(rng.randint(1, 6))]
    return [line(filled(rng.choice(BOX_HEADS), words, rng), 0), *items]


def headings(lines, words, rng):
    paragraphs = [at for at, one in enumerate(lines) if is_paragraph(one)]
    share, boxes = rng.uniform(0.25, 0.8), rng.choice((0, 0.1, 0.25))
    chosen = {at for at in paragraphs if rng.random() < share}
    made = []
    for at, one in enumerate(lines):
        if at in chosen:
            made += box(words, rng) if rng.random() < boxes else []
            made.append(line(heading(one["text"], words, rng, len(made) % 9 + 1), 1))
        made.append(one)
    return made


def rows(words, rng, label, least=3, most=14):
    joint = rng.choices((" ", ": ", " | ", ":", " – ", "\t"), (0.5, 0.25, 0.08, 0.05, 0.05, 0.07))[0]
    own_keys = [one.capitalize() for one in rng.sample(words, min(len(words), 12))]
    # Languages that are not listed have keys, too.
    keys = own_keys if rng.random() < 0.4 else rng.sample(FACT_KEYS, 14)
    on_two_lines = rng.random() < 0.12
    made = []
    for key in keys[: rng.randint(least, most)]:
        measure = f"{rng.randint(1, 900)} {rng.choice(('km²', 'mm', 'kg', '%', 'm', 'GHz', '×', 'km', 'cm', 'ha', '°C', 'm²', '€'))}"
        name = " ".join(word.capitalize() for word in some(words, rng, 1, 3).split())
        value = rng.choice((str(rng.randint(1, 9999)), str(rng.randint(1500, 2024)), some(words, rng, 1, 5), name, measure, rng.choice(DATES), f"{name} ({rng.randint(1700, 2024)})"))
        made += [line(key, label), line(value, label)] if on_two_lines else [line(f"{key}{joint}{value}", label)]
    return made


def side_box(lines, words, rng):
    """Adds the side box of an encyclopedia, between the title and the text or after its first paragraph. Returns the lines unchanged if there is no text."""
    paragraphs = [at for at, one in enumerate(lines) if is_paragraph(one)]
    if len(paragraphs) < 2:
        return lines
    at = paragraphs[0] if rng.random() < 0.65 else paragraphs[0] + 1
    head = [line(named(words, rng, 1, 4), 0)] if rng.random() < 0.4 else []
    made = [*lines[:at], *head, *rows(words, rng, 0), *lines[at:]]
    return own_tables(made, words, rng) if rng.random() < 0.8 else made


def own_tables(lines, words, rng):
    for _ in range(rng.choice((1, 1, 2, 3))):
        lines = own_table(lines, words, rng)
    return lines


def own_table(lines, words, rng):
    """Adds rows inside the text, announced by a heading or a sentence."""
    paragraphs = [at for at, one in enumerate(lines) if is_paragraph(one)]
    if len(paragraphs) < 2:
        return lines
    at = rng.choice(paragraphs[1:]) + 1
    head = rng.choice((rng.choice(TABLE_HEADS), named(words, rng, 1, 3), some(words, rng, 3, 8).capitalize() + ":"))
    if rng.random() < 0.5:
        listed = [f"{rng.randint(1500, 2024)} {some(words, rng, 2, 8)}" if rng.random() < 0.5 else named(words, rng, 1, 6) for _ in range(rng.randint(3, 9))]
        return [*lines[:at], line(head, 1), *(line(one, 1) for one in listed), *lines[at:]]
    return [*lines[:at], line(head, 1), *rows(words, rng, 1), *lines[at:]]


def messages(words, rng):
    """Returns messages of one program or several: a trace, some lines of one kind, or a site's messages to visitors."""
    form = rng.random()
    if form < 0.25:
        return [line(filled(pattern, words, rng), 0) for pattern in rng.choice(TRACES)]
    if form < 0.45:
        return [line(filled(pattern, words, rng), 0) for pattern in rng.sample(WALLS, rng.randint(1, 3))]
    if form < 0.65:
        pattern = rng.choice(MESSAGES)
        return [line(filled(pattern, words, rng), 0) for _ in range(rng.randint(2, 8))]
    return [line(filled(pattern, words, rng), 0) for pattern in rng.sample(MESSAGES, rng.randint(1, 6))]


def generated(lines, words, rng):
    """Puts messages between the lines; in some texts a message that the text quotes; on some pages only messages remain."""
    if rng.random() < 0.08:
        lines = [one for one in lines if one["label"] == 0][:60]
        return [*lines, *messages(words, rng), *messages(words, rng)]
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(lines))
        lines = [*lines[:at], *messages(words, rng), *lines[at:]]
    paragraphs = [at for at, one in enumerate(lines) if is_paragraph(one)]
    if paragraphs and rng.random() < 0.35:
        at = rng.choice(paragraphs) + 1
        quoted = [line(filled(rng.choice(QUOTE_LEADS), words, rng), 1), *(line(one["text"], 1) for one in messages(words, rng)[:5])]
        lines = [*lines[:at], *quoted, *lines[at:]]
    return lines
