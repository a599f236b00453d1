#!/usr/bin/env bash
# Installs the box on a Debian 12 without a network, from the folder that this script lies in. Run again, it
# mends what is missing or takes the place of an older program; what people wrote down at the box stays.
#
# The program is a virtual environment of its own for each version (PREFIX.d/ID) behind one link (PREFIX), which
# is switched when the new one is whole: a loss of power leaves the old one or the new one.
set -euo pipefail

BUNDLE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
PREFIX=/opt/codes ROOT="" NAME="" OPEN=no FIRST_BOOT=no START=yes DRY=no UNINSTALL=no PURGE=no
LIBEXEC=/usr/libexec/codes HOME_OF_BOX=/var/lib/codes

usage() {
  cat <<'END'
Usage: ./install.sh [options]          as root, on Debian 12 (amd64); no network is used

  --name NAME     what the box is called; a bundle may be made for it alone
  --open          everybody on the network may read; without this an access code is made and shown
  --first-boot    make access code, keys and library at the first start of the machine, not now (for images)
  --no-start      install, but start nothing
  --root DIR      install into the Debian below DIR (chroot)
  --prefix DIR    where the program goes (/opt/codes)
  --dry-run       say what would be done; change nothing
  --uninstall     remove the program and its units; the library and the notes of the site stay
  --purge         with --uninstall: remove those too, and the user
  --help

Examples:
  ./install.sh --name site-7
  ./install.sh --root /mnt/debian --first-boot
  ./install.sh --uninstall
END
}

say() { printf '%s\n' "$*"; }

die() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 2
}

# Does it, or only says it.
run() {
  if [ "$DRY" = yes ]; then say "  would: $*"; else "$@"; fi
}

value() {
  [ $# -ge 2 ] || die "$1 needs a value. See: ./install.sh --help"
  printf '%s\n' "$2"
}

read_arguments() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --name) NAME="$(value "$@")"; shift 2 ;;
      --open) OPEN=yes; shift ;;
      --first-boot) FIRST_BOOT=yes; shift ;;
      --no-start) START=no; shift ;;
      --root) ROOT="$(value "$@")"; shift 2 ;;
      --prefix) PREFIX="$(value "$@")"; shift 2 ;;
      --dry-run) DRY=yes; shift ;;
      --uninstall) UNINSTALL=yes; shift ;;
      --purge) PURGE=yes; shift ;;
      -h | --help) usage; exit 0 ;;
      *) die "Unknown argument $1. See: ./install.sh --help" ;;
    esac
  done
  case "$PREFIX" in /?*) PREFIX="${PREFIX%/}" ;; *) die "--prefix takes a path from /, not $PREFIX." ;; esac
  case "$NAME" in *[!A-Za-z0-9._-]*) die "--name takes letters, digits and . _ - only." ;; esac
}

# Another root: this script, with the bundle, below it.
elsewhere() {
  local inner=/var/tmp/codes-bundle arguments=() skip=no argument
  [ -x "$ROOT/bin/bash" ] || die "There is no Debian below $ROOT."
  for argument in "$@"; do
    if [ "$skip" = yes ]; then skip=no; continue; fi
    if [ "$argument" = --root ]; then skip=yes; continue; fi
    arguments+=("$argument")
  done
  rm -rf "$ROOT$inner"
  cp -r --reflink=auto "$BUNDLE" "$ROOT$inner"
  local result=0
  chroot "$ROOT" "$inner/install.sh" ${arguments[@]+"${arguments[@]}"} || result=$?
  rm -rf "$ROOT$inner"
  return "$result"
}

check_bundle() {
  [ -f "$BUNDLE/MANIFEST" ] || die "$BUNDLE is no bundle (MANIFEST is missing). Copy the whole folder again."
  say "Reading every file of the bundle ..."
  (cd "$BUNDLE" && sha256sum --check --quiet --strict MANIFEST) ||
    die "The bundle is not what was made (named above). Copy the whole folder again."
}

# What the libraries of numbers are compiled for (x86-64-v2, every processor since about 2011). AVX2 is not needed:
# where it is, it is used.
check_processor() {
  local have missing="" name
  [ -r /proc/cpuinfo ] || return 0 # nothing can be said
  have=" $(sed -n '/^flags/ { s/^flags[[:space:]]*: //p; q }' /proc/cpuinfo) "
  for name in cx16 popcnt sse4_1 sse4_2 ssse3; do
    case "$have" in *" $name "*) ;; *) missing="$missing $name" ;; esac
  done
  [ -z "$missing" ] || die "This processor is too old for the box: it lacks$missing (any since about 2011 has them)."
}

check_system() {
  [ "$(uname -m)" = x86_64 ] || die "This bundle is for x86-64 processors; this one is $(uname -m)."
  check_processor
  local system=""
  # shellcheck source=/dev/null
  [ ! -r /etc/os-release ] || system="$(. /etc/os-release && printf '%s %s' "${ID:-}" "${VERSION_ID:-}")"
  [ "$system" = "debian 12" ] || die "This bundle is for Debian 12; this is ${system:-something else}."
  [ "$DRY" = yes ] || [ "$(id -u)" = 0 ] || die "Run it as root: sudo ./install.sh"
  local free needed
  free="$(($(stat -f -c '%a * %S' /) >> 20))"
  needed="$(cat "$BUNDLE/NEEDS_MIB")"
  [ "$free" -ge "$needed" ] || die "The disk has $free MiB left and the box needs $needed MiB. Free space on it."
}

has_python() { python3.11 -c 'import ctypes, hashlib, sqlite3, ssl, venv' >/dev/null 2>&1; }

# unfinished: whether a loss of power has cut dpkg short in one of the packages of the bundle.
unfinished() {
  local package
  for package in "$BUNDLE"/packages/*.deb; do
    case "$(package_state "$package")" in "" | not-installed | config-files | installed) ;; *) return 0 ;; esac
  done
  return 1
}

package_state() {
  local name
  name="$(basename "$1")"
  dpkg-query -W -f '${db:Status-Status}\n' "${name%%_*}" 2>/dev/null | head -n 1
}

# Only packages that are missing: nothing of the system is replaced.
install_python() {
  local package missing=()
  if unfinished; then
    say "Ending the installation of packages that was cut short ..."
    run dpkg --configure --pending >"${LOG:=/dev/null}" 2>&1 || true # what still lacks another comes below
  fi
  if has_python && ! unfinished; then
    say "Python 3.11 is there."
    return
  fi
  for package in "$BUNDLE"/packages/*.deb; do
    [ "$(package_state "$package")" = installed ] || missing+=("$package")
  done
  say "Installing Python 3.11 (${#missing[@]} Debian packages) ..."
  run env DEBIAN_FRONTEND=noninteractive dpkg --install "${missing[@]}" >"${LOG:=/dev/null}"
  [ "$DRY" = yes ] || has_python || die "Python 3.11 does not start. Look at: dpkg --audit"
}

make_user() {
  run install -D -m 644 "$BUNDLE/packaging/sysusers/codes.conf" /usr/lib/sysusers.d/codes.conf
  if getent passwd codes >/dev/null && getent group codes >/dev/null; then return; fi
  say "Making the user codes ..."
  if command -v systemd-sysusers >/dev/null; then
    run systemd-sysusers codes.conf
  else # a system without systemd; a user without its group was cut short
    if getent passwd codes >/dev/null; then run userdel --force codes; fi
    run useradd --system --user-group --no-create-home --home-dir "$HOME_OF_BOX" --shell /usr/sbin/nologin codes
  fi
}

install_program() {
  local id to pip
  id="$(cat "$BUNDLE/PROGRAM")"
  to="$PREFIX.d/$id"
  if [ -e "$to/.whole" ]; then
    say "The program is there ($id)."
  else
    say "Installing the program ($id) ..."
    run rm -rf "$to"
    run mkdir -p "$PREFIX.d"
    run python3.11 -m venv --without-pip "$to"
    pip="$(echo "$BUNDLE"/wheels/pip-*.whl)"
    run env -i PATH="$PATH" HOME=/root PIP_CONFIG_FILE=/dev/null python3.11 "$pip/pip" --quiet --disable-pip-version-check \
      --python "$to/bin/python" install --no-index --find-links "$BUNDLE/wheels" --no-deps --only-binary :all: \
      --require-hashes --no-cache-dir --requirement "$BUNDLE/requirements.txt" --root-user-action ignore
    run "$to/bin/appliance" --version >/dev/null
    run sync -f "$PREFIX.d"
    run touch "$to/.whole"
  fi
  [ ! -d "$PREFIX" ] || [ -L "$PREFIX" ] || die "$PREFIX is a folder that this script did not make. Move it away."
  run ln -sfn "$to" "$PREFIX.next"
  run mv -T "$PREFIX.next" "$PREFIX"
  run sync -f "$PREFIX.d"
}

# The program before stays, for going back by hand; older ones go.
remove_older() {
  local kept=0 old
  [ -d "$PREFIX.d" ] || return 0
  find "$PREFIX.d" -mindepth 1 -maxdepth 1 -type d -printf '%T@ %p\n' | sort -rn | cut -d' ' -f2- |
    while read -r old; do
      [ "$old" != "$(readlink "$PREFIX")" ] || continue
      kept=$((kept + 1))
      [ "$kept" -le 1 ] || run rm -rf "$old"
    done
}

install_files() {
  local unit to=/etc/systemd/system
  say "Installing units and rules ..."
  run install -D -m 644 "$BUNDLE/packaging/udev/90-codes-stick.rules" /etc/udev/rules.d/90-codes-stick.rules
  run install -D -m 755 "$BUNDLE/packaging/box/first-boot" "$LIBEXEC/first-boot"
  run install -D -m 755 "$BUNDLE/packaging/box/notes-to-stick" "$LIBEXEC/notes-to-stick"
  run mkdir -p "$to"
  (cd "$BUNDLE/packaging/systemd" && find . -type f) | while read -r unit; do
    run install -D -m 644 "$BUNDLE/packaging/systemd/$unit" "$to/$unit"
    [ "$PREFIX" = /opt/codes ] || run sed -i "s#/opt/codes/#$PREFIX/#g" "$to/$unit"
  done
  run mkdir -p /etc/codes
  run chmod 755 /etc/codes
  [ -s /etc/codes/environment ] || run_write /etc/codes/environment APPLIANCE_SETTINGS=/etc/codes/settings.toml
}

run_write() { # FILE LINE: whole or not at all
  if [ "$DRY" = yes ]; then
    say "  would: write $1"
  else
    printf '%s\n' "$2" >"$1.next"
    sync "$1.next"
    mv -T "$1.next" "$1"
  fi
}

enable_units() {
  command -v systemctl >/dev/null || return 0
  run systemctl --quiet enable codes.socket codes-resume.service codes.service codes-notes.path codes-scrub.timer
  [ "$FIRST_BOOT" = no ] || run systemctl --quiet enable codes-first-boot.service
}

make_box() {
  local given=()
  [ -z "$NAME" ] || given+=(--name "$NAME")
  [ "$OPEN" = no ] || given+=(--open)
  if [ "$FIRST_BOOT" = yes ]; then
    say "Keeping the library for the first start ..."
    run mkdir -p /usr/share/codes
    run rm -rf /usr/share/codes/factory
    run cp -r "$BUNDLE/factory" /usr/share/codes/factory
    run chmod -R u=rwX,go=rX /usr/share/codes/factory
    run_write /usr/share/codes/first-boot.conf "${given[*]-}"
    run rm -f /var/lib/codes-made
  else
    run env PREFIX="$PREFIX" "$LIBEXEC/first-boot" --factory "$BUNDLE/factory" ${given[@]+"${given[@]}"}
  fi
}

start() {
  if [ "$START" = no ] || [ "$FIRST_BOOT" = yes ] || [ ! -d /run/systemd/system ]; then
    say "Nothing was started. By hand: runuser -u codes -- $PREFIX/bin/appliance serve --home $HOME_OF_BOX"
    return
  fi
  run systemctl daemon-reload
  run udevadm control --reload
  run systemctl start codes.socket codes-notes.path codes-scrub.timer
  run systemctl restart codes.service
  say "The page is served. How the box is: $PREFIX/bin/appliance doctor --home $HOME_OF_BOX"
}

uninstall() {
  local unit
  # sockets, paths and timers first, that nothing starts what is stopped after them
  if [ -d /run/systemd/system ]; then
    run systemctl --quiet stop 'codes*.socket' 'codes*.path' 'codes*.timer' || true
    run systemctl --quiet stop 'codes*.service' || true
  fi
  # with what enabled them, by whatever name: the first start and the screens too
  for unit in /etc/systemd/system/codes* /etc/systemd/system/*.wants/codes*; do
    if [ -e "$unit" ] || [ -L "$unit" ]; then run rm -rf "$unit"; fi
  done
  run rm -rf "$PREFIX" "$PREFIX.d" "$LIBEXEC" /usr/share/codes /etc/udev/rules.d/90-codes-stick.rules \
    /usr/lib/sysusers.d/codes.conf
  [ ! -d /run/systemd/system ] || run systemctl daemon-reload
  if [ "$PURGE" = yes ]; then
    run rm -rf "$HOME_OF_BOX" /var/lib/codes-made /var/cache/codes /etc/codes
    ! getent passwd codes >/dev/null || run userdel codes
    say "The box is removed, with its library and notes."
  else
    say "The program is removed. The library and the notes of the site stay in $HOME_OF_BOX, settings in /etc/codes."
  fi
}

main() {
  read_arguments "$@"
  if [ -n "$ROOT" ] && [ "$(realpath "$ROOT")" != / ]; then
    elsewhere "$@"
    return
  fi
  check_system
  if [ "$UNINSTALL" = yes ]; then
    uninstall
    return
  fi
  check_bundle
  install_python
  make_user
  install_program
  install_files
  make_box
  enable_units
  start
  remove_older
}

main "$@"
