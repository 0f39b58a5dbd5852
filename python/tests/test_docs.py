"""Runs the examples of docs/python.md, each as its own program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path

from .pages import ROOT

PYTHON = ROOT / "python"


def read_examples() -> list[str]:
    text = (ROOT / "docs" / "python.md").read_text("utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


class DocsTest(unittest.TestCase):
    def test_examples_run(self) -> None:
        examples = read_examples()
        self.assertGreater(len(examples), 3)
        env = {**os.environ, "PYTHONPATH": str(PYTHON / "src")}
        script = "\n".join(examples)
        ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=env, capture_output=True, check=False)
        self.assertEqual((ran.returncode, ran.stderr), (0, b""))
        self.assertIn(b"2 The ferry crossed the bay 2 times a day", ran.stdout)

    @unittest.skipUnless(find_spec("mypy"), "needs python/requirements-test.txt")
    def test_examples_have_types(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "examples.py"
            script.write_text("\n".join(read_examples()), "utf-8")
            words = [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={folder}", str(script)]
            ran = subprocess.run(words, cwd=PYTHON, capture_output=True, check=False)
        self.assertEqual((ran.returncode, ran.stderr), (0, b""), ran.stdout.decode())
