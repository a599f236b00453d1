#!/usr/bin/env bash
# Makes what a box is installed from, on a connected machine: an offline bundle and a bootable disk.
# Each step leaves its result in the work folder and is skipped while that is newer than what it comes
# from, so that a run which broke off goes on where it stopped.
set -euo pipefail

SOURCE="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
# shellcheck source=scripts/image/common.sh
. "$SOURCE/scripts/image/common.sh"
# shellcheck source=scripts/image/parts.sh
. "$SOURCE/scripts/image/parts.sh"
# shellcheck source=scripts/image/bundle.sh
. "$SOURCE/scripts/image/bundle.sh"
# shellcheck source=scripts/image/disk.sh
. "$SOURCE/scripts/image/disk.sh"

usage() {
  cat <<'END'
Usage: scripts/build_image.sh --library FILE --keys FOLDER [options]

Makes in dist/ what a box is installed from, on a machine with a network:
  codes-VERSION-amd64/       offline bundle: install.sh, wheels, packages, units, a signed library
  codes-VERSION-amd64.img    bootable disk (BIOS and UEFI), and the same compressed (.img.zst)

  --library FILE    the library that boxes serve at first
  --keys FOLDER     the builder's keys; made there when the folder does not exist (appliance keys new)
  --models FOLDER   models that replace those of the program, carried in the signed bundle
  --to FOLDER       where the results go (dist)
  --work FOLDER     where parts are kept between runs (build/image)
  --only WHAT       bundle: no disk; disk: from the bundle that is there
  --llama FILE      the wheel of llama-cpp-python for any processor; compiled when not named (an hour on two
                    cores), kept in the work folder
  --without-llm     leave the language model's runtime out: smaller, answers are quotations
  --settings FILE   settings of every box of this disk (docs/settings.md)
  --root-password FILE   a password hash (openssl passwd -6) for root on the disk; without it root is locked
  --arch ARCH       amd64, the only one made so far
  --mirror URL      of Debian packages (http://deb.debian.org/debian)
  --help

Examples:
  scripts/build_image.sh --library build/codes.db --keys keys
  scripts/build_image.sh --library build/codes.db --keys keys --only bundle --without-llm
  scripts/build_image.sh --library build/codes.db --keys keys --models models --to /srv/dist

The disk needs root (debootstrap, chroot); the bundle does not. Missing tools are named with the package
that has them.
END
}

LIBRARY="" KEYS="" MODELS="" TO="$SOURCE/dist" WORK="$SOURCE/build/image" ONLY="" LLAMA="" LLM=yes ARCH=amd64
SETTINGS="" ROOT_PASSWORD="" MIRROR=http://deb.debian.org/debian SUITE=bookworm

read_arguments() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --library) LIBRARY="$(value "$@")"; shift 2 ;;
      --keys) KEYS="$(value "$@")"; shift 2 ;;
      --models) MODELS="$(value "$@")"; shift 2 ;;
      --to) TO="$(value "$@")"; shift 2 ;;
      --work) WORK="$(value "$@")"; shift 2 ;;
      --only) ONLY="$(value "$@")"; shift 2 ;;
      --llama) LLAMA="$(value "$@")"; shift 2 ;;
      --without-llm) LLM=no; shift ;;
      --settings) SETTINGS="$(value "$@")"; shift 2 ;;
      --root-password) ROOT_PASSWORD="$(value "$@")"; shift 2 ;;
      --arch) ARCH="$(value "$@")"; shift 2 ;;
      --mirror) MIRROR="$(value "$@")"; shift 2 ;;
      -h | --help) usage; exit 0 ;;
      *) die "Unknown argument $1. See: scripts/build_image.sh --help" ;;
    esac
  done
}

check_arguments() {
  [ "$ARCH" = amd64 ] || die "No box of architecture $ARCH is made yet; the one that is: --arch amd64"
  case "$ONLY" in "" | bundle | disk) ;; *) die "--only takes bundle or disk, not $ONLY." ;; esac
  if [ "$ONLY" != disk ]; then
    [ -n "$LIBRARY" ] || die "Name the library that boxes serve: --library build/codes.db"
    [ -f "$LIBRARY" ] || die "There is no library $LIBRARY. Build one: appliance build FOLDER --library $LIBRARY"
    [ -n "$KEYS" ] || die "Name the folder of the builder's keys: --keys keys (made there when it is not)"
  fi
  [ -z "$MODELS" ] || [ -d "$MODELS" ] || die "There is no folder of models $MODELS."
  [ -z "$LLAMA" ] || [ -f "$LLAMA" ] || die "There is no wheel $LLAMA."
  [ -z "$SETTINGS" ] || [ -s "$SETTINGS" ] || die "There are no settings in $SETTINGS."
  [ -z "$ROOT_PASSWORD" ] || [ -s "$ROOT_PASSWORD" ] || die "There is no password hash in $ROOT_PASSWORD."
  [ "$ONLY" = bundle ] || [ "$(id -u)" = 0 ] || die "The disk is made as root; without it: --only bundle"
}

main() {
  read_arguments "$@"
  check_arguments
  check_tools "$ONLY"
  mkdir -p "$WORK" "$TO"
  WORK="$(cd "$WORK" && pwd)" TO="$(cd "$TO" && pwd)"
  VERSION="$(version_of "$SOURCE")"
  BUNDLE="$TO/codes-$VERSION-$ARCH" DISK="$TO/codes-$VERSION-$ARCH.img"
  if [ "$ONLY" != disk ]; then
    make_parts
    make_bundle
  fi
  if [ "$ONLY" != bundle ]; then
    [ -f "$BUNDLE/MANIFEST" ] || die "There is no bundle $BUNDLE. Make it first: --only bundle"
    make_disk
  fi
  say "Done in $((SECONDS / 60)) min $((SECONDS % 60)) s."
}

main "$@"
