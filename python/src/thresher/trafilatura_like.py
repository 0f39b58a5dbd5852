"""Offers `extract`, which is called like `trafilatura.extract`, for programs that switch from Trafilatura."""

from __future__ import annotations

import json
from typing import Any, Literal, Optional, Union

from . import clean
from .options import Option

OutputFormat = Literal["txt", "markdown", "json", "xml", "html"]
FORMATS = ("txt", "markdown", "json", "xml", "html")

_NOT_HERE = {
    "fast": "there is one way to read a page",
    "no_fallback": "there is one way to read a page",
    "include_tables": "tables in the main content are kept; remove='table' drops all",
    "include_formatting": "output_format='markdown' shows it",
    "tei_validation": "output_format='xml' is Thresher's own XML; thresher --to tei writes TEI",
    "date_extraction_params": "clean(page).meta has the date that the page states",
    "url_blacklist": "leave out such pages before cleaning",
    "author_blacklist": "clean(page).meta has the author to compare",
    "deduplicate": "dedup_lines=2 drops repeated lines of a stream: clean_many(pages, dedup_lines=2)",
    "only_with_metadata": "check the title and meta of clean(page)",
    "prune_xpath": "remove='nav, .ads' takes CSS selectors",
    "max_tree_size": "max_bytes and timeout are the limits",
    "settingsfile": "options are given by name",
    "config": "options are given by name",
    "options": "options are given by name",
}
"""Of these options, values that ask for what happens anyway are accepted."""
_ON_BY_DEFAULT = ("include_tables",)


def extract(
    filecontent: Union[str, bytes, None],
    url: Optional[str] = None,
    record_id: Optional[str] = None,
    *,
    output_format: OutputFormat = "txt",
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: Optional[bool] = None,
    include_links: bool = False,
    include_images: bool = False,
    target_language: Optional[str] = None,
    with_metadata: bool = False,
    **options: Option,
) -> Optional[str]:
    """Returns the main content as text, Markdown, JSON (the record of the command), XML or HTML; None if there is none,
    or if the page could not be fetched. All other options are those of the command. Raises ValueError, with what to
    write instead, for options of Trafilatura that have no counterpart."""
    if output_format not in FORMATS:
        raise ValueError(f"output_format must be one of {', '.join(FORMATS)}, not {output_format!r}")
    if favor_precision and favor_recall:
        raise ValueError("favor_precision and favor_recall contradict each other")
    if output_format in ("txt", "json") and (include_links or include_images):
        shown = "include_links" if include_links else "include_images"
        raise ValueError(f"{shown} has an effect in 'markdown', 'xml' and 'html', but not in {output_format!r}")
    for name in options.keys() & _NOT_HERE.keys():
        if bool(options.pop(name)) != (name in _ON_BY_DEFAULT):
            raise ValueError(f"{name} is an option of Trafilatura without a counterpart: {_NOT_HERE[name]}")
    if filecontent is None:
        return None
    chosen: dict[str, Any] = {
        "focus": "precision" if favor_precision else "recall" if favor_recall else None,
        "comments": None if include_comments is None else "keep" if include_comments else "drop",
        "links": include_links,
        "images": include_images,
        "lang": target_language,
        **_shape(output_format, with_metadata),
        **options,
    }
    document = clean(filecontent, url=url, id=record_id or url or "page", **chosen)
    if document is None:
        return None
    if output_format == "json":
        return json.dumps(document.record, ensure_ascii=False)
    if output_format != "txt":
        return document.formatted
    front = _cut_front_matter(document.formatted) if document.formatted is not None else ""
    return front + document.text


def _shape(output_format: OutputFormat, with_metadata: bool) -> dict[str, Option]:
    if output_format in ("txt", "markdown"):
        formatted = "markdown" if with_metadata or output_format == "markdown" else None
        return {"formatted": formatted, "front_matter": with_metadata}
    return {"formatted": None if output_format == "json" else output_format, "no_metadata": not with_metadata}


def _cut_front_matter(markdown: str) -> str:
    """Returns the front matter with its `---` lines, or "" if the page has no metadata."""
    head, mark, _ = markdown.partition("\n---\n")
    return head + mark if markdown.startswith("---\n") else ""
