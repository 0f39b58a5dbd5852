"""Turns keyword options into flags of the command, one to one; the command itself checks them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Union

from .errors import OptionError

Path = os.PathLike[str]
Option = Union[str, int, float, bool, None, Path, Iterable[Union[str, Path]], Mapping[str, Union[str, int, float, bool, None]]]

STREAM = ["clean", "-", "--from=jsonl", "--to=jsonl", "--rejects=-", "--quiet"]
"""The command as a filter: a record in, a record or a reject out."""

_TAKEN = {
    "from": "pages are given one by one",
    "to": 'documents come back as records; formatted="markdown" (or html, xml) adds a format',
    "output": "documents come back as results",
    "rejects": "rejects come back as results",
    "quiet": "messages of the command become exceptions",
    "progress": "messages of the command become exceptions",
    "url": "each page has its own URL: clean(html, url=...) or {'html': ..., 'url': ...}",
    "version": "thresher.find_command() tells where the command is",
    "help": "thresher --help lists the options",
}


def to_flags(options: Mapping[str, Option]) -> list[str]:
    """Writes `keep_boilerplate=True` as `--keep-boilerplate`. None and False leave an option out, and a list or a dict
    gives it again for each entry: `lang=["sv", "fi"]`, `filter={"min-words": 50, "sentences": True}`."""
    flags: list[str] = []
    for name, value in options.items():
        word = name.strip("_").replace("_", "-")
        if word in _TAKEN:
            raise OptionError(f"{name} cannot be set: {_TAKEN[word]}")
        if isinstance(value, Mapping):
            entries = ((f"={key}", _to_plain(limit)) for key, limit in value.items())
            flags += [f"--{word}{key}{_write(name, limit)}" for key, limit in entries if not _is_left_out(limit)]
        elif isinstance(value, Iterable) and not _is_single(value):
            flags += [f"--{word}{_write(name, entry)}" for entry in map(_to_plain, value)]
        elif not _is_left_out(plain := _to_plain(value)):
            flags.append(f"--{word}{_write(name, plain)}")
    return flags


def _is_single(value: object) -> bool:
    return isinstance(value, (str, bytes, bytearray)) or getattr(value, "ndim", None) == 0


def _to_plain(value: Any) -> Any:
    """Converts a single numpy value to a Python value."""
    return value.item() if getattr(value, "ndim", None) == 0 else value


def _is_left_out(value: object) -> bool:
    return value is None or value is False


def _write(name: str, value: object) -> str:
    """Formats the value of an option. The command accepts numbers without exponents, and whole numbers without a point."""
    if value is True:
        return ""
    if isinstance(value, (str, os.PathLike)):
        return f"={os.fspath(value)}"
    if isinstance(value, (int, float, Decimal)) and value is not False:
        number = Decimal(str(value))
        whole = number.is_finite() and number == number.to_integral_value()
        return f"={number.to_integral_value() if whole else number:f}"
    kind = "None" if value is None else type(value).__name__
    raise OptionError(f"{name} must be text, a number, a path, True, False or None, or a list or dict of them, not {kind}")
