# ruff: noqa: INP001, T201 - a script that prints
"""Prove what a wheel of llama-cpp-python can run on: for which processors, and that it starts.

    python scripts/image/check_llama.py WHEEL
    python scripts/image/check_llama.py WHEEL --model TINY.gguf --python PYTHON --cpu Nehalem --cpu Haswell

The first form looks into the wheel: one library for each kind of processor, each of which scores itself
(`ggml_backend_score`) and can be opened (`ggml_backend_init`), none of which needs a library that a bare
Debian lacks, and no arithmetic in the libraries that are always loaded. The second unpacks it and lets a
model say a few tokens under processors that qemu-user imitates; which library was taken is read from the
memory map. PYTHON is one that has numpy, jinja2, diskcache and typing-extensions.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

LIBRARIES = "llama_cpp/lib/"
KIND = LIBRARIES + "libggml-cpu-"
SYMBOLS = (b"ggml_backend_score", b"ggml_backend_init")
LEAST = frozenset(
    {"x64", "sse42", "sandybridge", "haswell", "alderlake", "icelake", "zen4", "sapphirerapids"}
)
FOREIGN = (b"libgomp.so", b"libomp.so", b"libiomp5.so", b"libcurl", b"libopenblas")
ENVELOPE = "qemu-x86_64"

# Under the imitated processor: greedy tokens of a model, and which library did the sums.
SAY = """
import ctypes, sys
from pathlib import Path
import llama_cpp
folder = Path(llama_cpp.__file__).parent / "lib"
ggml = ctypes.CDLL(str(folder / "libggml.so"))
ggml.ggml_backend_load_all_from_path.argtypes = [ctypes.c_char_p]
ggml.ggml_backend_load_all_from_path(str(folder).encode())
llama = llama_cpp.Llama(sys.argv[1], n_ctx=64, n_threads=1, verbose=False)
tokens = llama.tokenize(b"snow load shall be")
said = []
for token in llama.generate(tokens, temp=0.0):
    said.append(token)
    if len(said) == 6:
        break
lines = Path("/proc/self/maps").read_text().splitlines()
maps = {line.split("/")[-1].strip() for line in lines if "/" in line}
used = sorted(name for name in maps if name.startswith("libggml-cpu-"))
print(f"{len(said)} tokens {said} with {', '.join(used)}")
"""


def kinds(wheel: Path) -> dict[str, int]:
    """Return the kinds of processors of a wheel with the bytes of each; exits where one is unfit."""
    found = {}
    with zipfile.ZipFile(wheel) as archive:
        for item in archive.infolist():
            if not item.filename.startswith(LIBRARIES) or not item.filename.endswith(".so"):
                continue
            content = archive.read(item)
            foreign = [name.decode() for name in FOREIGN if name in content]
            if foreign:
                sys.exit(f"{item.filename} needs {', '.join(foreign)}, which a bare Debian lacks.")
            if item.filename.startswith(KIND):
                missing = [name.decode() for name in SYMBOLS if name not in content]
                if missing:
                    sys.exit(f"{item.filename} has no {', '.join(missing)}.")
                found[item.filename.removeprefix(KIND).removesuffix(".so")] = item.file_size
    return found


def say(folder: Path, model: Path, python: Path, cpu: str) -> str:
    """Return what a model says under an imitated processor; exits where it does not start."""
    command = [ENVELOPE, "-cpu", cpu, str(python), "-c", SAY, str(model)]
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - the command is fixed
    if done.returncode:
        sys.exit(f"{cpu}: it does not start ({done.returncode}).\n{done.stderr[-2000:]}")
    return done.stdout.strip()


def main() -> None:
    """Look into the wheel, and where a model is named let it speak."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument(
        "--model", type=Path, help="a GGUF file; a tiny one: python -m tests.gguf_maker OUT.gguf"
    )
    parser.add_argument("--python", type=Path, default=Path(sys.executable))
    parser.add_argument(
        "--cpu", action="append", help="a processor of qemu-user (may be given several times)"
    )
    given = parser.parse_args()
    found = kinds(given.wheel)
    for name, size in sorted(found.items()):
        print(f"{size / 2**20:6.2f} MiB  {name}")
    if missing := LEAST - set(found):
        sys.exit(f"Nothing is in the wheel for {', '.join(sorted(missing))}.")
    if not given.model:
        return
    if not shutil.which(ENVELOPE):
        sys.exit(f"{ENVELOPE} is missing. Install it: apt-get install qemu-user")
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(given.wheel) as archive:
            archive.extractall(folder)
        for cpu in given.cpu or ["Nehalem"]:
            print(f"{cpu}: {say(Path(folder), given.model, given.python, cpu)}", flush=True)


if __name__ == "__main__":
    main()
