"""Which program runs: the one that a bundle brought to the home of a box, else the one installed here."""

from __future__ import annotations

import hashlib
import json
import os
import runpy
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

NEEDED = ("cx16", "popcnt", "sse4_1", "sse4_2", "ssse3")  # x86-64-v2, as install.sh looks for them
FASTER = "avx2"
CPUINFO = Path("/proc/cpuinfo")
_ENOUGH = 1 << 14  # bytes: the first processor of many


def features(cpuinfo: Path = CPUINFO) -> frozenset[str]:
    """Return what the kernel says that an x86 processor can do; empty where it says nothing."""
    try:
        with cpuinfo.open("rb") as file:
            lines = file.read(_ENOUGH).decode(errors="replace").splitlines()
    except OSError:
        return frozenset()
    for line in lines:
        name, colon, words = line.partition(":")
        if colon and name.strip() == "flags":
            return frozenset(words.split())
    return frozenset()


def refusal(found: Collection[str]) -> str:
    """Return the sentence with which a processor of these features is refused, "" for none."""
    missing = [name for name in NEEDED if name not in found] if found else []
    if not missing:
        return ""
    return (
        f"This processor is too old for the program: it lacks {', '.join(missing)}. "
        "Use a machine with any x86-64 processor made since about 2011."
    )


PROGRAM = "program"  # the folder of a generation
CHOSEN = "APPLIANCE_PROGRAM"  # the program in use; set by this module, or "base" by a person
BASE = "base"
LISTENER = 3  # number of the first file that is handed over
SEAL = "sha256"  # in a pointer: of all that it says besides
_PATHS = "PYTHONPATH"


def main() -> None:
    """Run the command line of the program that is due."""
    if why := refusal(features()):
        sys.stderr.write(f"appliance: {why}\n")
        sys.exit(2)
    if CHOSEN not in os.environ:
        folder = generation(home_named(sys.argv[1:], os.environ))
        if folder is not None and (folder / PROGRAM).is_dir():
            start(sys.argv[1:], environment(folder, os.environ))
    runpy.run_module("appliance.cli", run_name="__main__")  # by name: what runs is chosen first


def start(arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    """Become the program of an environment."""
    os.execve(sys.executable, [sys.executable, "-P", "-m", "appliance.cli", *arguments], dict(environ))  # noqa: S606 - this interpreter


def again(arguments: Sequence[str], listener: int) -> None:
    """Become the program that is due now, with its library; where a person chose one, that one again.

    It is handed the socket as a service manager does it (sd_listen_fds(3)); what is asked meanwhile waits.
    """
    kept = without(os.environ) if os.environ.get(CHOSEN) != BASE else dict(os.environ)
    os.dup2(listener, LISTENER, inheritable=True)
    kept |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
    os.execve(sys.executable, [sys.executable, "-P", "-m", "appliance.launch", *arguments], kept)  # noqa: S606 - idem


def environment(folder: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment in which the program of a generation runs, else the installed one."""
    kept, program = without(environ), folder / PROGRAM
    if not program.is_dir():
        return kept | {CHOSEN: BASE}
    paths = [str(program), *filter(None, [kept.get(_PATHS)])]
    set_ = {"PYTHONSAFEPATH": "1", "PYTHONDONTWRITEBYTECODE": "1"}  # only what was signed is run
    return kept | set_ | {_PATHS: os.pathsep.join(paths), CHOSEN: str(program)}


def without(environ: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without the program of a generation."""
    chosen = environ.get(CHOSEN, "")
    kept = {name: value for name, value in environ.items() if name != CHOSEN}
    paths = [path for path in kept.pop(_PATHS, "").split(os.pathsep) if path and path != chosen]
    return kept | ({_PATHS: os.pathsep.join(paths)} if paths else {})


def home_named(arguments: Sequence[str], environ: Mapping[str, str]) -> Path | None:
    """Return the home that a command line or the environment names, None for none."""
    for place, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name in {"--home", "--library"}:
            return Path(value if equals else "".join(arguments[place + 1 : place + 2]))
    named = environ.get("APPLIANCE_HOME") or environ.get("APPLIANCE_LIBRARY")
    return Path(named) if named else None


def seal(said: Mapping[str, Any]) -> str:
    """Return the sha256 of what a pointer says, by which a changed byte of it is known."""
    plain = json.dumps({name: value for name, value in said.items() if name != SEAL}, sort_keys=True)
    return hashlib.sha256(plain.encode()).hexdigest()


def generation(home: Path | None) -> Path | None:
    """Return the folder of the generation that a home serves, None where that cannot be told."""
    for name in ("state.json", "state.bak") if home else ():
        try:
            said = json.loads((Path(home or "") / name).read_bytes())
            current = said["current"]
            if said.get(SEAL) != seal(said):
                continue
            if isinstance(current, str) and current and "/" not in current:
                return Path(home or "").absolute() / "gen" / current
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
    return None


if __name__ == "__main__":
    main()
