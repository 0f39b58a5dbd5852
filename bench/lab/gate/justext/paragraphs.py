"""jusText's own view of pages, for a comparison: JSON lines of pages in, its paragraphs with what it made of them out.

Requests: {"id", "html", "lang"}. Replies: {"id", "list", "words", "paragraphs": [{"text", "linkChars", "stopShare", "isHeading",
"path", "first", "last"}], "text"} with the words of a stop list in the first reply that uses it; or {"id", "error"}.
"""

import json
import os
import sys

import justext

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "systems", "python"))
from serve import STOP_LISTS  # noqa: E402


def main():
    lists, told = {}, set()
    for line in sys.stdin:
        page = json.loads(line)
        name = STOP_LISTS.get((page["lang"] or "").lower().replace("_", "-").split("-")[0])
        if name is not None and name not in lists:
            lists[name] = justext.get_stoplist(name)
        words = lists.get(name, frozenset())
        limits = {} if words else {"stopwords_low": 0, "stopwords_high": 0}
        try:
            found = justext.justext(page["html"], words, **limits)
        except Exception as error:
            print(json.dumps({"id": page["id"], "error": str(error)}), flush=True)
            continue
        paragraphs = [
            {
                "text": one.text,
                "linkChars": one.chars_count_in_links,
                "stopShare": one.stopwords_density(words),
                "isHeading": bool(one.is_heading),
                "path": one.dom_path,
                "first": one.cf_class,
                "last": one.class_type,
            }
            for one in found
        ]
        reply = {"id": page["id"], "list": name, "paragraphs": paragraphs}
        reply["text"] = "\n".join(one.text for one in found if not one.is_boilerplate)
        if name is not None and name not in told:
            told.add(name)
            reply["words"] = sorted(words)
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
