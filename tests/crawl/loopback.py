"""A site of regulations on loopback whose tree is made by script; it is slow, loops and fails at times."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR
from urllib.parse import parse_qs, urlsplit

SHELL = """<!doctype html><title>Code</title><style>.menu{display:none}</style><main id=main>Loading</main>
<div class=menu>Only in the menu</div><noscript>Switch scripts on</noscript><script>
fetch("/data" + location.pathname + location.search).then((answer) => answer.json()).then((page) => {
  document.title = page.title;
  main.innerHTML = "<h1 id=top></h1>" + page.body
    + page.links.map((to) => `<p><a href="${to}">${to.includes("loop") ? "next" : to}</a></p>`).join("");
  main.firstChild.textContent = page.title;
});</script>"""
TABLE = (
    "<table><caption>Table 1 - Loads</caption><tr><th>Zone</th><th>Load (kN/m2)</th></tr>"
    "<tr><td>A</td><td>1.5</td></tr><tr><td>B</td><td>2.0</td></tr></table>"
)


class Site:
    """What the site holds: `chapters` of `sections`, listed on pages of ten; counters of what was asked."""

    def __init__(self, pdf: bytes, chapters: int = 2, sections: int = 4) -> None:
        self.pdf, self.chapters, self.sections = pdf, chapters, sections
        self.asked: Counter[str] = Counter()
        self.sent: Counter[str] = Counter()  # whole answers, not 304
        self.edition: dict[str, str] = {}  # by path, where it is another than the first
        self.failing: dict[str, list[int]] = {}  # by path: answers before the right one, 0 for none
        self.removed: set[str] = set()
        self.slow = 0.0
        self.odd: dict[str, tuple[int, bytes, dict[str, str]]] = {}  # whole answers, by path
        self.hooks: dict[str, Callable[[], object]] = {}  # called when a path is asked for
        self.others: dict[str, dict[str, object]] = {}  # pages by path below the code, with their data

    def page(self, path: str, query: dict[str, list[str]]) -> dict[str, object] | None:
        """Return the data of one page."""
        parts = path.strip("/").split("/")
        if path in self.removed or parts[0] != "code":
            return None
        if other := self.others.get(path.removeprefix("/code/")):
            return other
        if len(parts) == 1:
            links = [f"/code/{n}/" for n in range(1, self.chapters + 1)]
            more = ["/code/code.pdf", "/elsewhere/", "/code/private/", "/code/loop?n=1", "mailto:a@b.example"]
            return {"title": "The code", "body": "<p>All titles.</p>", "links": [*links, *more]}
        if parts[1] == "loop":
            following = int(query["n"][0]) + 1
            return {"title": "For ever", "body": "<p>The same.</p>", "links": [f"/code/loop?n={following}"]}
        if len(parts) == 2:
            first = 10 * int(query.get("page", ["0"])[0])
            shown = range(first + 1, min(first + 10, self.sections) + 1)
            after = [f"/code/{parts[1]}/?page={first // 10 + 1}"] if first + 10 < self.sections else []
            links = [*(f"/code/{parts[1]}/{n}" for n in shown), *after, "/code/"]
            return {"title": f"Chapter {parts[1]}", "body": "", "links": links}
        number = f"{parts[1]}.{parts[2]}"
        told = self.edition.get(path, f"The load shall be at least {number} kN/m2.")
        body = f"<h2 id=s{number}>{number} Loads</h2><p>{told}</p>{TABLE}"
        return {"title": f"Section {number}", "body": body, "links": [f"/code/{parts[1]}/"]}


@contextmanager
def served(site: Site) -> Iterator[str]:  # noqa: C901 - what each path answers
    """Serve a site; yield the address of its code."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            site.asked[self.path] += 1
            time.sleep(site.slow)
            site.hooks.get(self.path, int)()
            if self.path in site.odd:
                status, body, headers = site.odd[self.path]
                self.answer(status, body, "text/html", headers)
            elif site.failing.get(self.path):
                status = site.failing[self.path].pop(0)
                if not status:
                    self.connection.shutdown(SHUT_RDWR)
                    return
                self.answer(status, b"", "text/plain", {"Retry-After": "0"} if status == 429 else {})
            elif self.path == "/robots.txt":
                self.answer(200, b"User-agent: *\nDisallow: /code/private/\n", "text/plain")
            elif parts.path == "/code/code.pdf":
                self.answer(
                    200, site.pdf, "application/pdf", {"Last-Modified": "Sun, 22 Nov 2026 00:00:00 GMT"}
                )
            elif parts.path.startswith("/data/"):
                data = site.page(parts.path.removeprefix("/data"), parse_qs(parts.query))
                self.answer(200 if data else 404, json.dumps(data).encode(), "application/json")
            elif site.page(parts.path, parse_qs(parts.query)) is not None:
                self.answer(200, SHELL.encode(), "text/html")
            else:
                self.answer(404, b"no such page", "text/html")

        def answer(self, status: int, body: bytes, kind: str, more: dict[str, str] | None = None) -> None:
            mark = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            unchanged = status == 200 and self.headers.get("If-None-Match") == mark
            if not unchanged:
                site.sent[self.path] += 1
            self.send_response(304 if unchanged else status)
            for name, value in {"Content-Type": kind, "ETag": mark, **(more or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0" if unchanged else str(len(body)))
            with suppress(ConnectionError):  # of a crawl that was killed
                self.end_headers()
                self.wfile.write(b"" if unchanged else body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/code/"
    finally:
        server.shutdown()
        server.server_close()
