"""Turns web pages, and badly extracted text, into clean text with the `thresher` command."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Literal, Optional

from .client import PATIENCE_SECONDS, Page, Thresher, make
from .command import Command, __version__, find_command
from .errors import (
    BadAnswerError,
    ClosedError,
    CommandDiedError,
    CommandHungError,
    CommandNotFoundError,
    CommandVersionError,
    OptionError,
    RejectedError,
    ThresherError,
)
from .options import Option
from .results import Condition, Document, Line, PageVerdict, Reject, Result

__all__ = [
    "BadAnswerError",
    "ClosedError",
    "CommandDiedError",
    "CommandHungError",
    "CommandNotFoundError",
    "CommandVersionError",
    "Condition",
    "Document",
    "Line",
    "OptionError",
    "Page",
    "PageVerdict",
    "Reject",
    "RejectedError",
    "Result",
    "Thresher",
    "ThresherError",
    "__version__",
    "clean",
    "clean_many",
    "find_command",
]

MOST_SHARED = 4
"""How many processes `clean` keeps, one for each set of options."""

_shared: OrderedDict[str, Thresher] = OrderedDict()
_lock = threading.Lock()


def clean(
    page: Page,
    *,
    url: Optional[str] = None,
    id: Optional[str] = None,  # noqa: A002 - the name of the field
    on_reject: Literal["none", "raise"] = "none",
    command: Optional[Command] = None,
    patience: float = PATIENCE_SECONDS,
    **options: Option,
) -> Optional[Document]:
    """Cleans one page. Returns None, or raises a RejectedError, if it cannot become text. The process is kept for the
    next call with the same options, so `dedup` compares the pages of all calls."""
    shared = _share(command, patience, options)
    return shared.clean(page, url=url, id=id, on_reject=on_reject)


def clean_many(
    pages: Iterable[Page],
    *,
    command: Optional[Command] = None,
    patience: float = PATIENCE_SECONDS,
    **options: Option,
) -> Iterator[Result]:
    """Yields one result for each page, in order and in bounded memory, from a process that ends with the stream."""
    with make({"command": command, "patience": patience, **options}) as thresher:
        yield from thresher.clean_many(pages)


def _share(command: Optional[Command], patience: float, options: dict[str, Option]) -> Thresher:
    key = repr((command, os.environ.get("THRESHER"), patience, sorted(options.items())))
    with _lock:
        shared = _shared.get(key)
        if shared is None:
            shared = _shared[key] = make({"command": command, "patience": patience, **options})
        _shared.move_to_end(key)
        # A process that another thread is using is kept until that thread is done with it.
        while len(_shared) > MOST_SHARED:
            _shared.popitem(last=False)
        return shared


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
