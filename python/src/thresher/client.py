"""Offers `Thresher`, which cleans pages in one long-lived process of the command."""

from __future__ import annotations

import atexit
import base64
import itertools
import json
import math
import os
import reprlib
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Literal, Optional, Union

from .child import Answer, Child
from .command import Command, check_version, find_command
from .errors import ClosedError, RejectedError
from .options import STREAM, Option, to_flags
from .results import Document, Result

Page = Union[str, bytes, bytearray, memoryview, Mapping[str, Any]]
"""HTML, the bytes of a page, or a record: `html`, `text`, `lines` or `bytes`, and `id`, `url`, `contentType`; all other
fields must be valid JSON."""

PATIENCE_SECONDS = 120.0
"""The command itself ends a page after 60 s (six times its option `timeout`)."""
WINDOW_PAGES = 64 + 32 * (os.cpu_count() or 1)
"""How many pages of a stream are sent before their answers come: more than the command reads ahead, so it never waits."""
WINDOW_BYTES = 64_000_000

_open: weakref.WeakSet[Thresher] = weakref.WeakSet()


class Thresher:
    """Cleans pages; options are those of the command, with `_` for `-`. Several threads can share one object. The
    process starts with the first page, again after it died, and once in each forked process."""

    def __init__(
        self,
        *,
        command: Optional[Command] = None,
        patience: float = PATIENCE_SECONDS,
        window: int = WINDOW_PAGES,
        **options: Option,
    ) -> None:
        if not (window >= 1 and patience > 0):
            raise ValueError("window and patience must be above 0")
        self._given = {"command": command, "patience": patience, "window": window, **options}
        self._window = window
        self._patience = patience
        flags = to_flags(options)
        words = find_command(command)
        check_version(words)
        self._words = [*words, *STREAM, *flags]
        self._lock = threading.Lock()
        self._child: Optional[Child] = None
        self._is_closed = False
        self._numbers = itertools.count(1)
        _open.add(self)

    def clean(
        self,
        page: Page,
        *,
        url: Optional[str] = None,
        id: Optional[str] = None,  # noqa: A002 - the name of the field
        on_reject: Literal["none", "raise"] = "none",
    ) -> Optional[Document]:
        """Cleans one page. Returns None, or raises a RejectedError, if it cannot become text."""
        if on_reject not in ("none", "raise"):
            raise ValueError(f"on_reject must be 'none' or 'raise', not {on_reject!r}")
        child, answer, _ = self._ask(page, url, id)
        result = child.wait(answer)
        if isinstance(result, Document):
            return result
        if on_reject == "raise":
            raise RejectedError(result)
        return None

    def clean_many(self, pages: Iterable[Page]) -> Iterator[Result]:
        """Yields one result for each page, in order and in bounded memory: a Document, or a Reject with the reason.
        Errors raised by `pages` itself come after the results of the earlier pages."""
        if isinstance(pages, (str, *_BYTES, Mapping)):
            raise TypeError("clean_many takes an iterable of pages; use clean for one page")
        waiting: deque[tuple[Child, Answer, int]] = deque()
        size = 0
        source = iter(pages)
        failure: Optional[Exception] = None
        while True:
            try:
                waiting.append(self._ask(next(source)))
            except StopIteration:
                break
            except Exception as error:
                failure = error
                break
            size += waiting[-1][2]
            while waiting and (len(waiting) >= self._window or size > WINDOW_BYTES or waiting[0][1].done()):
                child, answer, taken = waiting.popleft()
                size -= taken
                yield child.wait(answer)
        for child, answer, _ in waiting:
            yield child.wait(answer)
        if failure is not None:
            raise failure

    def close(self) -> None:
        """Ends the process. Closing again does nothing. Callers that still wait in other threads get a ClosedError."""
        with self._lock:
            child, self._child = self._child, None
            self._is_closed = True
        if child is not None:
            child.close()

    def __enter__(self) -> Thresher:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_lock"):
            self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return make, (self._given,)

    def _ask(
        self,
        page: Page,
        url: Optional[str] = None,
        name: Optional[str] = None,
    ) -> tuple[Child, Answer, int]:
        number = next(self._numbers)
        record = _to_record(page, number)
        if url is not None:
            record["url"] = url
        if name is not None:
            record["id"] = name
        record["id"] = name = _name(record, number)
        line = _to_line(record, name)
        child = self._start()
        return child, child.ask(name, line), len(line)

    def _start(self) -> Child:
        """Returns the process, or a new one if there is none or it has died."""
        with self._lock:
            if self._is_closed:
                raise ClosedError("this Thresher is closed; create another one")
            if self._child is not None and not self._child.is_usable:
                dead, self._child = self._child, None
                dead.close()
                dead.raise_bad_answer()
            if self._child is None:
                self._child = Child(self._words, self._patience)
            return self._child

    def _after_fork(self) -> None:
        # The thread that held the lock does not exist in the forked process.
        self._lock = threading.Lock()
        child, self._child = self._child, None
        if child is not None:
            child.forget()


def make(given: dict[str, Any]) -> Thresher:
    """Returns a Thresher with the arguments that `given` holds by name."""
    return Thresher(**given)


def _to_record(page: Page, number: int) -> dict[str, Any]:
    if isinstance(page, str):
        return {"html": page}
    if isinstance(page, _BYTES):
        return {"bytes": page}
    if isinstance(page, Mapping):
        return dict(page)
    told = f"is a str, bytes or a mapping with html, text, lines or bytes, not {type(page).__name__}"
    raise TypeError(f"page {number}: a page {told}")


def _name(record: Mapping[str, Any], number: int) -> str:
    """Returns the id of a record, or its URL, or its number. The value that pandas uses for a missing id does not count."""
    given, url = record.get("id"), record.get("url")
    if isinstance(given, float) and math.isnan(given):
        raise ValueError(_refuse(number, "id", given))
    if given is not None and given != "":
        return str(given)
    return url if isinstance(url, str) and url else str(number)


def _to_line(record: dict[str, Any], name: str) -> bytes:
    """Raises TypeError or ValueError for values that JSON does not have. Only the field `bytes` may hold bytes; in
    other fields they would become text in base 64."""
    page = record.get("bytes")
    encoded = {**record, "bytes": base64.b64encode(page).decode()} if isinstance(page, _BYTES) else record
    try:
        line = json.dumps(encoded, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(_refuse(name, *_find_foreign(encoded))) from error
    try:
        return line.encode() + b"\n"
    except UnicodeEncodeError:  # a single surrogate, which only an escape can express
        return json.dumps(encoded, allow_nan=False).encode() + b"\n"


_BYTES = (bytes, bytearray, memoryview)


def _find_foreign(record: Mapping[str, Any]) -> tuple[str, Any]:
    """Finds the first field that is not valid JSON."""
    for field, value in record.items():
        try:
            json.dumps({field: value}, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            return field, value
    raise AssertionError("each field is JSON by itself")


def _refuse(page: object, field: str, value: object) -> str:
    shown = f"page {page}: its field {field!r} is {reprlib.repr(value)}, which JSON does not have"
    return f"{shown}; make it text, a number or None, and put the bytes of a page into the field 'bytes'"


def _after_fork() -> None:
    for thresher in list(_open):
        thresher._after_fork()


def _close_all() -> None:
    for thresher in list(_open):
        thresher.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(_close_all)
