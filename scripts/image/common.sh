# shellcheck shell=bash
# What the scripts of the image share: words to the person, tools that must be there, steps that are skipped
# when their result is there. Sourced, never run.

say() { printf '%s\n' "$*" >&2; }

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 2
}

# The value of an option: value OPTION VALUE ...
value() {
  [ $# -ge 2 ] || die "$1 needs a value. See: $(basename "$0") --help"
  printf '%s\n' "$2"
}

# need TOOL PACKAGE: ends with the package that has the tool, where it is not there.
need() {
  command -v "$1" >/dev/null || die "The tool $1 is missing. Install it: apt-get install $2"
}

check_tools() { # what is to be made: "", bundle, disk
  need "${PYTHON:-python3}" python3
  "${PYTHON:-python3}" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' ||
    die "The wheels of a box are those of Python 3.11 (Debian 12). Name one: PYTHON=python3.11 $0"
  need apt-get apt
  need git git
  [ "$1" = bundle ] && return
  need debootstrap debootstrap
  need mke2fs e2fsprogs
  need sfdisk fdisk
  need mcopy mtools
  need mkfs.vfat dosfstools
  need zstd zstd
}

version_of() { # the folder of the source
  sed -n 's/^__version__ = "\(.*\)"/\1/p' "$1/appliance/__init__.py"
}

# step NAME FUNCTION INPUT...: runs the function unless its stamp is newer than all inputs.
step() {
  local name="$1" work="$2" stamp began input
  shift 2
  stamp="${WORK:?}/.done-$name"
  if [ -f "$stamp" ]; then
    local fresh=yes
    for input in "$@"; do
      [ -z "$input" ] || ! [ "$input" -nt "$stamp" ] || fresh=no
    done
    if [ "$fresh" = yes ]; then
      say "== $name: there already"
      return
    fi
    rm -f "$stamp"
  fi
  say "== $name ..."
  began=$SECONDS
  "$work"
  touch "$stamp"
  say "== $name: $((SECONDS - began)) s"
}

# quiet LOG COMMAND...: runs it with its output in a file, whose end is shown when it fails.
quiet() {
  local log="$1"
  shift
  if ! "$@" >"$log" 2>&1; then
    tail -n 25 "$log" >&2
    die "This failed: $* (all of it in $log)"
  fi
}

size_of() { du -sm --apparent-size "$1" | cut -f1; }
