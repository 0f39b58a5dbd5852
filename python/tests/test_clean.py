"""Tests what a caller gets for one page: text, nothing, or an error that says what is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest
from datetime import datetime
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest import mock

import thresher
from thresher import command
from thresher.options import to_flags

from .pages import FIXTURES, ROOT, SENTENCE, html, write_program


def by_command(*args: str, page: str) -> str:
    words = [*thresher.find_command(), "-", *args]
    return subprocess.run(words, input=page.encode(), capture_output=True, check=True).stdout.decode()


class CleanTest(unittest.TestCase):
    def test_gives_what_the_command_gives(self) -> None:
        document = thresher.clean(html(), url="https://example.org/q", formatted="markdown", links=True)
        assert document is not None
        self.assertEqual(f"{document.text}\n", by_command("--to=text", page=html()))
        told = ("--to=markdown", "--links", "--url=https://example.org/q")
        self.assertEqual(document.formatted, by_command(*told, page=html()))
        self.assertEqual((document.title, document.lang), ("Why does my tabletop cup after planing both faces?", "en"))
        self.assertEqual(document.url, "https://example.org/q")
        self.assertEqual(document.words, 412)
        self.assertEqual(document.meta["author"], "Ottilie")
        assert document.page is not None
        self.assertGreater(document.page["probability"], 0.2)
        self.assertEqual(str(document), document.text)
        self.assertEqual(len({document, thresher.clean(html(), url="https://example.org/q", id=document.id)}), 2)

    def test_takes_bytes_in_the_charset_of_the_page(self) -> None:
        page = f"<meta charset=iso-8859-1><title>x</title><p>{SENTENCE} Fährverkehr</p><p>{SENTENCE} Öl</p>"
        document = thresher.clean(page.encode("iso-8859-1"))
        assert document is not None
        self.assertIn("Fährverkehr", document.text)
        self.assertIn("Fährverkehr", str(thresher.clean(memoryview(page.encode("iso-8859-1")))))
        said = {"bytes": page[25:].encode("utf-16"), "contentType": "text/html; charset=utf-16"}
        self.assertIn("Fährverkehr", str(thresher.clean(said)))

    def test_takes_text_and_lines(self) -> None:
        document = thresher.clean({"text": f"Menu | Login\n{SENTENCE}\nShare this"}, condition="raw")
        assert document is not None and document.condition is not None
        self.assertEqual(document.text, SENTENCE)
        self.assertEqual(document.condition["name"], "raw")
        lines = ["Menu | Login", SENTENCE, ""]
        document = thresher.clean({"lines": lines, "crawl": "2026-40"}, keep_boilerplate=True)
        assert document is not None
        self.assertEqual([line["text"] for line in document.lines], lines)
        self.assertEqual(document.lines[1]["label"], "content")
        self.assertEqual(document.carried, {"crawl": "2026-40"})

    def test_takes_bytes_in_their_field_alone(self) -> None:
        page = f"<title>x</title><p>{SENTENCE}</p><p>{SENTENCE}</p>".encode()
        for field in (page, bytearray(page), memoryview(page)):
            self.assertIsNotNone(thresher.clean({"bytes": field}))
        wrong: dict[str, Any] = {"html": page, "text": page, "lines": [page], "contentType": b"text/html"}
        for name, value in wrong.items():
            with self.assertRaisesRegex(TypeError, f"page a.html: its field '{name}' .* the field 'bytes'"):
                thresher.clean({"bytes": page, "id": "a.html", name: value})

    def test_names_the_page_and_the_field_that_json_does_not_have(self) -> None:
        wrong: list[tuple[str, Any, type[Exception]]] = [
            ("score", float("nan"), ValueError),
            ("when", datetime(2020, 1, 1), TypeError),
            ("url", float("nan"), ValueError),
            ("id", float("nan"), ValueError),
            ("tree", {"leaves": {1, 2}}, TypeError),
        ]
        for name, value, kind in wrong:
            with self.assertRaisesRegex(kind, rf"page \d+: its field '{name}' .* make it text, a number or None"):
                thresher.clean({"html": html(), name: value})

    def test_keeps_an_id_that_is_zero(self) -> None:
        pages = [{"html": html(), "id": number} for number in (0, 1)]
        self.assertEqual([result.id for result in thresher.clean_many(pages)], ["0", "1"])
        for id_, name in ((0, "0"), ("", "https://example.org/"), (None, "https://example.org/")):
            document = thresher.clean({"html": html(), "id": id_, "url": "https://example.org/"})
            assert document is not None
            self.assertEqual(document.id, name)

    def test_has_none_or_an_error_for_what_cannot_become_text(self) -> None:
        for page in ("", " \n", b"%PDF-1.7\n", b"", "<title>x</title>", {"other": 1}, {"html": None}):
            self.assertIsNone(thresher.clean(page))
        with self.assertRaises(thresher.RejectedError) as caught:
            thresher.clean(b"%PDF-1.7\n", id="a.pdf", on_reject="raise")
        reject = caught.exception.reject
        self.assertEqual((reject.id, reject.stage, reject.reason), ("a.pdf", "acquire", "binary"))
        with self.assertRaises(thresher.RejectedError) as caught:
            thresher.clean("<title>The ferry</title>", on_reject="raise")
        self.assertEqual(caught.exception.reject.meta["title"], "The ferry")
        self.assertEqual(len({caught.exception.reject, caught.exception.reject}), 1)

    def test_answers_a_first_page_that_is_none(self) -> None:
        for page in (b"", {"a": 1}):
            with thresher.Thresher(patience=20) as one:
                self.assertIsNone(one.clean(page))

    def test_takes_any_string(self) -> None:
        for odd in ("\ud800", "\x00", "\u2028", "\\", '"', "\r\n", "𐐷"):
            document = thresher.clean(f"<p>{SENTENCE} {odd} </p><p>{SENTENCE}</p>", id=f"id {odd}")
            assert document is not None
            self.assertEqual(document.id, f"id {odd}")
            self.assertTrue(document.text.startswith(SENTENCE))

    def test_refuses_what_is_no_page(self) -> None:
        for wrong in (None, 7, ["<p>"], Path("x.html")):
            with self.assertRaises(TypeError):
                thresher.clean(wrong)  # type: ignore[arg-type]
        with self.assertRaises(ValueError):
            thresher.clean({"text": "a", "price": float("nan")})

    def test_passes_options_on_and_refuses_in_the_words_of_the_command(self) -> None:
        for options, says in (
            ({"focus": "nope"}, "Allowed choices are precision, balanced, recall"),
            ({"fokus": "recall"}, r"unknown option '--fokus'\n\(Did you mean --focus\?\)"),
            ({"threshold": 2}, "'--threshold <p>' argument '2' is invalid"),
            ({"model": "/nowhere"}, "/nowhere"),
        ):
            with self.assertRaisesRegex(thresher.OptionError, says):
                thresher.clean("<p>a", **options)
        for taken in ("to", "from_", "output", "rejects", "quiet", "url_"):
            with self.assertRaisesRegex(thresher.OptionError, taken):
                thresher.Thresher(**{taken: "x"})  # type: ignore[arg-type]

    def test_writes_flags(self) -> None:
        options = {
            "keep_boilerplate": True,
            "links": False,
            "model": None,
            "jobs": 3,
            "threshold": 0.25,
            "lang": ["sv", "fi"],
            "filter": {"min-words": 5, "sentences": True},
            "no_metadata": True,
        }
        self.assertEqual(
            to_flags(options),
            [
                "--keep-boilerplate",
                "--jobs=3",
                "--threshold=0.25",
                "--lang=sv",
                "--lang=fi",
                "--filter=min-words=5",
                "--filter=sentences",
                "--no-metadata",
            ],
        )
        document = thresher.clean(html(), **options)  # type: ignore[arg-type]
        self.assertIsNone(document)
        self.assertIsNotNone(thresher.clean(html(), **{**options, "lang": ["sv", "en"]}))  # type: ignore[arg-type]

    def test_writes_numbers_and_paths_as_the_command_reads_them(self) -> None:
        given: list[tuple[Any, list[str]]] = [
            (1e-5, ["--x=0.00001"]),
            (5.0, ["--x=5"]),
            (1e7, ["--x=10000000"]),
            (Decimal("0.50"), ["--x=0.50"]),
            (2**60, [f"--x={2**60}"]),
            (float("nan"), ["--x=NaN"]),
            (Path("models") / "page", [f"--x={Path('models') / 'page'}"]),
            ([Path("a"), "b"], ["--x=a", "--x=b"]),
            ({"a": 1e-5, "b": False, "c": None, "d": True, "e": "NA,IN"}, ["--x=a=0.00001", "--x=d", "--x=e=NA,IN"]),
        ]
        for value, flags in given:
            self.assertEqual(to_flags({"x": value}), flags)
        options: dict[str, Any] = {"threshold": 1e-5, "filter": {"digits": 1e-5}, "min_words": 5.0}
        self.assertIsNotNone(thresher.clean(f"<title>x</title><p>{SENTENCE}", **options))

    @unittest.skipUnless(find_spec("numpy"), "needs python/requirements-test.txt")
    def test_takes_the_values_of_numpy(self) -> None:
        import numpy

        values = {"a": numpy.int64(5), "b": numpy.bool_(True), "c": numpy.bool_(False), "d": numpy.float32(0.25)}
        self.assertEqual(to_flags(values), ["--a=5", "--b", "--d=0.25"])
        self.assertEqual(to_flags({"f": {"a": numpy.int64(5), "b": numpy.bool_(False)}}), ["--f=a=5"])
        self.assertEqual(to_flags({"lang": numpy.array(["sv", "fi"])}), ["--lang=sv", "--lang=fi"])

    def test_refuses_values_that_say_nothing(self) -> None:
        wrong: list[tuple[Any, str]] = [
            (b"models", "not bytes"),
            (object(), "not object"),
            (["a", None], "not None"),
            (["a", False], "not bool"),
            ([["a"]], "not list"),
            ({"a": ["b"]}, "not list"),
            (1j, "not complex"),
        ]
        for value, says in wrong:
            with self.assertRaisesRegex(thresher.OptionError, f"^remove must be text.*, {says}$"):
                to_flags({"remove": value})
        with self.assertRaisesRegex(ValueError, "on_reject must be 'none' or 'raise', not 'Raise'"):
            thresher.clean("", on_reject="Raise")  # type: ignore[arg-type]
        for limits in ({"patience": float("nan")}, {"patience": 0}, {"window": 0}, {"window": float("nan")}):
            with self.assertRaisesRegex(ValueError, "must be above 0"):
                thresher.Thresher(**limits)
        with self.assertRaisesRegex(thresher.CommandNotFoundError, "command is an empty list"):
            thresher.Thresher(command=[])


class CommandTest(unittest.TestCase):
    def test_has_the_version_of_the_command(self) -> None:
        manifest = json.loads((ROOT / "package.json").read_text("utf-8"))
        self.assertEqual(thresher.__version__, manifest["version"])
        project = (ROOT / "python" / "pyproject.toml").read_text("utf-8")
        self.assertIn(f'\nversion = "{thresher.__version__}"\n', project)

    def test_finds_the_command(self) -> None:
        clone = str(ROOT / "bin" / "thresher.js")
        program = write_program(self, f'exec node {clone} "$@"')
        folder = Path(program).parent
        installed = folder / "thresher"
        os.rename(program, installed)
        self.assertEqual(thresher.find_command()[1:], [clone])
        with mock.patch.dict(os.environ, {"THRESHER": str(installed)}):
            self.assertEqual(thresher.find_command(), [str(installed)])
            self.assertEqual(thresher.find_command(clone)[1:], [clone])
            self.assertEqual(thresher.find_command(["node", clone]), ["node", clone])
            self.assertIsNotNone(thresher.clean(html()))
        elsewhere = mock.patch.object(command, "__file__", "/nowhere/thresher/command.py")
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        with elsewhere, mock.patch.dict(os.environ, {"PATH": path}):
            self.assertEqual(thresher.find_command(), [str(installed)])

    def test_starts_node_and_no_shell_where_npm_wrote_a_script_for_windows(self) -> None:
        for at, beside in (("thresher.cmd", "node_modules"), ("node_modules/.bin/thresher.CMD", "node_modules")):
            folder = Path(write_program(self, "exit 3")).parent
            found = folder / at
            found.parent.mkdir(parents=True, exist_ok=True)
            os.rename(folder / "program", found)
            self.assertEqual(thresher.find_command(str(found)), [str(found)])
            installed = folder / beside / "thresher" / "bin" / "thresher.js"
            installed.parent.mkdir(parents=True)
            installed.write_text("", "utf-8")
            words = thresher.find_command(str(found))
            self.assertEqual([Path(words[0]).stem, words[1:]], ["node", [str(installed)]])

    def test_says_what_to_do_where_there_is_none(self) -> None:
        nowhere = mock.patch.object(command, "__file__", "/nowhere/thresher/command.py")
        with nowhere, mock.patch.dict(os.environ, {"PATH": "/nowhere"}):
            with self.assertRaisesRegex(thresher.CommandNotFoundError, "npm install -g .* THRESHER"):
                thresher.clean("<p>")
            with self.assertRaisesRegex(thresher.CommandNotFoundError, "no node on the PATH"):
                thresher.find_command(str(ROOT / "bin" / "thresher.js"))
        for wrong in ("/nowhere/thresher", "/nowhere/thresher.js", str(FIXTURES)):
            with self.assertRaisesRegex(thresher.CommandNotFoundError, wrong):
                thresher.find_command(wrong)
            with (
                mock.patch.dict(os.environ, {"THRESHER": wrong}),
                self.assertRaisesRegex(thresher.CommandNotFoundError, "the environment variable THRESHER"),
            ):
                thresher.find_command()

    def test_refuses_another_version_and_another_program(self) -> None:
        for said, says in (
            ("0.0.9", "is version 0.0.9"),
            ("0.2.0", "is version 0.2.0"),
            ("1.0.0", "is version 1.0.0"),
            ("threshing machine 4", "not Thresher"),
        ):
            with self.assertRaisesRegex(thresher.CommandVersionError, says):
                thresher.Thresher(command=write_program(self, f"echo {said}"))
        with self.assertRaisesRegex(thresher.CommandVersionError, "--version ended with 3:\nNode.js is too old$"):
            thresher.Thresher(command=write_program(self, "echo Node.js is too old >&2; exit 3"))
        thresher.Thresher(command=write_program(self, "echo 0.1.7")).close()

    def test_starts_without_the_clone_being_the_folder(self) -> None:
        code = "import thresher; print(thresher.clean('<p>' + 'One sentence of many words, as they are. ' * 9).words)"
        env = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src")}
        ran = subprocess.run([sys.executable, "-c", code], cwd="/", env=env, capture_output=True, check=False)
        self.assertEqual((ran.stdout, ran.stderr), (b"72\n", b""))


if __name__ == "__main__":
    unittest.main()
