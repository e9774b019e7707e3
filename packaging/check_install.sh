#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a build into empty folders and checks them: the collector alone, which has nothing of Qt, then all of it.
# Usage: packaging/check_install.sh BUILD
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
program=$build/tests/nvtx_steps
[[ -x $program ]] || program=

cmake --install "$build" --component collector --prefix "$prefix/collector" >/dev/null
"$here/check.sh" "$prefix/collector" "$program"
[[ ! -e $prefix/collector/bin/lanescope-ui ]] || { echo "check: the collector brings the viewer" >&2; exit 1; }

cmake --install "$build" --prefix "$prefix/all" >/dev/null
mv "$prefix/all" "$prefix/elsewhere"  # everything is found from where the program lies
"$here/check.sh" "$prefix/elsewhere" "$program"
