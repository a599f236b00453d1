"""Declared types asked for by several threads at once, for the first time."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import appliance

# Types made anew in each round, for what is known of a type is found out once; each with types within.
PROGRAM = """
import sys, threading, types
import msgspec
from appliance.core.decoding import convert, decode

FIELDS = "".join(f"    f{i}: dict[str, tuple[int, ...]]\\n" for i in range(20))
SOURCE = "from __future__ import annotations\\nfrom msgspec import Struct\\n"
SOURCE += "".join(f"class Part{n}(Struct):\\n{FIELDS}" for n in range(3))
SOURCE += "class Whole(Struct):\\n" + "".join(f"    p{n}: Part{n}\\n" for n in range(3))
DATA = {f"p{n}": {f"f{i}": {"a": [1]} for i in range(20)} for n in range(3)}
TEXT = msgspec.json.encode(DATA)

def work(kind, number, ready):
    ready.wait()
    convert(DATA, kind) if number % 2 else decode(TEXT, kind)

sys.setswitchinterval(1e-6)
for number in range(40):
    module = sys.modules[f"made{number}"] = types.ModuleType(f"made{number}")
    exec(SOURCE, module.__dict__)
    ready = threading.Barrier(4)
    threads = [threading.Thread(target=work, args=(module.Whole, n, ready)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_threads_that_ask_for_a_type_at_once_do_not_end_the_process() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], check=False, timeout=300)
    assert ended.returncode == 0  # with msgspec alone it ends with a segmentation fault


def test_types_are_decoded_nowhere_else() -> None:
    found = []
    for path in Path(appliance.__path__[0]).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "msgspec" not in text or path.name == "decoding.py":
            continue  # most do not: no need to parse them
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                typed = {keyword.arg for keyword in node.keywords} & {"type"}
                called = ast.unparse(node.func)
                if called == "msgspec.convert" or (
                    called.startswith("msgspec.") and called.endswith(".decode") and typed
                ):
                    found.append(f"{path.name}:{node.lineno}")
    assert not found, "appliance.core.decoding does it one thread at a time"
