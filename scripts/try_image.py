# ruff: noqa: INP001, T201 - a script that prints
"""Boot the disk of a box in qemu, from the bare image to an updated box whose power was cut on the way.

    python scripts/try_image.py --image dist/codes-0.1.0-amd64.img --update next/CODES-UPDATE

What it does, each step with the seconds it took and a picture of the screen: the first start until the page
is served; the page fetched through a forwarded port with the access code that the screen shows; a stick
plugged in while the box runs (a FAT disk on USB with the bundle); the update read and agreed to at the
screen, over the serial line, which shows the same; power cut in the middle (qemu is killed); a second
start, which must serve the old version or the new one; the update brought to its end. What the serial
line said is kept beside the pictures (line.txt).

Rules of this script: standard library, qemu-system-x86, mtools, dosfstools; every step waits for what is said
or served, its patience is only a limit. The machine is imitated (TCG),
so it needs no rights and shows no speed: minutes of it are seconds of a box. So the copy of the image gets
longer limits before it starts (SLOW, as `build_image.sh --settings` gives them) and keeps its journal on the
disk; nothing else in it is touched (with --as-it-is not even that). Its processor is a Nehalem of 2008
unless --cpu says otherwise, without AVX. What the guest had not written when qemu is killed is lost, what
it had is kept: a cut wire, but not a disk that lies about what it has written.
"""

from __future__ import annotations

import argparse
import http.client
import http.cookiejar
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

BEGIN = time.monotonic()
SERIAL_CODE = rb"Access code: (\w{6,})\W"  # whole: what stands after it has come too
TOOLS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "mkfs.vfat": "dosfstools",
    "mcopy": "mtools",
    "debugfs": "e2fsprogs",
}
EVENT = re.compile(r"\d+ +\d{4}-\d\d-\d\dT.*")  # a line of the log of updates
WRITTEN = 4000  # bytes of the picture of a screen with words on it
SYSTEM_AT = 50 << 20  # where the system begins in an image (scripts/image/disk.sh)
SLOW = {  # for a machine that is imitated, as files of its system: limits, and a journal that outlasts it
    "/usr/share/codes/settings.toml": "[update]\ntrial_seconds = 3600\nserver_seconds = 3600\n\n"
    "[search]\nquery_seconds = 120\n",
    "/etc/systemd/journald.conf.d/kept.conf": "[Journal]\nStorage=persistent\nSyncIntervalSec=5s\n",
    "/etc/systemd/system/codes.service.d/slow.conf": "[Service]\nWatchdogSec=15min\nTimeoutStartSec=2h\n",
    "/etc/systemd/system/codes-first-boot.service.d/slow.conf": "[Service]\nTimeoutStartSec=2h\n",
    "/etc/systemd/system/codes-resume.service.d/slow.conf": "[Service]\nTimeoutStartSec=2h\n",
}


def told(words: str) -> None:
    """Print what happened, with the seconds since the beginning."""
    print(f"{time.monotonic() - BEGIN:7.0f} s  {words}", flush=True)


class Machine:
    """A machine that is imitated; ends with its power cut."""

    def __init__(self, folder: Path, disk: Path, given: argparse.Namespace) -> None:
        self.folder, self.port = folder, given.port
        self.heard, self.kept = b"", given.screens / "line.txt"
        command = [
            "qemu-system-x86_64", "-accel", given.accel, "-cpu", given.cpu, "-smp", "2", "-m", "2048",
            "-display", "none", "-vga", "std", "-no-reboot",
            "-drive", f"file={disk},format=raw,if=virtio",
            "-netdev", f"user,id=lan,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:80",
            "-device", "virtio-net-pci,netdev=lan", "-device", "qemu-xhci,id=usb",
            "-chardev", f"socket,id=line,path={folder}/line,server=on,wait=off", "-serial", "chardev:line",
            "-qmp", f"unix:{folder}/qmp,server=on,wait=off",
        ]  # fmt: skip
        for name in ("line", "qmp"):
            (folder / name).unlink(missing_ok=True)
        if given.uefi:
            command += ["-machine", "q35", "-drive", f"if=pflash,format=raw,readonly=on,file={given.uefi}"]
            command += ["-drive", f"if=pflash,format=raw,file={variables(folder, given.uefi)}"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - the command is fixed
        self.qmp, self.line = self._connected("qmp"), self._connected("line")
        self._ask_file = self.qmp.makefile("rw")
        self._ask_file.readline()
        self.ask("qmp_capabilities")

    def ask(self, command: str, **arguments: Any) -> Any:
        """Give qemu an order, and return its answer."""
        self._ask_file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self._ask_file.flush()
        while True:
            answer = json.loads(self._ask_file.readline())
            if "error" in answer:
                sys.exit(f"qemu: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    def plug_in(self, disk: Path) -> None:
        """Plug in a stick."""
        self.ask("blockdev-add", driver="raw", **{"node-name": "stick", "read-only": True,
                 "file": {"driver": "file", "filename": str(disk), "read-only": True}})  # fmt: skip
        self.ask("device_add", driver="usb-storage", id="stick0", drive="stick", removable=True)

    def picture(self, file: Path, seconds: float = 300) -> None:
        """Save what is on the screen as PNG, as soon as more is on it than the loader said."""
        end = time.monotonic() + seconds
        while True:
            self.ask("screendump", filename=str(file), format="png")
            if file.stat().st_size > WRITTEN or time.monotonic() > end:
                return
            time.sleep(5)

    def press(self, *keys: str) -> None:
        """Press keys of the keyboard, for the screen that is no serial line."""
        for key in keys:
            self.ask("send-key", keys=[{"type": "qcode", "data": key}])

    def picture_of_another(self, file: Path, than: Path | None = None, seconds: float = 1800) -> None:
        """Save what is on the screen as soon as it is another and has stood still for two looks.

        Another than on a picture, or than now. A screen that was cleared for what comes is none.
        """
        self.ask("screendump", filename=str(file), format="png")
        now, end = [(than or file).read_bytes()], time.monotonic() + seconds
        while now[-1] == now[0] or now[-1] != now[-2] or len(now[-1]) <= WRITTEN:
            if time.monotonic() > end:
                sys.exit(f"Nothing else has come to the screen in {seconds:.0f} s.")
            time.sleep(10)
            self.ask("screendump", filename=str(file), format="png")
            now.append(file.read_bytes())

    def cut(self) -> None:
        """Cut the power."""
        self.process.kill()
        self.process.wait()

    def type(self, words: str) -> None:
        """Type a line at the serial line."""
        self.line.sendall(words.encode() + b"\n")

    def hear(self, pattern: bytes, seconds: float) -> re.Match[bytes]:
        """Wait until the serial line says something, and forget what it said up to there."""
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.heard)):
            if time.monotonic() > end or self.process.poll() is not None:
                sys.exit(f"The box has not said {pattern!r}. The last that it said: {self.heard[-1500:]!r}")
            self._listen()
        self.heard = self.heard[found.end() :]
        return found

    def log_and_version(self, seconds: float) -> tuple[list[str], int]:
        """Read the log of updates at the screen, then what the screen, drawn anew, says is served."""
        self.heard = b""
        self.type("l")
        log = self.hear(rb"(?s)(.*)Enter to go on", seconds).group(1).decode(errors="replace")
        self.type("")
        served = int(self.hear(rb"Serves version (\d+)\s", seconds).group(1))
        events = (EVENT.search(line) for line in log.splitlines())
        return [" ".join(event.group().split()) for event in events if event], served

    def _listen(self) -> None:
        self.line.settimeout(5)
        with suppress(TimeoutError):
            more = self.line.recv(65536)
            self.heard += more
            with self.kept.open("ab") as file:
                file.write(more)

    def wait_for_page(self, seconds: float) -> dict[str, Any]:
        """Return what /healthz says as soon as it says anything."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=60) as page:
                    found: dict[str, Any] = json.load(page)
                    return found
            except (OSError, ValueError):
                time.sleep(3)
        sys.exit(f"The page is not served. The last that the box said: {self.heard[-1500:]!r}")

    def _connected(self, name: str) -> socket.socket:
        found = socket.socket(socket.AF_UNIX)
        for _ in range(100):
            try:
                found.connect(str(self.folder / name))
            except OSError:
                time.sleep(0.1)
            else:
                return found
        sys.exit("qemu did not start.")


class Reader:
    """Somebody who reads the page in a browser: cookies, the access code once."""

    def __init__(self, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self.jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def enter(self, code: str) -> None:
        """Enter the access code."""
        self.get("/enter", urllib.parse.urlencode({"code": code}).encode())

    def get(self, path: str, form: bytes | None = None) -> str:
        """Return a page; tries again for as long as the box is too busy."""
        request = urllib.request.Request(self.base + path, form, {"Origin": self.base} if form else {})  # noqa: S310 - http, this machine
        for _ in range(20):
            try:
                with self._opener.open(request, timeout=300) as page:
                    return str(page.read().decode())
            except urllib.error.HTTPError as error:
                if error.code != 503:
                    sys.exit(f"{path}: {error.code} {error.reason}")
            except (OSError, http.client.HTTPException) as error:
                told(f"{path}: {error!r}, asked again")
            time.sleep(5)
        sys.exit(f"{path}: no answer")


def variables(folder: Path, firmware: Path) -> Path:
    """Return where a firmware keeps its variables from one start to the next."""
    kept = folder / "variables"
    if not kept.exists():
        shutil.copyfile(firmware.with_name(firmware.name.replace("CODE", "VARS")), kept)
    return kept


def make_stick(folder: Path, bundle: Path) -> Path:
    """Return the file of a FAT disk that holds the folder of a bundle."""
    stick = folder / "stick.img"
    size = sum(file.stat().st_size for file in bundle.rglob("*") if file.is_file())
    with stick.open("wb") as file:
        file.truncate(max(64, (size >> 20) + 40) << 20)
    for command in (
        ["mkfs.vfat", "-n", "UPDATE", str(stick)],
        ["mcopy", "-s", "-i", str(stick), str(bundle), "::"],
    ):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - the command is fixed
    return stick


def browse(reader: Reader, path: str, file: Path) -> None:
    """Save a page as a browser shows it, with the cookie of the reader, where Chromium is there."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only for pictures
    except ImportError:
        told("no picture of the page: playwright is not installed")
        return
    browser_file = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_file, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1100, "height": 800})
        context.add_cookies(
            [{"name": item.name, "value": item.value or "", "url": reader.base} for item in reader.jar]
        )
        page = context.new_page()
        page.goto(reader.base + path, timeout=600_000)
        page.screenshot(path=str(file))
        browser.close()


def main() -> None:
    """Go from the bare image to the updated box."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--image", type=Path, required=True)
    parser.add_argument(
        "--disk", type=Path, help="go on with this disk of an earlier run, in place of a copy"
    )
    parser.add_argument("--update", type=Path, help="the folder CODES-UPDATE of a newer bundle")
    parser.add_argument("--screens", type=Path, default=Path("build/try-image"))
    parser.add_argument("--question", default="What is the snow load on the ground?")
    parser.add_argument("--brings", default="", help="words of the answer that only the update can bring")
    parser.add_argument("--cut-after", type=float, default=20, help="seconds after the yes (20)")
    parser.add_argument("--patience", type=float, default=7200, help="seconds for each step (7200)")
    parser.add_argument("--port", type=int, default=8188)
    parser.add_argument("--accel", default="tcg,thread=multi", help="kvm where it works")
    parser.add_argument("--cpu", default="Nehalem")
    parser.add_argument("--as-it-is", action="store_true", help="leave the limits of the image as they are")
    parser.add_argument(
        "--uefi", type=Path, help="a firmware, /usr/share/OVMF/OVMF_CODE_4M.fd for instance (Debian: ovmf)"
    )
    given = parser.parse_args()
    given.screens.mkdir(parents=True, exist_ok=True)
    for tool in ("qemu-system-x86_64", "mkfs.vfat", "mcopy", "debugfs"):
        if not shutil.which(tool):
            sys.exit(
                f"{tool} is missing. Install: apt-get install qemu-system-x86 dosfstools mtools e2fsprogs"
            )
    with tempfile.TemporaryDirectory() as folder:
        disk = given.disk or larger_copy(given.image)
        if not given.disk and not given.as_it_is:
            put_files(Path(folder), disk, SLOW)
        run(Path(folder), disk, given)


def put_files(folder: Path, disk: Path, files: dict[str, str]) -> None:
    """Write files into the system of an image."""
    orders = []
    for number, (name, text) in enumerate(files.items()):
        (folder / str(number)).write_text(text, encoding="utf-8")
        orders += [f"mkdir {Path(name).parent}", f"write {folder / str(number)} {name}"]
    (folder / "orders").write_text("\n".join(orders) + "\n", encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - the command is fixed
        ["debugfs", "-w", "-f", str(folder / "orders"), f"{disk}?offset={SYSTEM_AT}"],  # noqa: S607 - as found
        capture_output=True,
        check=True,
    )
    if done.stdout.count(b"Allocated inode") != len(files):
        sys.exit(f"{disk}: the limits could not be written: {done.stderr.decode()}")


def larger_copy(image: Path) -> Path:
    """Return a copy of an image, on a disk that is 1 GiB larger."""
    disk = image.with_suffix(".try.img")
    subprocess.run(["cp", "--sparse=always", str(image), str(disk)], check=True)  # noqa: S603, S607 - cp keeps holes
    with disk.open("r+b") as file:
        file.truncate(disk.stat().st_size + (1 << 30))
    return disk


def run(folder: Path, disk: Path, given: argparse.Namespace) -> None:
    """Start, read, update, cut, start again."""
    box = Machine(folder, disk, given)
    try:
        code = box.hear(SERIAL_CODE, given.patience).group(1).decode()
        told("the screen shows the address and the access code")
        box.picture(given.screens / "1-first-start.png")
        told(f"the page is served: {box.wait_for_page(given.patience)}")
        box.picture(given.screens / "2-ready.png")
        reader = Reader(given.port)
        reader.enter(code)
        asked = "/ask?" + urllib.parse.urlencode({"q": given.question})
        answer = reader.get(asked)
        told(f"the answer page has {len(answer)} letters, the first page {len(reader.get('/'))}")
        browse(reader, asked, given.screens / "3-page.png")
        if given.update:
            if given.brings and given.brings in answer:
                sys.exit(f"{given.brings} stands in the answer before the update: choose other words.")
            box = update(box, folder, disk, given)
            reader = Reader(given.port)
            reader.enter(code)
            answer = reader.get(asked)
            told(f"the answer page has {len(answer)} letters")
            if given.brings not in answer:
                sys.exit(f"{given.brings} does not stand in the answer after the update.")
            browse(reader, asked, given.screens / "8-page-updated.png")
    finally:
        box.cut()
    told("done")


def update(box: Machine, folder: Path, disk: Path, given: argparse.Namespace) -> Machine:
    """Plug the stick in, agree, cut the power, start again, end the update; return the running machine."""
    box.plug_in(make_stick(folder, given.update))
    told("the stick is plugged in")
    version = agree(box, given, "4-stick.png", "5-what-changes.png")
    time.sleep(given.cut_after)
    box.picture(given.screens / "6-cut.png")
    box.cut()
    told(f"power cut {given.cut_after:g} s after the yes")
    box = Machine(folder, disk, given)
    box.hear(SERIAL_CODE, given.patience)
    told("started again, the screen shows the address")
    told(f"the page is served: {box.wait_for_page(given.patience)}")
    log, served = box.log_and_version(given.patience)
    for line in log:
        told(f"   log {line}")
    told(f"version {served} is served ({'the new one' if served == version else 'the old one'})")
    if served != version:
        box.plug_in(folder / "stick.img")
        agree(box, given, "", "")
        box.hear(rb"Version \d+ is served from the next start", given.patience)
        box.type("")
        box.hear(rb"Serves version " + str(version).encode(), given.patience)
        told(f"the update was taken to its end: version {version}")
    box.wait_for_page(given.patience)
    box.picture(given.screens / "7-updated.png")
    return box


def agree(box: Machine, given: argparse.Namespace, seen: str, report: str) -> int:
    """Wait for what the stick brought, read the report, say yes; return the version."""
    version = int(box.hear(rb"A stick brought version (\d+)", given.patience).group(1))
    told(f"the screen says that the stick brought version {version}")
    if seen:
        box.picture_of_another(given.screens / seen, given.screens / "2-ready.png")
    box.type("u")
    box.hear(rb"Switch to version", given.patience)
    told("the report of what changes is read")
    if report:  # the same at the keyboard and the screen, which stays with its question
        box.press("u", "ret")
        box.picture_of_another(given.screens / report)
        told("and seen on the screen")
    box.type("y")
    return version


if __name__ == "__main__":
    main()
