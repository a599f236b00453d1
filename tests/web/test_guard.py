"""Who may ask, how much, and with which code: the rules before every request."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from urllib.parse import urljoin

import pytest
from flask import Flask
from flask.testing import FlaskClient

from appliance.core.errors import BadSettings
from appliance.core.settings import ServeSettings, Settings
from appliance.web import guard
from appliance.web.app import create_app
from tests.web.fake_library import FakeLibrary

LAN = "192.168.4.31"
CODE = "tower-7-kestrel"

HOSTS = [
    ("127.0.0.1", True),
    ("127.0.0.1:8080", True),
    ("192.168.4.20", True),
    ("10.0.0.1:80", True),
    ("[::1]", True),
    ("[2001:db8::7]:8080", True),
    ("localhost", True),
    ("LocalHost:9000", True),
    ("localhost.", True),
    ("box.site", True),
    ("box.site.:8080", True),
    ("", False),
    ("evil.example", False),
    ("box.site.evil.example", False),
    ("evil.example.box.site", False),
    ("xbox.site", False),
    ("127.0.0.1.evil.example", False),
    ("127.0.0.1.nip.example", False),
    ("127.0.0.1@evil.example", False),
    ("127.0.0.1:8080@evil.example", False),
    ("127.0.0.1:8080:9", False),
    ("127.0.0.1:x", False),
    ("127.1", False),
    ("2130706433", False),
    ("0x7f.0.0.1", False),
    ("[::1]evil", False),
    ("[::1", False),
    ("::1", False),
    ("[evil.example]", False),
    ("<script>", False),
    ("localhost/..", False),
    ("box.site evil", False),
]
ORIGINS = [
    ("http://192.168.4.20:8080", True),
    ("https://192.168.4.20:8080", True),
    ("http://192.168.4.20", False),
    ("http://192.168.4.20:8081", False),
    ("http://evil.example", False),
    ("http://192.168.4.20:8080.evil.example", False),
    ("http://192.168.4.20:8080/", False),
    ("http://evil@192.168.4.20:8080", False),
    ("ftp://192.168.4.20:8080", False),
    ("file://", False),
    ("null", False),
    ("", False),
    ("192.168.4.20:8080", False),
]


@pytest.mark.parametrize(("host", "ours"), HOSTS)
def test_only_addresses_and_our_names_are_answered(client: FlaskClient, host: str, ours: bool) -> None:
    response = client.get("/healthz", environ_overrides={"HTTP_HOST": host})
    assert response.status_code == (200 if ours else 421)


@pytest.mark.parametrize(("origin", "ours"), ORIGINS)
def test_only_forms_of_this_very_page_are_taken(client: FlaskClient, origin: str, ours: bool) -> None:
    headers = {"Origin": origin} if origin else {}
    response = client.post("/review", headers=headers, environ_overrides={"HTTP_HOST": "192.168.4.20:8080"})
    assert (response.status_code == 403) is not ours


def test_nothing_on_the_network_administers_the_box(app: Flask) -> None:
    taking = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}
    }
    assert taking == guard.FORMS, "answers, notes, references, the access code: nothing of the box itself"


def test_a_page_image_is_sent_whole_whatever_part_is_asked_for(library: FakeLibrary) -> None:
    name = library.images["SNOW", 1]
    client = create_app(library).test_client()
    whole = client.get(f"/i/{name}", buffered=True)
    part = client.get(f"/i/{name}", headers={"Range": "bytes=10-"}, buffered=True)
    assert (part.status_code, part.data) == (200, whole.data)


def test_one_address_asks_so_often_and_no_other_is_held_back(library: FakeLibrary) -> None:
    client = create_app(library, settings=Settings(serve=ServeSettings(asked_per_second=1))).test_client()

    def asked(address: str, path: str = "/ask?q=snow") -> int:
        return client.get(path, environ_overrides={"REMOTE_ADDR": address}).status_code

    assert [asked(LAN) for _ in range(4)] == [200, 200, 200, 429]
    assert asked(f"::ffff:{LAN}") == 429, "the same address, written otherwise"
    assert asked(LAN, "/saved/none.pdf") == 429, "a PDF is as much work as an answer"
    assert asked("192.168.4.32", "/api/v1/search?q=snow") == 200
    assert asked(LAN, "/d/SNOW") == 200, "reading is not asking"
    assert [asked("127.0.0.1") for _ in range(5)] == [200] * 5, "the box itself"
    refused = client.get("/ask?q=snow", environ_overrides={"REMOTE_ADDR": LAN})
    assert refused.headers["Retry-After"] == "3"


@pytest.fixture
def locked(library: FakeLibrary, tmp_path: Path) -> FlaskClient:
    file = tmp_path / "code"
    file.write_text(f"{CODE}\n", encoding="utf-8")
    return create_app(library, settings=Settings(serve=ServeSettings(access_code_file=file))).test_client()


def enter(client: FlaskClient, code: str, back: str = "", address: str = LAN) -> tuple[int, str]:
    response = client.post(
        "/enter",
        data={"code": code, "back": back},
        headers={"Origin": "http://localhost"},
        environ_overrides={"REMOTE_ADDR": address},
    )
    return response.status_code, response.headers.get("Location", "")


def test_every_page_asks_for_the_code_until_it_was_entered(locked: FlaskClient) -> None:
    rules = [rule for rule in locked.application.url_map.iter_rules() if "GET" in (rule.methods or ())]
    for rule in rules:
        path = rule.build(
            {name: "pdf" if name == "ending" else "1" for name in rule.arguments}, append_unknown=False
        )
        status = locked.get(path[1] if path else "/").status_code
        assert (status == 401) is (rule.endpoint not in guard.OPEN), rule
    page = locked.get("/ask?q=snow")
    assert 'value="/ask?q=snow"' in page.text
    assert "<span>Not confirmed" not in page.text
    assert locked.get("/api/v1/documents").json == {
        "error": {"status": 401, "message": "Enter the access code of this box on its page first."}
    }
    assert enter(locked, CODE, "/ask?q=snow") == (303, "ask?q=snow")
    assert "Not confirmed" in locked.get("/ask?q=snow").text


def test_the_cookie_is_no_code_and_is_kept_from_scripts(
    locked: FlaskClient, library: FakeLibrary, tmp_path: Path
) -> None:
    enter(locked, CODE)
    cookie = locked.get_cookie(guard.COOKIE)
    assert cookie
    assert CODE not in cookie.value
    assert cookie.http_only
    assert cookie.same_site == "Lax"
    changed = tmp_path / "changed"
    changed.write_text("another-code", encoding="utf-8")
    again = create_app(
        library, settings=Settings(serve=ServeSettings(access_code_file=changed))
    ).test_client()
    again.set_cookie(guard.COOKIE, cookie.value)
    assert again.get("/").status_code == 401, "a changed code ends what the old one gave"
    for wrong in ("", "x", cookie.value[:-1], cookie.value + "A", "\u20ac"):
        again.set_cookie(guard.COOKIE, wrong)
        assert again.get("/").status_code == 401


def quick(code: str) -> bytes:
    return hashlib.sha256(code.encode()).digest()


def test_codes_are_tried_at_a_bounded_pace(
    library: FakeLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "key_of", quick)  # slow on purpose: a hundred tries would take seconds
    file = tmp_path / "code"
    file.write_text(f"{CODE}\n", encoding="utf-8")
    locked = create_app(library, settings=Settings(serve=ServeSettings(access_code_file=file))).test_client()
    assert [enter(locked, "wrong-code")[0] for _ in range(6)] == [403] * 5 + [429]
    assert enter(locked, CODE)[0] == 429, "the right one too: else the pace would tell nothing"
    assert enter(locked, CODE, address="192.168.4.99")[0] == 303
    addresses = [f"10.0.0.{number // 5}" for number in range(100)]
    everybody = [enter(locked, "wrong-code", address=address)[0] for address in addresses]
    assert (everybody[95], everybody[96:]) == (403, [429] * 4), "many addresses try no more in all"
    assert enter(locked, CODE, address="10.0.1.1")[0] == 303, "and keep no new device out"


@pytest.mark.parametrize(
    ("back", "leads"),
    [
        ("/ask?q=snow", "/ask?q=snow"),
        ("/d/SNOW/c/5.2(1)?", "/d/SNOW/c/5.2(1)"),
        ("/ask?q=http://x", "/ask?q=http://x"),
        ("", "/"),
        ("/", "/"),
        ("//evil.example/", "/"),
        ("///evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("\\\\evil.example", "/"),
        ("http://evil.example/", "/"),
        ("/http://evil.example/", "/"),
        ("/javascript:alert(1)", "/"),
        ("/d/..//evil.example/", "//evil.example/"),
        ("/a\r\nSet-Cookie: x=1", "/"),
        ("/\tevil", "/"),
    ],
)
def test_the_way_back_stays_on_the_box(back: str, leads: str) -> None:
    found = urljoin("http://box/enter", guard.way_back(back))
    assert found.startswith("http://box/")
    if not leads.startswith("//"):
        assert found == f"http://box{leads}"


@pytest.mark.parametrize("content", [b"", b"short", b"two words here", b"\xff\xfe\xff\xff\xff\xff", None])
def test_a_code_that_keeps_nobody_out_is_no_code(
    library: FakeLibrary, tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "code"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadSettings, match="access_code_file"):
        create_app(library, settings=Settings(serve=ServeSettings(access_code_file=file)))


def test_500_strange_paths_find_nothing_and_break_nothing(client: FlaskClient) -> None:
    chance = random.Random(7)
    starts = [
        "/i/", "/d/", "/d/SNOW/c/", "/d/SNOW/p/", "/d/SNOW/t/", "/static/", "/api/v1/picture/SNOW/",
        "/write/", "/",
    ]  # fmt: skip
    pieces = [
        "..", "../..", "%2e%2e", "%2e%2e%2f", "..%5c", "\\..\\", "%00", "%ff", "%c0%ae", "etc/passwd", "//",
        "/./", "C:", "\\\\host\\share", "con", "~", "%0d%0aX:1", "𝟓", "%", "?", "#", "%25%32%65",
        "x" * 300,
        "*", "|", "-1", "9" * 20, "file:///etc/passwd", "{{7*7}}", "${7}", "'", '"', "<b>",
        "\u202e", "\ud7ff",
    ]  # fmt: skip
    found = set()
    for _ in range(500):
        path = chance.choice(starts) + "/".join(chance.choices(pieces, k=chance.randint(1, 4)))
        response = client.get(path)
        found.add(response.status_code)
        assert response.status_code in {200, 302, 308, 400, 404, 405}, path
        assert b"root:" not in response.data
        assert b"Traceback" not in response.data
    assert 404 in found


def test_every_reply_carries_the_headers_and_an_id_of_its_own(client: FlaskClient) -> None:
    paths = ("/", "/nothing", "/ask?q=crash", "/healthz", "/static/none.js", "/health", "/figures")
    replies = [client.get(path) for path in paths]
    for reply in replies:
        for name in guard.HEADERS:
            assert name in reply.headers
    assert len({reply.headers["X-Request-Id"] for reply in replies}) == len(paths)
