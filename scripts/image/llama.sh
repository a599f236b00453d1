#!/usr/bin/env bash
# Compiles the wheel of llama-cpp-python that starts on every x86-64 processor and uses what each one has.
#
# llama.cpp is compiled once for each kind of processor (libggml-cpu-*.so, from plain x86-64 to AMX); when it
# runs, each library scores itself on the processor at hand and the best is loaded (GGML_BACKEND_DL). OpenMP is
# off: a bare Debian has no libgomp, and llama.cpp's own threads need none. The library of the command-line tools
# (libllama-common) is left out, and so are headers and versioned copies of the same libraries: a wheel holds no
# links, and a library that is loaded under two names is loaded twice.
set -euo pipefail

usage() {
  cat <<'END'
Usage: scripts/image/llama.sh --requirements FILE --to FOLDER [--work FOLDER] [--python FILE] [--jobs N]

Compiles llama-cpp-python as requirements/dev.txt locks it (source checked against its hash); needs cmake, ninja,
g++ 12 or newer. Goes on where it stopped when the work folder is the same.

Example:
  scripts/image/llama.sh --requirements requirements/dev.txt --work build/llama --to build/image/llama
END
}

HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=scripts/image/common.sh
. "$HERE/common.sh"
REQUIREMENTS="" TO="" WORK="" PYTHON="${PYTHON:-python3}" JOBS="$(nproc)"

FLAGS=(
  -DGGML_NATIVE=OFF -DGGML_BACKEND_DL=ON -DGGML_CPU_ALL_VARIANTS=ON -DGGML_OPENMP=OFF
  -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_SERVER=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF
  # everything beside libllama.so, found from there
  -DCMAKE_PLATFORM_NO_VERSIONED_SONAME=ON "-DCMAKE_INSTALL_RPATH=\$ORIGIN"
  -DCMAKE_INSTALL_BINDIR=llama_cpp/lib -DCMAKE_INSTALL_LIBDIR=llama_cpp/lib
  -DCMAKE_INSTALL_INCLUDEDIR=llama_cpp/include
)

while [ $# -gt 0 ]; do
  case "$1" in
    --requirements) REQUIREMENTS="$(value "$@")"; shift 2 ;;
    --to) TO="$(value "$@")"; shift 2 ;;
    --work) WORK="$(value "$@")"; shift 2 ;;
    --python) PYTHON="$(value "$@")"; shift 2 ;;
    --jobs) JOBS="$(value "$@")"; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    *) die "Unknown argument $1. See: $0 --help" ;;
  esac
done
[ -f "$REQUIREMENTS" ] || die "Name the file that locks llama-cpp-python: --requirements requirements/dev.txt"
[ -n "$TO" ] || die "Say where the wheel goes: --to FOLDER"
WORK="${WORK:-$TO/work}"
need cmake cmake
need ninja ninja-build
need g++ g++
need unzip unzip
mkdir -p "$TO" "$WORK"
TO="$(cd "$TO" && pwd)" WORK="$(cd "$WORK" && pwd)"

fetch_source() {
  local wanted="$WORK/wanted.txt"
  "$PYTHON" "$HERE/requirements.py" "$REQUIREMENTS" --only llama-cpp-python >"$wanted"
  "$PYTHON" -m pip --disable-pip-version-check download --require-hashes --no-deps --no-binary :all: \
    --no-build-isolation --dest "$WORK" --requirement "$wanted" 2>"$WORK/fetch.log" ||
    "$PYTHON" -m pip --disable-pip-version-check download --require-hashes --no-deps --no-binary :all: \
      --dest "$WORK" --requirement "$wanted"
  rm -rf "$WORK/source"
  mkdir "$WORK/source"
  tar -x -z -C "$WORK/source" --strip-components=1 -f "$WORK"/llama_cpp_python-*.tar.gz
  sed -i 's/set(LLAMA_BUILD_COMMON ON CACHE/set(LLAMA_BUILD_COMMON OFF CACHE/' "$WORK/source/CMakeLists.txt"
}

compile() {
  CMAKE_GENERATOR=Ninja CMAKE_BUILD_PARALLEL_LEVEL="$JOBS" CMAKE_ARGS="${FLAGS[*]}" \
    "$PYTHON" -m pip --disable-pip-version-check wheel --no-deps --verbose \
    --config-settings build-dir="$WORK/build" --config-settings install.strip=true \
    --config-settings wheel.exclude='llama_cpp/include/**;llama_cpp/lib/cmake/**;llama_cpp/lib/pkgconfig/**;llama_cpp/lib/*.py' \
    --wheel-dir "$TO" "$WORK/source"
}

[ -d "$WORK/source/vendor" ] || fetch_source
compile
unzip -l "$TO"/llama_cpp_python-*.whl | grep 'libggml-cpu-' >/dev/null ||
  die "The wheel holds no libggml-cpu-*.so: look into its build."
