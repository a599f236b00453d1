# shellcheck shell=bash
# The parts of a bundle that come from elsewhere or are compiled: Python packages, the language model's
# runtime, Debian packages, the program itself. Sourced by build_image.sh.

# Wheels for the C library of Debian 12 (2.36) and every older one.
PLATFORMS=(manylinux_2_34 manylinux_2_31 manylinux_2_28 manylinux_2_27 manylinux_2_24 manylinux_2_17 manylinux2014
  manylinux_2_12 manylinux2010 manylinux_2_5 manylinux1)

make_parts() {
  local locked="$SOURCE/requirements"
  step environment make_environment
  step program make_program "$(changed_at)"
  [ "$LLM" = no ] || [ -n "$LLAMA" ] || step llama make_llama "$SOURCE/scripts/image/llama.sh"
  step "wheels-$LLM" make_wheels "$locked/run.txt" "$locked/dev.txt" "$SOURCE/scripts/image/parts.sh" "$LLAMA"
  step packages make_packages
  step tools make_tools "$WORK/.done-program" "$WORK/.done-wheels-$LLM"
}

# What says that the source has changed: the log of its branch; nothing where it is no clone.
changed_at() {
  local log="$SOURCE/.git/logs/HEAD"
  [ ! -f "$log" ] || printf '%s\n' "$log"
}

make_environment() {
  rm -rf "$WORK/python"
  quiet "$WORK/environment.log" "${PYTHON:-python3}" -m venv "$WORK/python"
  quiet "$WORK/environment.log" pip_here install --upgrade "pip>=25"
}

pip_here() { "$WORK/python/bin/python" -m pip --disable-pip-version-check "$@"; }

# The program as it is committed, not as it is being worked on; a source without history as it is.
make_program() {
  rm -rf "$WORK/source" "$WORK/program"
  mkdir -p "$WORK/source" "$WORK/program"
  if git -C "$SOURCE" rev-parse --quiet --verify HEAD >/dev/null 2>&1; then
    git -C "$SOURCE" archive HEAD | tar -x -C "$WORK/source"
    SOURCE_DATE_EPOCH="$(git -C "$SOURCE" log -1 --format=%ct)"
    export SOURCE_DATE_EPOCH
  else
    tar -C "$SOURCE" --exclude=./build --exclude=./dist --exclude=./.venv -c . | tar -x -C "$WORK/source"
  fi
  quiet "$WORK/program.log" pip_here wheel --no-deps --wheel-dir "$WORK/program" "$WORK/source"
}

make_llama() {
  rm -rf "$WORK/llama"
  quiet "$WORK/llama.log" "$SOURCE/scripts/image/llama.sh" --python "$WORK/python/bin/python" \
    --requirements "$SOURCE/requirements/dev.txt" --work "$WORK/llama-build" --to "$WORK/llama"
}

# Every wheel of requirements/run.txt, checked against the hashes recorded there, and pip for installing them.
make_wheels() {
  local folder="$WORK/wheels" platforms=() name
  for name in "${PLATFORMS[@]}"; do platforms+=(--platform "${name}_x86_64"); done
  rm -rf "$folder"
  mkdir -p "$folder"
  wanted >"$WORK/wanted.txt"
  quiet "$WORK/wheels.log" pip_here download --require-hashes --no-deps --only-binary :all: --python-version 3.11 \
    --implementation cp --abi cp311 --abi abi3 --abi none "${platforms[@]}" --dest "$folder" \
    --requirement "$WORK/wanted.txt"
  quiet "$WORK/pip.log" pip_here download --no-deps --only-binary :all: --dest "$folder" "pip>=25"
  [ "$LLM" = no ] || add_llama "$(llama_wheel)" "$folder"
  say "   $(find "$folder" -name '*.whl' | wc -l) wheels, $(size_of "$folder") MiB"
}

# add_llama WHEEL FOLDER: one that runs on a bare Debian and on any processor; another would fail on the box alone.
add_llama() {
  quiet "$WORK/check-llama.log" "$WORK/python/bin/python" "$SOURCE/scripts/image/check_llama.py" "$1"
  cp "$1" "$2/"
}

llama_wheel() {
  if [ -n "$LLAMA" ]; then printf '%s\n' "$LLAMA"; else find "$WORK/llama" -name '*.whl'; fi
}

# What run.txt has, without the lines of other systems; with the language model also what its runtime needs.
wanted() {
  "$WORK/python/bin/python" "$SOURCE/scripts/image/requirements.py" "$SOURCE/requirements/run.txt"
  [ "$LLM" = no ] || "$WORK/python/bin/python" "$SOURCE/scripts/image/requirements.py" \
    "$SOURCE/requirements/dev.txt" --only diskcache,jinja2,markupsafe,typing-extensions \
    --beside "$SOURCE/requirements/run.txt"
}

# Python and all that it needs, as Debian packages: the closure from nothing, because nobody knows what a box
# has. install.sh installs those that are missing there.
make_packages() {
  local folder="$WORK/packages" apt="$WORK/apt"
  rm -rf "$folder" "$apt"
  mkdir -p "$folder" "$apt"/{lists/partial,cache/archives/partial,etc}
  : >"$apt/status"
  debian_sources >"$apt/etc/sources.list"
  quiet "$WORK/apt.log" apt_here update
  quiet "$WORK/apt.log" apt_here install --yes --no-install-recommends --download-only \
    python3.11 libpython3.11-stdlib libstdc++6
  cp "$apt"/cache/archives/*.deb "$folder/"
  say "   $(find "$folder" -name '*.deb' | wc -l) packages, $(size_of "$folder") MiB"
}

debian_sources() {
  local signed=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -f "$signed" ] || die "The keys of Debian are missing. Install them: apt-get install debian-archive-keyring"
  echo "deb [signed-by=$signed] $MIRROR $SUITE main"
  echo "deb [signed-by=$signed] $MIRROR $SUITE-updates main"
  echo "deb [signed-by=$signed] ${MIRROR%/debian}/debian-security $SUITE-security main"
}

# apt with a state of its own: neither the packages nor the sources of the builder count.
apt_here() {
  apt-get -o Dir::State="$WORK/apt" -o Dir::State::status="$WORK/apt/status" -o Dir::Cache="$WORK/apt/cache" \
    -o Dir::Etc::sourcelist="$WORK/apt/etc/sources.list" -o Dir::Etc::sourceparts=/nonexistent \
    -o APT::Architecture="$ARCH" -o APT::Architectures="$ARCH" -o Debug::NoLocking=true \
    -o APT::Sandbox::User=root -o DPkg::Options::= "$@"
}

# The very wheels of the box, installed here: with them the bundle is signed, and that they go together is seen.
make_tools() {
  rm -rf "$WORK/tools"
  quiet "$WORK/tools.log" "$WORK/python/bin/python" -m venv --without-pip "$WORK/tools"
  quiet "$WORK/tools.log" "$WORK/python/bin/python" -m pip --disable-pip-version-check \
    --python "$WORK/tools/bin/python" install --no-index --no-deps "$WORK"/wheels/*.whl "$WORK"/program/*.whl
}
