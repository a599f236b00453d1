#!/usr/bin/env bash
# Tries an offline bundle where a box would: in a bare Debian 12 without any network interface. Installs it,
# after installers that were killed at random places, serves the page, fetches it over loopback, asks a question,
# lets the doctor look, installs it again, removes it.
set -euo pipefail

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=scripts/image/common.sh
. "$HERE/image/common.sh"
BUNDLE="" BASE="" WORK="" MIRROR=http://deb.debian.org/debian QUESTION="What does the National Annex decide?"

usage() {
  cat <<'END'
Usage: scripts/try_bundle.sh --bundle FOLDER [--work FOLDER] [--base FOLDER] [--question TEXT]   as root

  --bundle FOLDER   what scripts/build_image.sh made (dist/codes-VERSION-amd64)
  --work FOLDER     where the Debian is unpacked (build/try-bundle)
  --base FOLDER     a bare Debian made before by debootstrap --variant=minbase; made when not named

Example:
  scripts/try_bundle.sh --bundle dist/codes-0.1.0-amd64
END
}

while [ $# -gt 0 ]; do
  case "$1" in
    --bundle) BUNDLE="$(value "$@")"; shift 2 ;;
    --work) WORK="$(value "$@")"; shift 2 ;;
    --base) BASE="$(value "$@")"; shift 2 ;;
    --question) QUESTION="$(value "$@")"; shift 2 ;;
    --mirror) MIRROR="$(value "$@")"; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    *) die "Unknown argument $1. See: $0 --help" ;;
  esac
done
[ -f "$BUNDLE/MANIFEST" ] || die "Name a bundle: --bundle dist/codes-VERSION-amd64"
[ "$(id -u)" = 0 ] || die "Run it as root (chroot, namespaces)."
need unshare util-linux
WORK="${WORK:-$HERE/../build/try-bundle}"
BASE="${BASE:-$WORK/base}"
mkdir -p "$WORK"

if [ ! -x "$BASE/bin/bash" ]; then
  need debootstrap debootstrap
  say "== a bare Debian 12 ..."
  quiet "$WORK/debootstrap.log" debootstrap --variant=minbase bookworm "$BASE" "$MIRROR"
fi
[ ! -e "$BASE/usr/bin/python3" ] || die "$BASE has Python already: it is not bare."

say "== a copy of it, and the bundle in it"
rm -rf "$WORK/root"
cp -a --reflink=auto "$BASE" "$WORK/root"
cp -r --reflink=auto "$BUNDLE" "$WORK/root/root/bundle"
cp "$HERE/image/inside_bundle.sh" "$WORK/root/root/try.sh"
# shellcheck disable=SC2016 # the inner shell expands
exec unshare --net --mount --pid --fork --kill-child -- bash -euc '
  mount --types proc proc "$1/proc"
  mount --types tmpfs tmpfs "$1/tmp"
  exec chroot "$1" /bin/bash /root/try.sh "$2"' try "$WORK/root" "$QUESTION"
