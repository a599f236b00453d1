# shellcheck shell=bash
# The offline bundle: parts laid together, a library signed for it, and a list of every file. Sourced by
# build_image.sh. It is written beside its place and moved there when it is whole.

make_bundle() {
  step factory make_factory "$LIBRARY" "$WORK/.done-tools" "$SOURCE/scripts/image/bundle.sh"
  local next="$BUNDLE.next"
  rm -rf "$next"
  mkdir -p "$next"
  lay_together "$next"
  list_files "$next"
  rm -rf "$BUNDLE"
  mv "$next" "$BUNDLE"
  tell_bundle
}

# The first library as the first bundle: a box takes it on in the same way as every later one.
make_factory() {
  local folder="$WORK/factory" tool="$WORK/tools/bin/appliance" given=()
  if [ ! -d "$KEYS" ]; then
    "$tool" keys new --to "$KEYS"
    say "   Keys were made in $KEYS. Keep them: boxes take nothing that others have signed."
  fi
  [ -z "$MODELS" ] || given+=(--models "$MODELS")
  rm -rf "$folder"
  mkdir -p "$folder"
  quiet "$WORK/factory.log" "$tool" bundle create --library "$LIBRARY" --keys "$KEYS" --to "$folder" \
    ${given[@]+"${given[@]}"}
  newest "$KEYS/metadata" root.json cp "$folder/root.json"
  basename "$(newest "$folder/CODES-UPDATE/metadata" targets.json echo)" .targets.json >"$folder/VERSION"
}

# newest FOLDER SUFFIX COMMAND...: runs it with the file of the highest number, N.SUFFIX, as first argument.
newest() {
  local folder="$1" suffix="$2" command="$3" name
  shift 3
  name="$(find "$folder" -name "*.$suffix" -printf '%f\n' | sort -n | tail -n 1)"
  "$command" "$folder/$name" "$@"
}

lay_together() {
  local to="$1"
  cp -r "$WORK/wheels" "$WORK/packages" "$WORK/factory" "$to/"
  cp "$WORK"/program/*.whl "$to/wheels/"
  cp -r "$SOURCE/packaging" "$to/packaging"
  mv "$to/packaging/install.sh" "$to/install.sh"
  cp "$SOURCE/LICENSE" "$to/LICENSE"
  "$WORK/python/bin/python" "$SOURCE/scripts/image/requirements.py" --of "$to/wheels" >"$to/requirements.txt"
  # what is installed is named by its version and by all that goes into it
  printf '%s-%s\n' "$VERSION" "$(sha256sum <"$to/requirements.txt" | cut -c1-12)" >"$to/PROGRAM"
  # wheels unpacked and compiled (3.5 times their size), the library twice, room for one update
  printf '%s\n' "$(($(size_of "$to/wheels") * 7 / 2 + $(size_of "$to/factory") * 3 + 256))" >"$to/NEEDS_MIB"
}

list_files() {
  (cd "$1" && find . -type f ! -name MANIFEST -printf '%P\n' | LC_ALL=C sort |
    while read -r name; do sha256sum "$name"; done) >"$WORK/manifest"
  mv "$WORK/manifest" "$1/MANIFEST"
}

tell_bundle() {
  local part
  for part in wheels packages factory; do
    printf '%8s MiB  %s\n' "$(size_of "$BUNDLE/$part")" "$part"
  done
  printf '%8s MiB  %s, %s files\n' "$(size_of "$BUNDLE")" "$BUNDLE" "$(wc -l <"$BUNDLE/MANIFEST")"
  sha256sum "$BUNDLE/MANIFEST"
}
