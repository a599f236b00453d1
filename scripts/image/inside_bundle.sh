#!/usr/bin/env bash
# What scripts/try_bundle.sh does inside the bare Debian: each line that begins with "ok" was tried just now.
set -euo pipefail

QUESTION="$1" BUNDLE=/root/bundle BIN=/opt/codes/bin PORT=8080 SERVER=""
export HOME=/root LC_ALL=C.UTF-8

ok() { printf 'ok %4s s  %s\n' "$SECONDS" "$*"; }
fail() {
  printf 'NOT OK  %s\n' "$*"
  exit 1
}
as_box() { runuser -u codes -- env HOME=/var/lib/codes APPLIANCE_SETTINGS=/etc/codes/settings.toml "$@"; }
fetch() { # PATH [form]: prints the page
  "$BIN/python" - "$@" <<'END'
import http.cookiejar, sys, urllib.error, urllib.request
from pathlib import Path
jar = http.cookiejar.MozillaCookieJar("/tmp/cookies")
if Path("/tmp/cookies").exists():
    jar.load(ignore_discard=True)
opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
form = sys.argv[2].encode() if len(sys.argv) > 2 else None
headers = {"Origin": "http://127.0.0.1:8080"} if form else {}
try:
    page = opener.open(urllib.request.Request("http://127.0.0.1:8080" + sys.argv[1], form, headers), timeout=90)
except urllib.error.HTTPError as error:
    page = error
sys.stdout.write(f"{page.status}\n{page.read().decode()}")
jar.save(ignore_discard=True)
END
}

serve() {
  as_box "$BIN/appliance" serve --home /var/lib/codes --host 127.0.0.1 --port "$PORT" 2>/tmp/serve.log &
  SERVER=$!
  for _ in $(seq 120); do
    if fetch /healthz >/tmp/healthz 2>/dev/null; then
      grep -q '"ok":true' /tmp/healthz && return
    fi
    sleep 1
  done
  cat /tmp/serve.log
  fail "the page is not served"
}

stop() {
  kill -- "$(pgrep_server)"
  wait "$SERVER" || true
}
pgrep_server() {
  local folder
  for folder in /proc/[0-9]*; do
    if tr '\0' ' ' <"$folder/cmdline" 2>/dev/null | grep -q "^/opt/codes.*python.* $BIN/appliance serve"; then
      basename "$folder"
      return
    fi
  done
}

[ "$(find /sys/class/net /proc/sys/net/ipv4/conf -mindepth 1 -maxdepth 1 2>/dev/null | grep -cvE '/(all|default|lo)$')" = 0 ] ||
  fail "there is a network interface"
if timeout 5 bash -c 'exec 3<>/dev/tcp/198.51.100.7/80' 2>/dev/null; then fail "something is reached"; fi
ok "no interface, nothing is reached"
if command -v python3 || command -v python3.11; then fail "this Debian is not bare"; fi

"$BUNDLE/install.sh" --dry-run >/tmp/dry.txt
[ ! -e /opt/codes ] || fail "a dry run has written"
ok "dry run: $(grep -c would: /tmp/dry.txt) things would be done"

# cut_short SECONDS TEST...: kills the installer, with all that it has started, so long after the test holds.
cuts=0
cut_short() {
  local after="$1" pid
  shift
  rm -f /tmp/cut.txt
  setsid "$BUNDLE/install.sh" --name try-1 >/tmp/cut.txt 2>&1 &
  pid=$!
  until "$@" >/dev/null 2>&1 || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
  sleep "$after"
  if kill -KILL -- "-$pid" 2>/dev/null; then
    cuts=$((cuts + 1))
    printf '   cut off %4s s after: %s; it had said: %s\n' "$after" "$*" "$(tail -n 1 /tmp/cut.txt)"
  fi
  wait "$pid" 2>/dev/null || true
}
up_to() { printf '%s.%s' "$((RANDOM % $1))" "$((RANDOM % 10))"; } # seconds

for most in 1 3 6; do cut_short "$(up_to $most)" grep -q 'Installing Python' /tmp/cut.txt; done
cut_short 0.0 getent passwd codes
for most in 3 20 60; do cut_short "$(up_to $most)" test -e /opt/codes.d; done
cut_short 0.0 test -e /etc/codes/access-code
cut_short 0.0 test -e /var/lib/codes/box.pem
for most in 2 5; do cut_short "$(up_to $most)" compgen -G '/var/lib/codes/gen/*'; done # copied
for most in 4 12; do cut_short "$(up_to $most)" grep -q 'copied and verified' /tmp/cut.txt; done # tried
[ "$cuts" -ge 8 ] || fail "only $cuts of 13 installations could be cut short"

"$BUNDLE/install.sh" --name try-1
[ -z "$(dpkg --audit)" ] || fail "dpkg was left half way: $(dpkg --audit)"
[ ! -e /var/lib/codes.factory ] || fail "a copy of the first library is left"
ok "installed, after $cuts times cut short: $("$BIN/appliance" --version)"
if compgen -G "$BUNDLE/wheels/llama_cpp_python-*.whl" >/dev/null; then
  "$BIN/python" - <<'END' >/tmp/backends || fail "llama.cpp finds no arithmetic for this processor"
from pathlib import Path
from appliance.models.llama.backends import load_backends
assert load_backends() == 1
maps = Path("/proc/self/maps").read_text()
print(*sorted({line.split("/")[-1] for line in maps.splitlines() if "libggml-cpu-" in line}))
END
  ok "llama.cpp: $(cat /tmp/backends)"
fi
code="$(cat /etc/codes/access-code)" key="$(cat /var/lib/codes/box.pub)"
ip link set lo up 2>/dev/null || "$BIN/python" - <<'END'
import fcntl, socket, struct  # a bare Debian has no `ip`: SIOCSIFFLAGS, IFF_UP
with socket.socket() as any_socket:
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 1))
END
serve
ok "served: $(tail -n 1 /tmp/healthz)"
fetch / | grep -qi 'name="code"' || fail "no code is asked for"
fetch /enter "code=$code" >/dev/null
fetch / >/tmp/page.html
[ "$(head -n 1 /tmp/page.html)" = 200 ] || fail "the code is refused"
ok "page: $(wc -c </tmp/page.html) bytes, after the access code"
query="$("$BIN/python" -c 'import sys, urllib.parse; print(urllib.parse.quote(sys.argv[1]))' "$QUESTION")"
fetch "/ask?q=$query" >/tmp/answer.html
[ "$(head -n 1 /tmp/answer.html)" = 200 ] || fail "no answer: $(head -n 1 /tmp/answer.html)"
ok "answer page: $(wc -c </tmp/answer.html) bytes"
as_box "$BIN/appliance" ask "$QUESTION" --home /var/lib/codes --json >/tmp/answer.json
"$BIN/python" - <<'END'
import json
answer = json.load(open("/tmp/answer.json"))
places = answer.get("evidence") or answer.get("places") or answer.get("citations") or []
print("   ", str(answer.get("answer") or answer.get("text") or answer)[:300], f"[{len(places)} places]")
END
as_box "$BIN/appliance" doctor --home /var/lib/codes || fail "the doctor found something wrong"
ok "doctor"
stop

"$BUNDLE/install.sh" --name try-1 >/tmp/again.txt
grep -q "The program is there" /tmp/again.txt || fail "the program was installed again"
[ "$code" = "$(cat /etc/codes/access-code)" ] || fail "the code has changed"
[ "$key" = "$(cat /var/lib/codes/box.pub)" ] || fail "the key of the box has changed"
ok "installed again: program, code, key and library are the same"
rm /opt/codes/lib/python3.11/site-packages/appliance/doctor.py /opt/codes/.whole # as if power had gone
"$BUNDLE/install.sh" >/tmp/again.txt
[ -e /opt/codes/lib/python3.11/site-packages/appliance/doctor.py ] || fail "a half program was not made whole"
ok "a half-installed program is made whole"
serve
ok "served after that"
stop

printf 'x' >>"$(find "$BUNDLE/wheels" -name '*.whl' | head -n 1)"
if "$BUNDLE/install.sh" >/tmp/damaged.txt 2>&1; then fail "a damaged bundle was installed"; fi
ok "damaged bundle: $(tail -n 1 /tmp/damaged.txt)"

"$BUNDLE/install.sh" --uninstall
[ ! -e /opt/codes ] && [ -e /var/lib/codes/state.json ] || fail "not what is to stay and go"
[ -z "$(find /etc/systemd/system -name 'codes*')" ] || fail "a unit or a link to one is left"
"$BUNDLE/install.sh" --uninstall --purge
[ ! -e /var/lib/codes ] && [ ! -e /etc/codes ] || fail "something is left"
ok "removed"
