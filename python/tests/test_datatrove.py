"""Tests real datatrove pipelines from a WARC file to clean text."""

from __future__ import annotations

import gzip
import importlib.util
import io
import json
import os
import pickle
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Optional

import thresher

from .pages import SENTENCE, html, slugs

HAS_DATATROVE = all(importlib.util.find_spec(name) for name in ("datatrove", "regex", "warcio", "cchardet", "magic", "orjson"))

BROKEN = {
    "feed": b"<?xml version='1.0'?>\n<rss version='2.0'><channel><title>x</title></channel></rss>",
    "empty": b" \n",
    "menu": b"<title>Example</title><nav><a href=/>Home</a> <a href=/a>About us</a></nav>",
    "deep": b"<div>" * 50_000,
}


def write_warc(path: Path, pages: dict[str, bytes]) -> None:
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for name, page in pages.items():
            status = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
            writer.write_record(
                writer.create_warc_record(
                    f"https://example.org/{name}",
                    "response",
                    payload=io.BytesIO(page),
                    http_headers=status,
                    warc_headers_dict={"WARC-Identified-Payload-Type": "text/html"},
                )
            )


def read_records(folder: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for file in sorted(folder.glob("*.jsonl.gz"))
        for line in gzip.decompress(file.read_bytes()).splitlines()
    ]


def name_of(record: dict[str, Any]) -> str:
    return str(record["metadata"]["url"]).rpartition("/")[2]


class NeededTest(unittest.TestCase):
    def test_is_there_in_ci(self) -> None:
        if os.environ.get("CI"):
            self.assertTrue(HAS_DATATROVE, "python/requirements-test.txt is not installed")

    @unittest.skipIf(HAS_DATATROVE, "datatrove is there")
    def test_says_what_is_missing(self) -> None:
        with self.assertRaisesRegex(ImportError, "pip install"):
            import thresher.datatrove  # noqa: F401


@unittest.skipUnless(HAS_DATATROVE, "needs python/requirements-test.txt")
class PipelineTest(unittest.TestCase):
    work: tempfile.TemporaryDirectory[str]
    folder: Path
    names: list[str]
    extracted: Optional[tuple[list[dict[str, Any]], dict[str, Any]]] = None

    @classmethod
    def setUpClass(cls) -> None:
        cls.work = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.work.name)
        (cls.folder / "warc").mkdir()
        cls.names = slugs(24)
        pages = {name: html(name).encode() for name in cls.names}
        half = list(pages.items())
        write_warc(cls.folder / "warc" / "1.warc.gz", {**dict(half[:6]), **BROKEN, **dict(half[6:12])})
        write_warc(cls.folder / "warc" / "2.warc.gz", dict(half[12:]))

    @classmethod
    def tearDownClass(cls) -> None:
        cls.work.cleanup()

    def run_pipeline(self, name: str, workers: int, *steps: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        from datatrove.executor import LocalPipelineExecutor
        from datatrove.pipeline.readers import WarcReader
        from datatrove.pipeline.writers import JsonlWriter

        out = self.folder / name
        pipeline = [WarcReader(str(self.folder / "warc")), *steps, JsonlWriter(str(out / "text"))]
        executor = LocalPipelineExecutor(pipeline, tasks=2, workers=workers, logging_dir=str(out / "logs"))
        executor.run()
        stats = json.loads((out / "logs" / "stats.json").read_text())
        return read_records(out / "text"), {step["name"]: step["stats"] for step in stats}

    def extract(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """The output of a pipeline for the archives; it runs once for all tests that need it."""
        from thresher.datatrove import ThresherExtractor

        cls = type(self)
        if cls.extracted is None:
            cls.extracted = self.run_pipeline("one", 1, ThresherExtractor(verdict=True))
        return cls.extracted

    def test_extracts_what_the_command_extracts_and_counts_the_rest(self) -> None:
        from thresher.datatrove import ThresherExtractor

        records, stats = self.extract()
        # The output is the same if tasks run in two processes, and in a second run.
        self.assertEqual(self.run_pipeline("two", 2, ThresherExtractor(verdict=True))[0], records)
        words = [*thresher.find_command(), "--from=warc", "--to=jsonl", "--quiet"]
        files = sorted(str(file) for file in (self.folder / "warc").iterdir())
        ran = subprocess.run([*words, *files], capture_output=True, check=True)
        expected = {one["url"].rpartition("/")[2]: one for one in map(json.loads, ran.stdout.splitlines())}
        self.assertEqual([name_of(record) for record in records], list(expected))
        self.assertGreater(len(records), 18)
        for record in records:
            alone = expected[name_of(record)]
            self.assertEqual(record["text"], alone["text"])
            self.assertEqual(record["metadata"].get("title"), alone.get("title"))
            self.assertEqual(record["metadata"]["thresher"]["words"], alone["words"])
        counted = stats[next(name for name in stats if "Thresher" in name)]
        total = {name: value["total"] if isinstance(value, dict) else value for name, value in counted.items()}
        self.assertEqual(total["total"], len(self.names) + len(BROKEN))
        self.assertEqual(total["forwarded"], len(records))
        self.assertEqual(total["dropped"], total["total"] - len(records))
        self.assertEqual((total["dropped_not-a-page"], total["dropped_empty"]), (1, 1))

    def test_chains_the_extractor_and_the_filter_up_to_a_writer(self) -> None:
        from datatrove.pipeline.writers import JsonlWriter

        from thresher.datatrove import ThresherExtractor, ThresherFilter

        excluded = self.folder / "chain-excluded"
        alone, _ = self.extract()
        most = max(len(record["text"].split()) for record in alone) // 2
        judge = ThresherFilter(JsonlWriter(str(excluded)), batch_size=5, condition="raw", filter={"min-words": most})
        records, stats = self.run_pipeline("chain", 1, ThresherExtractor(), judge)
        # Each extracted page is kept or excluded by the command's verdict on its text.
        texts = {name_of(record): record["text"] for record in alone}
        options: dict[str, Any] = {"condition": "raw", "filter": {"min-words": most}}
        expected = dict(zip(texts, thresher.clean_many([{"text": text} for text in texts.values()], **options)))
        kept = {name: result.text for name, result in expected.items() if isinstance(result, thresher.Document)}
        self.assertEqual({name_of(record): record["text"] for record in records}, kept)
        self.assertTrue(0 < len(kept) < len(texts))
        reasons = {name_of(one): one["metadata"]["filter_reason"] for one in read_records(excluded)}
        turned = {name: result.reason for name, result in expected.items() if isinstance(result, thresher.Reject)}
        self.assertEqual(reasons, turned)
        steps = [value for name, value in stats.items() if "Thresher" in name]
        self.assertEqual([step["total"] for step in steps], [len(self.names) + len(BROKEN), len(texts)])

    def test_writes_markdown(self) -> None:
        from datatrove.data import Document

        from thresher.datatrove import ThresherExtractor

        step = ThresherExtractor(text_format="markdown", links=True)
        (made,) = step.run(iter([Document(html(self.names[0]), "a")]))
        document = thresher.clean({"html": html(self.names[0])}, formatted="markdown", links=True)
        assert document is not None
        assert document.formatted is not None
        self.assertEqual(made.text, document.formatted.rstrip())
        self.assertIn("\n\n", made.text)

    def test_reads_the_charset_of_bytes(self) -> None:
        from datatrove.data import Document

        from thresher.datatrove import ThresherExtractor

        page: Any = f"<meta charset=iso-8859-1><title>x</title><p>{SENTENCE} Fährverkehr".encode("iso-8859-1")
        (made,) = ThresherExtractor(jobs=1).run(iter([Document(page, "a")]))
        self.assertEqual(made.text, f"{SENTENCE} Fährverkehr")

    def test_fills_metadata_that_is_none_and_keeps_the_rest(self) -> None:
        from datatrove.data import Document

        from thresher.datatrove import ThresherExtractor

        given = {"title": None, "lang": "x", "author": None, "kept": 1}
        (made,) = ThresherExtractor(jobs=1).run(iter([Document(html(), "a", metadata=given)]))
        title = "Why does my tabletop cup after planing both faces?"
        self.assertEqual({**made.metadata, "date": 1}, {**given, "title": title, "author": "Ottilie", "date": 1})

    def test_cleans_texts_a_second_time_and_keeps_what_it_drops(self) -> None:
        from datatrove.data import Document
        from datatrove.pipeline.writers import JsonlWriter

        from thresher.datatrove import ThresherFilter

        menu = "Home | About | Contact"
        texts = [f"{menu}\n{SENTENCE}\nRead more", "Log in\nRegister", "", f"{SENTENCE}\n{SENTENCE.upper()}"]
        excluded = self.folder / "excluded"
        step = ThresherFilter(JsonlWriter(str(excluded)), batch_size=3, condition="raw")
        docs = [Document(text, str(at), metadata={"kept": at}) for at, text in enumerate(texts)]
        kept = list(step.run(iter(docs)))
        self.assertEqual([doc.id for doc in kept], ["0", "3"])
        self.assertEqual(kept[0].text, SENTENCE)
        self.assertEqual(kept[0].metadata, {"kept": 0})
        dropped = {one["id"]: one for one in read_records(excluded)}
        self.assertEqual([one["metadata"]["filter_reason"] for one in dropped.values()], ["no-content", "empty"])
        self.assertEqual(dropped["1"]["text"], texts[1])
        self.assertEqual(step.filter(Document("", "x")), (False, "empty"))

    def test_extracts_one_page_as_other_extractors_do(self) -> None:
        from datatrove.data import Document
        from datatrove.pipeline.extractors.base import BaseExtractor

        from thresher.datatrove import ThresherExtractor

        step: Any = pickle.loads(pickle.dumps(ThresherExtractor(timeout=5, focus="recall")))
        document = thresher.clean(html(), focus="recall")
        assert document is not None
        self.assertEqual(step.extract(html()), document.text)
        self.assertEqual(step.extract(""), "")
        # This runs in the sandbox of the base class, which forks, and warms up with an empty page.
        docs = list(BaseExtractor.run(step, iter([Document(html(), "a"), Document(" ", "b")])))
        self.assertEqual([doc.text for doc in docs], [document.text])
        wrong = ThresherExtractor(focus="nope")
        with self.assertRaises(thresher.OptionError):
            list(wrong.run(iter([Document(html(), "a")])))
