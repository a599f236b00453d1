"""Notes of a site copied and brought back: whole or not at all, and nothing lost on the way."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from appliance.core.errors import SiteUnusable
from appliance.core.settings import SiteSettings
from appliance.site import backup as backups
from appliance.site.backup import BEFORE, DAMAGED, backup, check, restore, seal
from appliance.site.database import steps
from appliance.site.gaps_and_feedback import About, Site

LIMITS = SiteSettings(free_mib=1)
OTHER = 4321  # a user and a group that are not these


@pytest.fixture
def site(tmp_path: Path) -> Site:
    made = Site(tmp_path / "codes.db.site", LIMITS)
    for number in range(3):
        say(made, f"question {number}")
    return made


def say(site: Site, question: str) -> None:
    site.add_feedback(About("r", question, (), "v1"), "helpful")


def asked(site: Site) -> set[str]:
    return {row.about.question for row in site.rows("feedback")}


def test_what_was_copied_comes_back_and_what_it_replaces_is_kept(site: Site, tmp_path: Path) -> None:
    before, copy = asked(site), tmp_path / "stick" / "notes"
    copy.parent.mkdir()
    assert backup(site.path, copy, LIMITS)["feedback"] == 3
    assert sorted(path.name for path in copy.parent.iterdir()) == ["notes"], "nothing is left beside it"
    say(site, "said later")
    assert restore(copy, site.path, LIMITS)["feedback"] == 3
    assert asked(site) == before
    kept = Site(site.path.with_name(site.path.name + BEFORE), LIMITS)
    assert asked(kept) == before | {"said later"}
    say(site, "and on")
    assert asked(site) == before | {"and on"}


def test_a_copy_is_taken_and_brought_back_while_others_write(site: Site, tmp_path: Path) -> None:
    other = apsw.Connection(str(site.path))
    assert other.execute("SELECT count(*) FROM feedback").fetchall() == [(3,)]
    copy = tmp_path / "copy"
    backup(site.path, copy, LIMITS)
    say(site, "later")
    restore(copy, site.path, LIMITS)
    assert other.execute("SELECT count(*) FROM feedback").fetchall() == [(3,)], "an open reader sees it"
    other.close()


def test_a_box_without_notes_takes_them_on(site: Site, tmp_path: Path) -> None:
    copy, new = tmp_path / "copy", Site(tmp_path / "new.site", LIMITS)
    backup(site.path, copy, LIMITS)
    restore(copy, new.path, LIMITS)
    assert asked(new) == asked(site)
    assert new.path.stat().st_mode & 0o077 == 0, "for its owner alone"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("there", [False, True])
def test_what_root_brings_back_belongs_to_whom_the_folder_belongs(
    there: bool, site: Site, tmp_path: Path
) -> None:
    copy, folder = tmp_path / "copy", tmp_path / "home"
    backup(site.path, copy, LIMITS)
    folder.mkdir()
    new = Site(folder / "new.site", LIMITS)
    if there:
        say(new, "before")
    for path in (folder, *folder.iterdir()):
        os.chown(path, OTHER, OTHER)
    restore(copy, new.path, LIMITS)
    say(new, "and on")
    owners = {path.name: (path.stat().st_uid, path.stat().st_gid) for path in folder.iterdir()}
    assert new.path.name in owners
    assert set(owners.values()) == {(OTHER, OTHER)}, owners


def test_notes_that_cannot_be_read_make_way_and_are_kept(site: Site, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    backup(site.path, copy, LIMITS)
    for end in ("-wal", "-shm"):
        Path(f"{site.path}{end}").unlink(missing_ok=True)
    site.path.write_bytes(b"no database at all" * 100)
    restore(copy, site.path, LIMITS)
    assert asked(site) == {"question 0", "question 1", "question 2"}
    assert site.path.with_name(site.path.name + DAMAGED).read_bytes().startswith(b"no database")


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _one_bit(at: int | None) -> Callable[[Path], None]:
    """Change a bit of the words of a note, or at a place of the file: SQLite itself sees neither."""

    def spoil(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[content.index(b"question 1") if at is None else at] ^= 1
        path.write_bytes(content)

    return spoil


def _zeroed(content: bytes) -> bytes:
    return content[:4096] + b"\xff" * 4096 + content[8192:]


def _signed(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    """Change what a copy holds, with the right sum over it."""

    def spoil(path: Path) -> None:
        path.write_bytes(change(path.read_bytes().rpartition(b"\nappliance backup")[0]))
        seal(path)

    return spoil


def _told(sql: str, *, fresh: bool = False) -> Callable[[Path], None]:
    """Do something to the database of a copy, or to a fresh one in its place, with the right sum over it."""

    def spoil(path: Path) -> None:
        path.write_bytes(b"" if fresh else path.read_bytes().rpartition(b"\nappliance backup")[0])
        connection = apsw.Connection(str(path))
        connection.execute(sql)
        connection.close()
        seal(path)

    return spoil


CHANGED = "a byte has changed, or its end is missing"


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (Path.unlink, "no such file"),
        (lambda path: path.write_bytes(b""), CHANGED),
        (lambda path: path.write_text("notes"), CHANGED),
        (_truncated, CHANGED),
        (_one_bit(None), CHANGED),
        (_one_bit(-2), CHANGED),
        (_one_bit(70), CHANGED),
        (lambda path: path.write_bytes(path.read_bytes() + b"\n"), CHANGED),
        (lambda path: path.write_bytes(path.read_bytes().rpartition(b"\nappliance")[0]), CHANGED),
        (_signed(_zeroed), "damaged"),
        (_signed(lambda _: b"notes"), "no database"),
        (_told("CREATE TABLE things (x)", fresh=True), "another kind"),
        (_told(f"PRAGMA user_version = {len(steps()) + 1}"), "newer"),
        (_told("DROP TABLE gaps"), "damaged"),
    ],
)
def test_a_spoilt_copy_is_refused_and_the_notes_stay(
    site: Site, tmp_path: Path, spoil: Callable[[Path], object], why: str
) -> None:
    copy, before = tmp_path / "copy", asked(site)
    backup(site.path, copy, LIMITS)
    spoil(copy)
    with pytest.raises(SiteUnusable, match=why):
        check(copy, LIMITS)
    with pytest.raises(SiteUnusable, match=why):
        restore(copy, site.path, LIMITS)
    assert asked(site) == before


def test_a_copy_of_an_older_program_is_brought_up_to_date(site: Site, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    backup(site.path, copy, LIMITS)
    dropped = "".join(f"ALTER TABLE answers DROP COLUMN {name};" for name in ("kept", "note", "noted"))
    _told(
        f"{dropped} DROP TABLE described; DROP TABLE figures; DELETE FROM migrations WHERE step > 2; "
        "PRAGMA user_version = 2"
    )(copy)
    restore(copy, site.path, LIMITS)
    assert len(asked(site)) == 3
    say(site, "on")


def test_a_copy_that_fails_leaves_the_copy_before(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    backup(site.path, copy, LIMITS)
    before = copy.read_bytes()
    say(site, "later")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "_copy", full)
    with pytest.raises(SiteUnusable, match="No space left"):
        backup(site.path, copy, LIMITS)
    assert copy.read_bytes() == before
    with pytest.raises(SiteUnusable):
        restore(copy, site.path, LIMITS)
    assert "later" in asked(site)


def test_where_nothing_was_noted_the_copy_is_empty(tmp_path: Path) -> None:
    notes, copy = tmp_path / "codes.db.site", tmp_path / "copy"
    assert not any(backup(notes, copy, LIMITS).values())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy"]
    assert not any(restore(copy, notes, LIMITS).values())
    say(Site(notes, LIMITS), "later")


def test_nothing_is_copied_onto_itself_or_from_nothing(site: Site, tmp_path: Path) -> None:
    with pytest.raises(SiteUnusable, match=r"no notes yet.*stays as it is"):
        backup(tmp_path / "none", site.path, LIMITS)
    with pytest.raises(SiteUnusable):
        backup(site.path, site.path, LIMITS)
    with pytest.raises(SiteUnusable):
        restore(site.path, site.path, LIMITS)
    with pytest.raises(SiteUnusable):
        backup(site.path, tmp_path / "no" / "folder", LIMITS)
    assert len(asked(site)) == 3
