"""Turns keyword options into the flags of the command, one to one; the command itself says which ones it takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Union

from .errors import OptionError

Option = Union[str, int, float, bool, None, Iterable[str], Mapping[str, Union[int, float, bool]]]

STREAM = ["clean", "-", "--from=jsonl", "--to=jsonl", "--rejects=-", "--quiet"]
"""The command as a filter: a record in, a record or a reject out."""

_TAKEN = {
    "from": "pages are given one by one",
    "to": 'a document comes as a record; formatted="markdown" (or html, xml) adds a format to it',
    "output": "documents come back as results",
    "rejects": "rejects come back as results",
    "quiet": "messages of the command become exceptions",
    "progress": "messages of the command become exceptions",
    "url": "each page has a URL of its own: clean(html, url=...) or {'html': ..., 'url': ...}",
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
        if value is None or value is False:
            continue
        if value is True:
            flags.append(f"--{word}")
        elif isinstance(value, Mapping):
            flags += [f"--{word}={key}" + _limit(limit) for key, limit in value.items()]
        elif isinstance(value, (str, int, float)):
            flags.append(f"--{word}={value}")
        else:
            flags += [f"--{word}={entry}" for entry in value]
    return flags


def _limit(limit: float) -> str:
    return "" if limit is True else f"={limit}"
