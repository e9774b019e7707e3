#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the dev preset and runs its tests. --all first checks formatting, builds the sanitizer and fuzz presets, runs
# clang-tidy over model/ and collector/, and runs their suites; the dev suite comes last, so its summary ends the output.
set -euo pipefail

cd "$(dirname "$0")/.."
jobs=${LANESCOPE_JOBS:-2}

build() {
  echo "== build $1"
  cmake --preset "$1"
  cmake --build --preset "$1" -j "$jobs"
}
run_suite() {
  echo "== test $1"
  ctest --preset "$1"
}
sources() {
  local folders=()
  for folder in "$@"; do [[ ! -d $folder ]] || folders+=("$folder"); done
  find "${folders[@]}" -name '*.h' -o -name '*.cpp'
}

compiled() {
  for folder in "$@"; do sed -n "s|^ *\"file\": \"\($PWD/$folder/.*\.cpp\)\",*$|\1|p" build/fuzz/compile_commands.json; done
}

case "${1:-}" in
  "")
    packaging/install-deps.sh
    build dev
    ;;
  --all)
    packaging/install-deps.sh --dev
    echo "== format"
    sources app collector model views tests | xargs clang-format-19 --dry-run -Werror
    for preset in dev asan tsan fuzz; do build "$preset"; done
    echo "== tidy"
    compiled model collector | xargs -n 1 -P "$jobs" clang-tidy-19 --quiet -p build/fuzz 2> >(grep -v 'warnings generated' >&2)
    for preset in tsan fuzz asan; do run_suite "$preset"; done
    ;;
  *)
    echo "test.sh: unknown option $1; usage: packaging/test.sh [--all]" >&2
    exit 2
    ;;
esac
run_suite dev
