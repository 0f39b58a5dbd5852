"""The examples of docs/python.md, each as a program of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unittest

from .pages import ROOT


class DocsTest(unittest.TestCase):
    def test_examples_run(self) -> None:
        text = (ROOT / "docs" / "python.md").read_text("utf-8")
        examples = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(examples), 3)
        env = {**os.environ, "PYTHONPATH": str(ROOT / "python" / "src")}
        script = "\n".join(examples)
        ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=env, capture_output=True, check=False)
        self.assertEqual((ran.returncode, ran.stderr), (0, b""))
        self.assertIn(b"2 The ferry crossed the bay 2 times a day", ran.stdout)
