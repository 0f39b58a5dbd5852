"""Runs one process of the command: one thread writes pages to it, another reads its answers, and a third reads its messages."""

from __future__ import annotations

import concurrent.futures
import json
import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import FileIO
from typing import Any, Callable, cast

from .errors import (
    BadAnswerError,
    ClosedError,
    CommandDiedError,
    CommandHungError,
    OptionError,
    ThresherError,
)
from .results import Result, read_result

READ_BYTES = 1 << 18
MAX_LINE_BYTES = 1 << 30
"""The largest answer: the command accepts pages of 10 MB, or more if an option says so."""
MESSAGE_BYTES = 1 << 16
"""How many characters at the end of the command's messages are kept."""
END_SECONDS = 5.0
"""How long to wait for a process that has nothing left to do."""
LOOK_SECONDS = 1.0
"""How long to wait before checking again whether the process has ended."""
WRONG_USAGE = 2
"""The exit code of the command."""

Answer = concurrent.futures.Future[Result]


@dataclass
class _Asked:
    name: str
    line: bytes
    answer: Answer


class Child:
    """Answers are matched with pages by their order, and the id in each answer is checked. It can be used from any thread."""

    def __init__(self, words: Sequence[str], patience: float) -> None:
        self._patience = patience
        self._changed = threading.Condition()
        self._to_write: deque[_Asked] = deque()
        self._waiting: deque[_Asked] = deque()
        self._written = 0
        self._is_ending = False
        self._has_told = False
        self._failure: Callable[[], ThresherError] | None = None
        self._moved = time.monotonic()
        self._messages = b""
        self._ended: float | None = None
        self.process = subprocess.Popen(
            list(words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            # Ctrl-C goes to the calling program, which then decides what to do with the process.
            start_new_session=os.name == "posix",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        # The pipes are plain files, because they have no buffer.
        self._stdin, self._stdout, self._stderr = (
            cast(FileIO, pipe) for pipe in (self.process.stdin, self.process.stdout, self.process.stderr)
        )
        works = (self._write_pages, self._read_answers, self._read_messages)
        self._threads = [threading.Thread(target=work, name=f"thresher-{work.__name__}", daemon=True) for work in works]
        # The thread that reads the answers waits for the one that reads the messages, so that one is started first.
        for thread in reversed(self._threads):
            thread.start()

    @property
    def is_usable(self) -> bool:
        return self._failure is None and not self._is_ending

    def ask(self, name: str, line: bytes) -> Answer:
        """Sends one line of JSON; the answer comes in its turn. Raises an error with the reason if the process has ended."""
        answer: Answer = concurrent.futures.Future()
        with self._changed:
            if self._failure is not None:
                raise self._failure()
            if self._is_ending:
                raise ClosedError("it is closed")
            if not self._waiting and not self._to_write:
                self._moved = time.monotonic()
            self._to_write.append(_Asked(name, line, answer))
            self._changed.notify_all()
        return answer

    def wait(self, answer: Answer) -> Result:
        """Waits for an answer. If the process gives none for `patience` seconds, to this page or earlier ones, it is killed."""
        while not answer.done():
            left = self._moved + self._patience - time.monotonic()
            concurrent.futures.wait([answer], timeout=min(max(left, 0.0), LOOK_SECONDS))
            if not answer.done() and self._has_ended():
                self._bury()
            if not answer.done() and time.monotonic() >= self._moved + self._patience:
                self._fail(self._say_hung)
                self.process.kill()
        return answer.result()

    def _has_ended(self) -> bool:
        """Whether the process ended so long ago that all its output must have arrived. The end of its output does not
        show this if another process holds the pipe open: its own child, or one that a thread forked meanwhile."""
        if self.process.poll() is None:
            return False
        now = time.monotonic()
        self._ended = self._ended or now
        return now >= self._ended + END_SECONDS

    def close(self) -> None:
        """Ends the process: gently if it has nothing to do, or else at once. Waiting callers get a ClosedError."""
        with self._changed:
            is_busy = bool(self._waiting or self._to_write)
            self._is_ending = True
            self._changed.notify_all()
        if is_busy:
            self._fail(lambda: ClosedError("it was closed before the answer came"))
            self.process.kill()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for thread in self._threads:
            thread.join(END_SECONDS)
        # A thread that still reads has a pipe that another process holds open; it closes the pipe itself.
        for pipe, thread in zip((self._stdin, self._stdout, self._stderr), self._threads):
            if not thread.is_alive():
                pipe.close()

    def raise_bad_answer(self) -> None:
        """Raises an error if an answer came when no page was waiting. A process that died while idle is not an error."""
        failure = None if self._failure is None else self._failure()
        if isinstance(failure, BadAnswerError) and not self._has_told:
            raise failure

    def forget(self) -> None:
        """In a forked process: lets go of the pipes, which belong to the parent, like the process."""
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()
        self.process.returncode = 0

    def _write_pages(self) -> None:
        try:
            while True:
                with self._changed:
                    while not self._to_write and not self._is_ending and self._failure is None:
                        self._changed.wait()
                    if not self._to_write:
                        break
                    asked = self._to_write.popleft()
                    self._waiting.append(asked)
                rest = memoryview(asked.line)
                asked.line = b""
                while rest:
                    rest = rest[self._stdin.write(rest) :]
        except (OSError, ValueError):
            pass  # the process has ended; the thread that reads its answers reports how
        finally:
            self._stdin.close()

    def _read_answers(self) -> None:
        try:
            for line in self._read_lines():
                self._take(line)
        except BadAnswerError as error:
            says = str(error)
            self._fail(lambda: BadAnswerError(says))
            self.process.kill()
        self._stdout.close()
        self._bury()

    def _read_lines(self) -> Iterator[bytes]:
        parts: list[bytes] = []
        size = 0
        while chunk := self._stdout.read(READ_BYTES):
            first, *others = chunk.split(b"\n")
            parts.append(first)
            size += len(first)
            if size > MAX_LINE_BYTES:
                raise BadAnswerError(f"the command wrote a line of more than {MAX_LINE_BYTES} bytes")
            for other in others:
                yield b"".join(parts)
                parts, size = [other], len(other)

    def _take(self, line: bytes) -> None:
        with self._changed:
            asked = self._waiting[0] if self._waiting else None
        if asked is None:
            raise BadAnswerError(f"the command wrote an answer to no page: {_quote(line)}")
        self._written += 1
        result = _read_answer(line, asked.name, self._written)
        with self._changed:
            # The thread that closed it, or lost patience, has already given the answers.
            if self._failure is not None:
                return
            self._waiting.popleft()
            self._moved = time.monotonic()
        asked.answer.set_result(result)

    def _bury(self) -> None:
        """The process has closed its stdout, or has ended: reports how to all waiting callers."""
        try:
            code = self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self._threads[2].join(END_SECONDS)
        with self._changed:
            first = next((asked.name for asked in (*self._waiting, *self._to_write)), None)
        message = self._tell_messages()
        if code == WRONG_USAGE:
            self._fail(lambda: OptionError(message.lstrip().removeprefix("thresher: ").removeprefix("error: ")))
            return
        how = f"signal {_name_signal(-code)}" if code < 0 else f"exit code {code}"
        at = "" if first is None else f"; the first page without an answer is {first}"
        says = f"the command ended with {how}{at}{message}"
        self._fail(lambda: CommandDiedError(says))

    def _say_hung(self) -> CommandHungError:
        says = f"the command gave no answer for {self._patience:g} s and was killed"
        return CommandHungError(says + self._tell_messages())

    def _tell_messages(self) -> str:
        message = self._messages.decode("utf-8", "replace").strip()
        return f"\n{message}" if message else ""

    def _fail(self, failure: Callable[[], ThresherError]) -> None:
        """Gives each waiting or later caller its own error. The first failure counts."""
        with self._changed:
            self._failure = self._failure or failure
            failure = self._failure
            lost = [*self._waiting, *self._to_write]
            self._waiting.clear()
            self._to_write.clear()
            self._changed.notify_all()
        self._has_told = self._has_told or bool(lost)
        for asked in lost:
            asked.answer.set_exception(failure())

    def _read_messages(self) -> None:
        while chunk := self._stderr.read(READ_BYTES):
            self._messages = (self._messages + chunk)[-MESSAGE_BYTES:]
        self._stderr.close()


def _mend(name: str) -> str:
    """Joins surrogate pairs, and replaces single surrogates by U+FFFD, as the command does."""
    return name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _read_answer(line: bytes, name: str, number: int) -> Result:
    """Reads the answer to the page `name`. If the page was not readable as a record, the answer has its place in the stream."""
    try:
        answer: Any = json.loads(line)
        if not isinstance(answer, dict):
            raise BadAnswerError(f"the command wrote a line that is not a record: {_quote(line)}")
        if answer["id"] == _mend(name):
            answer["id"] = name
        if answer["id"] not in (name, f"stdin:{number}"):
            raise BadAnswerError(f"the command answered to {answer['id']!r} instead of {name!r}")
        return read_result(answer, name)
    except (ValueError, KeyError, RecursionError) as error:
        raise BadAnswerError(f"the command wrote a line that is not a record: {_quote(line)}") from error


def _quote(line: bytes) -> str:
    return repr(line[:120].decode("utf-8", "replace")) + ("…" if len(line) > 120 else "")


def _name_signal(number: int) -> str:
    try:
        return f"{number} ({signal.Signals(number).name})"
    except ValueError:
        return str(number)
