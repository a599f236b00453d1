"""An invented regulation of five levels, as pages of a site: acronyms, a table, one very long section."""

from __future__ import annotations

SECTION_CHARACTERS = 113_000
TITLE, DIVISION, CHAPTER = "Title 5 Waterside structures", "Division 1 Harbours", "Chapter 2 Mooring"
ARTICLES = {
    3: ("Loads on moorings", (5301, 5302, 5303)),
    4: ("Fenders", (5401, 5402)),
}
PLACE = "title-5/division-1/chapter-2"
BODIES = {
    5301: "<p>This article applies to each berth under the Harbour Works Administration (HWA). A berth that"
    " the HWA has listed as temporary is exempt.</p>",
    5302: "<p>The mooring load of a vessel shall be taken from Table 5302-1. Where the wind exceeds 20 m/s,"
    " the load shall be raised as in Section 5303.</p><table><caption>Table 5302-1 Mooring loads</caption>"
    "<tr><th rowspan=2>Class of vessel</th><th colspan=2>Mooring load (kN)</th></tr>"
    "<tr><th>sheltered berth</th><th>open berth</th></tr>{rows}</table>",
    5401: "<p>A fender shall absorb the energy of a vessel that berths at 0.3 m/s. The load is that of"
    " Section 5302.</p>",
    5402: "<p>The space between fenders shall not exceed 12 m.</p>",
}
ROWS = "".join(
    f"<tr><td>Class {n}</td><td>{100 + 5 * n}</td><td>{150 + 7 * n}</td></tr>" for n in range(1, 61)
)


def long_section(characters: int = SECTION_CHARACTERS) -> str:
    """Return the paragraphs of a section that is far longer than a page."""
    paragraphs: list[str] = []
    while sum(map(len, paragraphs)) < characters:
        n = len(paragraphs) + 1
        paragraphs.append(
            f"<p>({n}) A bollard of group {n} shall be tested at {40 + n} kN before it is used, and its"
            f" record shall be kept by the HWA for {n} months. A bollard that has moved by more than {n} mm"
            " shall be taken out of service until it has been fixed again and tested as before.</p>"
        )
    return "".join(paragraphs)


def pages() -> dict[str, dict[str, object]]:
    """Return the data of each page by its path below the code: title, body and links."""
    made: dict[str, dict[str, object]] = {}
    up, path = [TITLE, DIVISION, CHAPTER], ""
    for depth, name in enumerate(("title-5", "division-1", "chapter-2")):
        path += f"{name}/"
        following = ("division-1/", "chapter-2/")[depth : depth + 1] or [f"article-{n}/" for n in ARTICLES]
        links = [f"/code/{path}{one}" for one in following]
        made[path] = {"title": up[depth], "body": headed(up[: depth + 1]), "links": links}
    for number, (name, sections) in ARTICLES.items():
        article = [*up, f"Article {number} {name}"]
        below = [f"/code/{path}article-{number}/section-{section}" for section in sections]
        made[f"{path}article-{number}/"] = {"title": article[-1], "body": headed(article), "links": below}
        for section, address in zip(sections, below, strict=True):
            body = long_section() if section == 5303 else BODIES[section].replace("{rows}", ROWS)
            title = f"Section {section}"
            told = headed([*article, title]) + body
            made[address.removeprefix("/code/")] = {"title": title, "body": told, "links": ["/code/"]}
    return made


def headed(names: list[str]) -> str:
    """Return the headings of the levels above a page, as its site prints them."""
    return "".join(f"<h{n}>{name}</h{n}>" for n, name in enumerate(names, 1))
