"""Tests that a stream keeps the order, every page and bounded memory; and threads, forks and loops that share a process."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import thresher
from thresher import Document, Reject

from .pages import ROOT, SENTENCE, html, slugs


def kinds(results: list[thresher.Result]) -> list[str]:
    return [result.reason if isinstance(result, Reject) else "text" for result in results]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def clean_in_child(shared: thresher.Thresher, number: int) -> None:
    """Runs in a forked process, which must not touch the parent's process of the command."""
    document = shared.clean(html(), id=str(number))
    os._exit(0 if document is not None and document.id == str(number) else 1)


class StreamTest(unittest.TestCase):
    def test_answers_in_order_with_rejects_among_the_documents(self) -> None:
        names = slugs(30)
        pages: list[Any] = []
        for name in names:
            pages += [{"html": html(name), "id": name}, b"%PDF-1.7\n", ""]
        for jobs in (1, 2):
            results = list(thresher.clean_many(pages, jobs=jobs, keep_boilerplate=True))
            self.assertEqual([result.id for result in results[::3]], names)
            self.assertEqual(kinds(results)[1::3], ["binary"] * len(names))
            self.assertEqual(kinds(results)[2::3], ["empty"] * len(names))
            self.assertGreater(kinds(results)[::3].count("text"), 25)

    def test_refuses_a_page_that_is_not_one_of_many(self) -> None:
        for page in (html(), b"<p>x", bytearray(b"<p>x"), {"html": html()}):
            with self.assertRaisesRegex(TypeError, "use clean for one page"):
                list(thresher.clean_many(page))  # type: ignore[arg-type]

    def test_reads_ahead_no_further_than_its_window(self) -> None:
        read = 0

        def endless() -> Iterator[str]:
            nonlocal read
            while True:
                read += 1
                yield html()

        with thresher.Thresher(window=20, jobs=1) as one:
            results = one.clean_many(endless())
            for number in range(1, 60):
                self.assertIsInstance(next(results), Document)
                self.assertLessEqual(read, number + 20)

    def test_hands_over_what_is_ready_while_its_source_is_slow(self) -> None:
        seen: list[float] = []

        def slow() -> Iterator[str]:
            for _ in range(3):
                yield html()
                time.sleep(1.0)

        with thresher.Thresher(jobs=1) as one:
            one.clean(html())
            start = time.monotonic()
            for _ in one.clean_many(slow()):
                seen.append(time.monotonic() - start)
        for at, seconds in enumerate(seen):
            self.assertLess(seconds, at + 1.9)

    def test_does_not_lock_up_on_pages_larger_than_pipes(self) -> None:
        big = "<p>" + f"{SENTENCE} " * 5_000 + "</p>"
        pages = [big.replace("boards", f"boards {number}") for number in range(8)]
        results = list(thresher.clean_many(pages, jobs=1, keep_boilerplate=True))
        for number, result in enumerate(results):
            assert isinstance(result, Document)
            self.assertGreater(len(result.text), 400_000)
            self.assertIn(f"boards {number} ", result.text)

    def test_gives_the_results_before_what_its_source_throws(self) -> None:
        def broken() -> Iterator[Any]:
            yield html()
            yield ""
            raise OSError("the disk is gone")

        got = []
        with self.assertRaisesRegex(OSError, "the disk is gone"):
            for result in thresher.clean_many(broken()):
                got.append(result)
        self.assertEqual(kinds(got), ["text", "empty"])
        with self.assertRaisesRegex(TypeError, "not int"):
            list(thresher.clean_many([html(), 7]))  # type: ignore[list-item]
        self.assertEqual(list(thresher.clean_many([])), [])

    def test_compares_the_documents_of_one_stream(self) -> None:
        page = html()
        for _ in range(2):
            self.assertEqual(
                kinds(list(thresher.clean_many([page, page, html("amp-article")], dedup="exact"))),
                ["text", "duplicate", "text"],
            )

    def test_goes_on_after_a_stream_that_was_left(self) -> None:
        with thresher.Thresher() as one:
            for _ in one.clean_many([html()] * 50):
                break
            document = one.clean(html(), id="after")
            assert document is not None
            self.assertEqual(document.id, "after")


class SharingTest(unittest.TestCase):
    def test_threads_get_their_own_answers(self) -> None:
        names = slugs(16) * 4
        with thresher.Thresher(keep_boilerplate=True) as one, ThreadPoolExecutor(8) as pool:
            expected = {name: one.clean(html(name)) for name in set(names)}
            got = list(pool.map(lambda name: (name, one.clean(html(name), id=name)), names))
        for name, document in got:
            other = expected[name]
            self.assertEqual(document and (document.id, document.text), other and (name, other.text))

    def test_event_loops_wait_in_threads(self) -> None:
        async def ask(one: thresher.Thresher) -> list[Any]:
            return await asyncio.gather(*(asyncio.to_thread(one.clean, html(), id=str(at)) for at in range(12)))

        with thresher.Thresher() as one:
            loops: list[list[Any]] = []
            threads = [threading.Thread(target=lambda: loops.append(asyncio.run(ask(one)))) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual([[one.id for one in loop] for loop in loops], [[str(at) for at in range(12)]] * 3)

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_each_process_that_is_forked_has_its_own_command(self) -> None:
        context = multiprocessing.get_context("fork")
        with thresher.Thresher(jobs=1) as one:
            self.assertIsNotNone(one.clean(html()))
            children = [context.Process(target=clean_in_child, args=(one, number)) for number in range(3)]
            for child in children:
                child.start()
            self.assertIsNotNone(one.clean(html()))
            for child in children:
                child.join(60)
                self.assertEqual(child.exitcode, 0)
            assert one._child is not None
            process = one._child.process
            self.assertIsNotNone(one.clean(html()))
        # Pipes inherited by children do not keep it alive.
        self.assertEqual(process.returncode, 0)

    def test_travels_to_processes_that_are_spawned(self) -> None:
        with multiprocessing.get_context("spawn").Pool(1) as pool, thresher.Thresher(jobs=1) as one:
            self.assertIsNotNone(pool.apply(one.clean, (html(),)))


class EndTest(unittest.TestCase):
    def test_closes_once_and_for_all(self) -> None:
        one = thresher.Thresher()
        one.close()
        with self.assertRaises(thresher.ClosedError):
            one.clean(html())
        one = thresher.Thresher()
        self.assertIsNotNone(one.clean(html()))
        assert one._child is not None
        pid = one._child.process.pid
        one.close()
        one.close()
        self.assertFalse(is_running(pid))
        with self.assertRaises(thresher.ClosedError):
            list(one.clean_many([html()]))

    def test_ends_the_process_of_an_object_that_is_gone(self) -> None:
        one = thresher.Thresher()
        one.clean(html())
        assert one._child is not None
        pid = one._child.process.pid
        del one
        gc.collect()
        self.assertFalse(is_running(pid))

    def test_leaves_no_process_behind(self) -> None:
        """Tests that the process ends with the interpreter: at its end, in the middle of a stream, or killed."""
        code = """
import os, sys, thresher
t = thresher.Thresher(jobs=1)
results = t.clean_many("<p>One sentence of many words, as they are." for _ in iter(int, 1))
next(results)
print(t._child.process.pid, flush=True)
if sys.argv[1] == "kill": os.kill(os.getpid(), 9)
if sys.argv[1] == "error": raise ValueError
"""
        env = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src")}
        for how, status in (("end", 0), ("error", 1), ("kill", -9)):
            ran = subprocess.run([sys.executable, "-c", code, how], env=env, capture_output=True, check=False)
            self.assertEqual(ran.returncode, status, ran.stderr)
            until = time.monotonic() + 20
            while is_running(int(ran.stdout)) and time.monotonic() < until:
                time.sleep(0.01)
            self.assertFalse(is_running(int(ran.stdout)), how)

    @unittest.skipUnless(os.name == "posix", "needs signals")
    def test_an_interrupt_reaches_the_caller_and_the_process_goes_on(self) -> None:
        def endless() -> Iterator[str]:
            while True:
                yield html()

        with thresher.Thresher() as one:
            timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
            with self.assertRaises(KeyboardInterrupt):
                for number, _ in enumerate(one.clean_many(endless())):
                    if number == 0:
                        timer.start()
            timer.join()
            assert one._child is not None
            pid = one._child.process.pid
            self.assertIsNotNone(one.clean(html()))
            self.assertEqual(one._child.process.pid, pid)
