#!/usr/bin/env bash
# Install llama.cpp for Python: compiled once for each locked version (minutes), then kept outside the clone.
# pip's own cache is of no use for it: with hashes required, pip compiles a source package each time.
#   scripts/llama_wheel.sh .venv/bin/python
set -euo pipefail
python=$(realpath --no-symlinks "$1")
cd "$(dirname "$0")/.."
kept="${APPLIANCE_WHEELS:-${XDG_CACHE_HOME:-$HOME/.cache}/appliance/wheels}"
key="$(sha256sum requirements/llm.txt | cut -c1-16)-$(uname -m)-$("$python" -c 'import platform; print("".join(platform.libc_ver()) or "libc")')"
wheels="$kept/$key"
if ! compgen -G "$wheels/*.whl" >/dev/null; then
  mkdir -p "$kept"
  made=$(mktemp -d "$kept/new.XXXXXX")
  trap 'rm -rf "$made"' EXIT
  echo "llama.cpp is compiled, once; this takes some minutes" >&2
  # not for this processor alone: the wheel may be used on another one that shares the cache
  CMAKE_ARGS="${CMAKE_ARGS:--DGGML_NATIVE=OFF}" "$python" -m pip wheel --quiet --disable-pip-version-check \
    --no-deps --require-hashes --requirement requirements/llm.txt --wheel-dir "$made"
  mv -T "$made" "$wheels" 2>/dev/null || compgen -G "$wheels/*.whl" >/dev/null # another one was quicker
fi
"$python" -m pip install --quiet --disable-pip-version-check --no-deps "$wheels"/*.whl
