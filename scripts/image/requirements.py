# ruff: noqa: INP001, T201 - a script that prints
"""Requirements files with hashes, as the making of a bundle needs them.

    python scripts/image/requirements.py requirements/run.txt
    python scripts/image/requirements.py requirements/dev.txt --only diskcache,jinja2 --beside run.txt
    python scripts/image/requirements.py --of dist/wheels

Rules of this script: standard library and pip's own parser of markers only. The first form prints the
requirements whose marker holds on a box (Linux, x86-64, Python 3.11), the second those of the named packages
that another file does not have, the third one line for each wheel of a folder with its SHA-256.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name, parse_wheel_filename

BOX = {
    "os_name": "posix",
    "sys_platform": "linux",
    "platform_system": "Linux",
    "platform_machine": "x86_64",
    "python_version": "3.11",
    "python_full_version": "3.11.2",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
}


def blocks(text: str) -> Iterator[tuple[Requirement, str]]:
    """Yield each requirement with its lines, hashes included."""
    for block in re.split(r"\n(?=[A-Za-z0-9])", text):
        lines = [line for line in block.splitlines() if line and not line.lstrip().startswith("#")]
        if lines:
            said = " ".join(line.strip().rstrip("\\").strip() for line in lines)
            yield Requirement(re.sub(r"\s--hash=\S+", "", said).strip()), "\n".join(lines)


def on_a_box(text: str) -> dict[str, str]:
    """Return the lines of each requirement that holds on a box, by canonical name."""
    return {
        canonicalize_name(needed.name): lines
        for needed, lines in blocks(text)
        if needed.marker is None or needed.marker.evaluate(BOX)
    }


def of_wheels(paths: Iterable[Path]) -> Iterator[str]:
    """Yield a requirement with its hash for each wheel; that of pip is for installing the others."""
    for path in sorted(paths):
        name, version, _, _ = parse_wheel_filename(path.name)
        if name != "pip":
            yield f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def main() -> None:
    """Print what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", help="a requirements file with hashes")
    parser.add_argument("--only", help="names, with commas between them")
    parser.add_argument("--beside", type=Path, help="a file whose requirements are left out")
    parser.add_argument("--of", type=Path, help="a folder of wheels")
    chosen = parser.parse_args()
    if chosen.of:
        print("\n".join(of_wheels(chosen.of.glob("*.whl"))))
        return
    if not chosen.file:
        parser.error("name a requirements file, or a folder of wheels with --of")
    found = on_a_box(chosen.file.read_text(encoding="utf-8"))
    names = {canonicalize_name(name) for name in chosen.only.split(",")} if chosen.only else set(found)
    if absent := names - set(found):
        sys.exit(f"{chosen.file} does not have {', '.join(sorted(absent))}.")
    names -= set(on_a_box(chosen.beside.read_text(encoding="utf-8"))) if chosen.beside else set()
    print("\n".join(found[name] for name in sorted(names)))


if __name__ == "__main__":
    main()
