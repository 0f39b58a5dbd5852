"""Tests what programs written for `trafilatura.extract` get."""

from __future__ import annotations

import json
import unittest
from typing import Any
from xml.etree import ElementTree

import thresher
from thresher.trafilatura_like import extract

from .pages import html


class ExtractTest(unittest.TestCase):
    def test_gives_each_format(self) -> None:
        document = thresher.clean(html(), formatted="markdown")
        assert document is not None
        self.assertEqual(extract(html()), document.text)
        self.assertEqual(extract(html().encode(), output_format="markdown"), document.formatted)
        record = json.loads(extract(html(), "https://example.org/q", output_format="json", with_metadata=True) or "")
        self.assertEqual((record["text"], record["meta"]["author"]), (document.text, "Ottilie"))
        self.assertEqual(record["id"], "https://example.org/q")
        bare = json.loads(extract(html(), record_id="q1", output_format="json") or "")
        self.assertEqual((bare["meta"], bare["id"]), ({}, "q1"))
        for output_format, root in (("xml", "doc"), ("html", "article")):
            tree = ElementTree.fromstring(extract(html(), output_format=output_format) or "")  # type: ignore[arg-type]
            self.assertEqual(tree.tag, root)

    def test_begins_with_metadata(self) -> None:
        front = '---\ntitle: "Why does my tabletop cup after planing both faces?"\n'
        text = extract(html(), with_metadata=True) or ""
        self.assertTrue(text.startswith(front))
        self.assertTrue(text.endswith(f"\n---\n{extract(html())}"))
        self.assertTrue((extract(html(), output_format="markdown", with_metadata=True) or "").startswith(front))

    def test_chooses(self) -> None:
        blog = html("blog-with-comments-fi")
        comment = "Nauroin ääneen villapaidalle."
        self.assertIn(comment, extract(blog, include_comments=True) or "")
        self.assertNotIn(comment, extract(blog, include_comments=False) or comment)
        precise = extract(blog, favor_precision=True) or ""
        self.assertLess(len(precise), len(extract(blog, favor_recall=True) or ""))
        linked = extract(blog, url="https://example.org/b/", output_format="markdown", include_links=True) or ""
        self.assertIn("](http", linked)
        self.assertNotIn("](http", extract(blog, output_format="markdown") or "](http")
        self.assertIsNotNone(extract(blog, target_language="fi"))
        self.assertIsNone(extract(blog, target_language="de"))

    def test_has_none_for_nothing(self) -> None:
        for nothing in (None, "", b"", "<p>", b"%PDF-1.7\n"):
            self.assertIsNone(extract(nothing))

    def test_refuses_what_has_no_counterpart(self) -> None:
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"favor_precision": True, "favor_recall": True}, "contradict"),
            ({"output_format": "csv"}, "one of txt, markdown, json, xml, html"),
            ({"include_tables": False}, "remove='table'"),
            ({"no_fallback": True}, "without a counterpart"),
            ({"tei_validation": True}, "without a counterpart: .*--to tei"),
            ({"date_extraction_params": {"extensive_search": True}}, "without a counterpart: .*date"),
            ({"url_blacklist": {"https://example.org/"}}, "without a counterpart"),
            ({"author_blacklist": {"Ottilie"}}, "without a counterpart"),
            ({"fancy": True}, "unknown option '--fancy'"),
            ({"include_links": True}, "include_links .* not in 'txt'"),
            ({"include_images": True, "output_format": "json"}, "include_images .* not in 'json'"),
        ]
        for options, says in wrong:
            with self.assertRaisesRegex(ValueError, says):
                extract(html(), **options)

    def test_takes_the_defaults_of_trafilatura(self) -> None:
        defaults: dict[str, Any] = {
            **dict.fromkeys(("fast", "no_fallback", "include_formatting", "tei_validation", "deduplicate"), False),
            **dict.fromkeys(("url_blacklist", "date_extraction_params", "prune_xpath", "config", "options")),
        }
        self.assertEqual(extract(html(), include_tables=True, **defaults), extract(html()))
