"""The process that reads characters from pixels, and nothing else: `python -m` this module."""

from __future__ import annotations

import json
import os
import queue
import resource
import signal
import sys
import threading
from typing import IO, Any

import numpy as np

from appliance.core.child import bound

DETECT = 1280  # pixels of the longer side in which lines are looked for
LARGEST = 6000  # pixels of the longer side that are read as they are
LEAST_SCORE = 0.4  # a line read with less is a drawing's
PARAMETERS: dict[str, Any] = {
    "Global.log_level": "critical",
    "Global.use_cls": False,  # scans stand upright; upside-down lines are not text of a code
    "Global.return_word_box": True,
    "Global.return_single_char_box": True,
    "Global.max_side_len": LARGEST,
    "Global.text_score": LEAST_SCORE,
    "Det.limit_type": "max",
    "Det.limit_side_len": DETECT,
    "Rec.rec_batch_num": 1,  # lines read together are all as wide as the widest: one by one is quicker
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}


def main(memory_mib: int, threads: int) -> None:
    """Serve requests until standard input ends."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print is not a reply
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.addaudithook(_refuse)
    bound(resource.RLIMIT_CORE, 0)
    bound(resource.RLIMIT_CPU, resource.RLIM_INFINITY)  # the parent's is inherited; it counts wall time here
    bound(resource.RLIMIT_AS, memory_mib * 1024 * 1024)
    try:
        from rapidocr import RapidOCR  # noqa: PLC0415 - its absence is a reply

        engine = RapidOCR(params={**PARAMETERS, "EngineConfig.onnxruntime.intra_op_num_threads": threads})
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the package is said, not raised
        _say(replies, {"failed": f"{type(error).__name__}: {error}"})
        return
    _say(replies, {"ready": True})
    requests: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    while True:
        _say(replies, _answer(engine, json.loads(requests.get())["file"]))


def _refuse(event: str, _: Any) -> None:
    if event in {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}:
        raise PermissionError("the character recognition may not connect")


def _listen(requests: queue.SimpleQueue[str]) -> None:
    """Queue what is asked; end the process at once, even while it reads a page, when nobody asks."""
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)


def _answer(engine: Any, file: str) -> dict[str, Any]:
    """Return the lines read; of a drawing without words some or all of what is found is None."""
    try:
        pixels = np.load(file, allow_pickle=False)
        found = engine(np.repeat(pixels[:, :, None], 3, axis=2))
        given = (found.boxes, found.txts, found.word_results)
        read = () if any(part is None or not len(part) for part in given) else zip(*given, strict=True)
        return {"lines": [{"box": _corners(box), "words": _words(text, signs)} for box, text, signs in read]}
    except MemoryError:
        return {"failed": "it needs more memory than it may have"}
    except Exception as error:  # noqa: BLE001 - one page that cannot be read is a reply
        return {"failed": f"{type(error).__name__}: {str(error)[:200]}"}


def _words(text: str, letters: Any) -> list[list[Any]]:
    """Return the words of a line from its letters, which come without the spaces of the text."""
    found, at = [], 0
    for word in text.split():
        own, at = letters[at : at + len(word)], at + len(word)
        if "".join(letter for letter, _, _ in own) != word:
            return [
                [letter, round(float(score), 4), _corners(quad), [_middle(quad)]]
                for letter, score, quad in letters
            ]
        corners = _corners([own[0][2][0], own[-1][2][1], own[-1][2][2], own[0][2][3]])
        score = min(float(score) for _, score, _ in own)
        found.append([word, round(score, 4), corners, [_middle(quad) for _, _, quad in own]])
    return found


def _middle(quad: Any) -> float:
    return round(sum(float(x) for x, _ in quad) / len(quad), 1)


def _corners(quad: Any) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in quad]


def _say(replies: IO[str], reply: dict[str, Any]) -> None:
    try:
        replies.write(json.dumps(reply, ensure_ascii=False) + "\n")
        replies.flush()
    except OSError:  # nobody listens any more
        os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
