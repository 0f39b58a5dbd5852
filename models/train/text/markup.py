"""Names what a line's markup says about it; a labeller of plain text learns to predict these answers from the text alone."""

import re

# In this order; a line's markup is a number with one bit for each.
KINDS = ("paragraph", "list-item", "heading", "table", "link", "navigation", "comment", "form")
NAVIGATION = {"nav", "footer", "header", "aside"}
ROLES = ("[role=navigation", "[role=contentinfo", "[role=banner")
FORM = {"form", "button", "label", "select", "fieldset"}
COMMENT_NAME = re.compile(r"[#.][^>\[]*comment")
STEP_END = re.compile(r"[#.\[]")


def markup_of(line):
    """`line` as page_lines.js writes it."""
    path, block = (line.get("path") or "").lower(), line.get("block") or "text"
    tags = {STEP_END.split(step)[0] for step in path.split(">")}
    holds = (
        block == "p",
        block in ("li", "dd", "dt"),
        block in ("h1", "h2", "h3", "h4", "h5", "h6"),
        block in ("td", "th", "tr", "table", "caption"),
        2 * line.get("linkChars", 0) >= max(1, len(line["text"])),
        bool(tags & NAVIGATION) or any(role in path for role in ROLES),
        COMMENT_NAME.search(path) is not None,
        bool(tags & FORM),
    )
    return sum(1 << bit for bit, is_so in enumerate(holds) if is_so)
