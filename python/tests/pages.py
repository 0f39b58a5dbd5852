"""Reads the fixtures of the clone, and writes programs that act as the command."""

from __future__ import annotations

import shutil
import stat
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures" / "pages"
SENTENCE = "The boards were dry when I bought them, but the workshop was not, and so they moved."


def html(slug: str = "qa-en") -> str:
    return (FIXTURES / slug / "source.html").read_text("utf-8")


def slugs(count: int) -> list[str]:
    """Pages of different sizes in UTF-8, in an order that does not change."""
    found = []
    for folder in sorted(FIXTURES.iterdir()):
        try:
            html(folder.name)
        except (UnicodeDecodeError, OSError):
            continue
        found.append(folder.name)
    return found[:count]


def write_program(test: unittest.TestCase, text: str) -> str:
    """Writes a shell program into its own folder, which is removed after the test."""
    folder = tempfile.mkdtemp()
    test.addCleanup(shutil.rmtree, folder)
    path = Path(folder) / "program"
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(stat.S_IRWXU)
    return str(path)
