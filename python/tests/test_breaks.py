"""Tests what a caller sees if a process dies, hangs, or writes something wrong."""

from __future__ import annotations

import os
import signal
import threading
import time
import unittest
from collections.abc import Iterator
from typing import Any
from unittest import mock

import thresher

from .pages import ROOT, html

COMMAND = str(ROOT / "python" / "tests" / "odd_command.js")
SILENT = "lines(() => {})"


def does(script: str) -> Any:
    """A command that does what the script says."""
    return mock.patch.dict(os.environ, {"ODD": script})


def answers(script: str) -> Any:
    """A command that does what the script says for each line."""
    return does(f"lines((line) => {{{script}}})")


class DeathTest(unittest.TestCase):
    def test_tells_of_a_killed_process_and_starts_another(self) -> None:
        with thresher.Thresher(jobs=1) as one:
            self.assertIsNotNone(one.clean(html()))
            assert one._child is not None
            first = one._child.process

            def pages() -> Iterator[dict[str, Any]]:
                for number in range(200):
                    if number == 100:
                        os.kill(first.pid, signal.SIGKILL)
                    yield {"html": html(), "id": f"page {number}"}

            got = []
            with self.assertRaisesRegex(thresher.CommandDiedError, r"SIGKILL.*first page without an answer is page \d+"):
                for result in one.clean_many(pages()):
                    got.append(result.id)
            self.assertEqual(got, [f"page {number}" for number in range(len(got))])
            document = one.clean(html(), id="after")
            assert document is not None
            self.assertEqual(document.id, "after")
            self.assertNotEqual(one._child.process.pid, first.pid)

    def test_starts_another_where_it_was_killed_in_idleness(self) -> None:
        with thresher.Thresher(jobs=1) as one:
            one.clean(html())
            assert one._child is not None
            process = one._child.process
            process.kill()
            until = time.monotonic() + 20
            while one._child.is_usable and time.monotonic() < until:
                time.sleep(0.02)
            self.assertIsNotNone(one.clean(html()))

    def test_repeats_what_it_said_last(self) -> None:
        full = 'process.stderr.write("thresher: the disk is full\\n"); process.exitCode = 74;'
        says = "exit code 74(.|\n)*the disk is full"
        with does(full), self.assertRaisesRegex(thresher.CommandDiedError, says):
            list(thresher.clean_many([html()], command=COMMAND))

    def test_tells_of_a_process_that_ends_at_once(self) -> None:
        start = threading.Thread.start

        def start_slowly(thread: threading.Thread) -> None:
            start(thread)
            if thread.name.startswith("thresher-"):
                time.sleep(0.3)

        ends = does('process.stderr.write("thresher: no\\n"); process.exit(9);')
        slow = mock.patch.object(threading.Thread, "start", start_slowly)
        with ends, slow, mock.patch("threading.excepthook") as broken, thresher.Thresher(command=COMMAND) as one:
            with self.assertRaisesRegex(thresher.CommandDiedError, "exit code 9(.|\n)*thresher: no"):
                one.clean(html())
            broken.assert_not_called()

    def test_wakes_all_threads_that_wait(self) -> None:
        errors: list[str] = []
        with does(SILENT), thresher.Thresher(command=COMMAND) as one:

            def ask() -> None:
                try:
                    one.clean(html())
                except thresher.CommandDiedError as error:
                    errors.append(str(error))

            threads = [threading.Thread(target=ask) for _ in range(4)]
            for thread in threads:
                thread.start()
            time.sleep(1)
            assert one._child is not None
            one._child.process.kill()
            for thread in threads:
                thread.join(20)
        self.assertEqual(len(errors), 4)


class NoiseTest(unittest.TestCase):
    def refuses(self, script: str, says: str) -> None:
        with (
            answers(script),
            thresher.Thresher(command=COMMAND) as one,
            self.assertRaisesRegex(thresher.BadAnswerError, says),
        ):
            list(one.clean_many({"html": html(), "id": name} for name in "ab"))

    def test_refuses_what_is_no_answer(self) -> None:
        for noise in ("hello", "7", "[]", "{}", '{"id":', '{"id":"a","text":"x"}', "[" * 100_000):
            self.refuses(f"console.log({noise!r})", "not a record")
        self.refuses('process.stdout.write(Buffer.from("80ff0a", "hex"))', "not a record")

    def test_refuses_an_answer_to_another_page(self) -> None:
        self.refuses("console.log(answer(line, 'b'))", "instead of 'a'")
        self.refuses("console.log(answer(line, 'stdin:2'))", "instead of 'a'")

    def test_refuses_an_answer_that_nobody_asked_for(self) -> None:
        twice = "console.log(answer(line)); console.log(answer(line));"
        with answers(twice), thresher.Thresher(command=COMMAND) as one:
            self.assertIsNone(one.clean(html(), id="a"))
            assert one._child is not None
            process = one._child.process
            self.assertIsNotNone(process.wait(20))
            with self.assertRaisesRegex(thresher.BadAnswerError, "an answer to no page|instead of"):
                one.clean(html(), id="b")
            self.assertIsNone(one.clean(html(), id="c"))

    def test_takes_an_answer_in_pieces(self) -> None:
        pieces = "for (const [at, byte] of [...answer(line), '\\n'].entries())"
        with answers(f"{pieces} setTimeout(() => process.stdout.write(byte), at * 2);"):
            results = list(thresher.clean_many([{"html": "x", "id": "a"}], command=COMMAND))
        self.assertEqual([result.id for result in results], ["a"])


class HangTest(unittest.TestCase):
    def test_kills_a_process_that_gives_no_answer(self) -> None:
        with does(SILENT), thresher.Thresher(command=COMMAND, patience=0.5) as one:
            start = time.monotonic()
            with self.assertRaisesRegex(thresher.CommandHungError, "no answer for 0.5 s"):
                one.clean(html())
            self.assertLess(time.monotonic() - start, 10)
            assert one._child is not None
            self.assertEqual(one._child.process.wait(20), -signal.SIGKILL)
            with self.assertRaises(TimeoutError):
                list(one.clean_many([html()]))

    def test_kills_a_process_that_does_not_read(self) -> None:
        with (
            does("console.error('I am deaf'); setInterval(() => {}, 1000);"),
            thresher.Thresher(command=COMMAND, patience=1.5) as one,
            self.assertRaisesRegex(thresher.CommandHungError, "I am deaf"),
        ):
            list(one.clean_many(["x" * 1_000_000] * 20))

    def test_does_not_wait_for_an_output_that_another_process_holds_open(self) -> None:
        holder = "import('node:child_process').then(({ spawn }) => { const holder = spawn(process.execPath, "
        holder += "['-e', 'setTimeout(() => 0, 40000)'], { stdio: 'inherit', detached: true }); "
        says = "console.error(holder.pid); process.stderr.write('error: no such option\\n', () => process.exit(2)); })"
        start = time.monotonic()
        with (
            does(holder + says),
            mock.patch("thresher.child.END_SECONDS", 0.5),
            thresher.Thresher(command=COMMAND) as one,
            self.assertRaisesRegex(thresher.OptionError, "no such option") as caught,
        ):
            one.clean(html())
        os.kill(int(str(caught.exception).split()[0]), signal.SIGKILL)
        self.assertLess(time.monotonic() - start, 35)

    def test_closes_while_a_thread_waits(self) -> None:
        with does(SILENT):
            one = thresher.Thresher(command=COMMAND)
            one._start()
        errors: list[BaseException] = []

        def ask() -> None:
            try:
                one.clean(html())
            except thresher.ThresherError as error:
                errors.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        time.sleep(1)
        one.close()
        thread.join(20)
        self.assertEqual([type(error) for error in errors], [thresher.ClosedError])
