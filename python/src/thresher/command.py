"""Finds the `thresher` command and asks for its version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Optional, Union

from .errors import CommandNotFoundError, CommandVersionError

__version__ = "0.1.0"

Command = Union[str, "os.PathLike[str]", Sequence[str]]

VARIABLE = "THRESHER"
START_SECONDS = 300
"""In a clone, the first start installs and builds everything that is missing."""

_WHAT_TO_DO = (
    f"Install it (npm install -g PATH/TO/thresher-{__version__}.tgz, or npm link in a clone), or state where it is: "
    "command=... or the environment variable THRESHER, the path of `thresher` or of a clone's bin/thresher.js."
)

_known: set[tuple[str, ...]] = set()


def find_command(command: Optional[Command] = None) -> list[str]:
    """Returns the words that run the command: `command` if given, or the variable THRESHER, or the clone around this
    file, or `thresher` on the PATH. Raises CommandNotFoundError. Nothing is downloaded."""
    if command is not None:
        if not isinstance(command, (str, os.PathLike)):
            if len(command) == 0:
                raise CommandNotFoundError(f"command is an empty list. {_WHAT_TO_DO}")
            return [str(word) for word in command]
        return _run(str(command), "command")
    named = os.environ.get(VARIABLE)
    if named:
        return _run(named, f"the environment variable {VARIABLE}")
    for folder in Path(__file__).resolve().parents:
        if (folder / "bin" / "thresher.js").is_file() and (folder / "package.json").is_file():
            return _run(str(folder / "bin" / "thresher.js"), "the clone")
    found = shutil.which("thresher")
    if found is None:
        raise CommandNotFoundError(f"there is no thresher command on the PATH. {_WHAT_TO_DO}")
    return _start(found)


def _run(path: str, who: str) -> list[str]:
    """Node.js runs scripts; anything else is a program, by its path or on the PATH."""
    if path.endswith((".js", ".mjs")):
        if not Path(path).is_file():
            raise CommandNotFoundError(f"{who} names {path}, which does not exist. {_WHAT_TO_DO}")
        return [_find_node(), path]
    found = shutil.which(path)
    if found is None:
        raise CommandNotFoundError(f"{who} names {path}, which is not a program. {_WHAT_TO_DO}")
    return _start(found)


def _find_node() -> str:
    node = shutil.which("node")
    if node is None:
        raise CommandNotFoundError("there is no node on the PATH: Thresher needs Node.js 20.19 or later")
    return node


def _start(program: str) -> list[str]:
    """Returns the words that start a program. On Windows, npm writes `thresher.cmd`, a shell script: killing it would
    leave Node.js running, and the shell parses words in its own way. So we start Node.js directly with the command that
    npm installed, next to the script (`-g`) or above it (`node_modules/.bin`)."""
    path = Path(program)
    if path.suffix.lower() != ".cmd":
        return [program]
    for folder in (path.parent / "node_modules", path.parent.parent):
        script = folder / "thresher" / "bin" / "thresher.js"
        if script.is_file():
            return [_find_node(), str(script)]
    return [program]


def check_version(words: Sequence[str]) -> None:
    """Asks the command for its version, once in each process. Raises CommandVersionError if it is older than this
    package, or has a later breaking version: the first number that is not 0 must be the same."""
    key = tuple(words)
    if key in _known:
        return
    try:
        asked = subprocess.run(
            [*words, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=START_SECONDS,
            check=False,
        )
    except OSError as error:
        raise CommandNotFoundError(f"{words[0]} cannot be run: {error}. {_WHAT_TO_DO}") from error
    except subprocess.TimeoutExpired as error:
        raise CommandVersionError(f"{' '.join(words)} --version gave no answer in {START_SECONDS} s") from error
    said = asked.stdout.decode("utf-8", "replace").strip()
    version = _parse(said)
    if asked.returncode != 0:
        tail = asked.stderr.decode("utf-8", "replace").strip()[-300:]
        raise CommandVersionError(f"{' '.join(words)} --version ended with {asked.returncode}:\n{tail}".rstrip(":\n"))
    if version is None:
        raise CommandVersionError(f"{' '.join(words)} --version said {said[:80]!r}: that is not Thresher")
    ours = _parse(__version__)
    assert ours is not None
    breaking = next((at for at, number in enumerate(ours) if number > 0), 2)
    if version < ours or version[: breaking + 1] != ours[: breaking + 1]:
        raise CommandVersionError(
            f"{' '.join(words)} is version {said}, but this package needs {__version__}: install both from one clone"
        )
    _known.add(key)


def _parse(text: str) -> Optional[tuple[int, int, int]]:
    match = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)(?:[-+].*)?", text)
    return None if match is None else (int(match[1]), int(match[2]), int(match[3]))
