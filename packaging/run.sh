#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds Lanescope and opens REPORT, or the bundled sample: in the viewer, or where there is no display as a picture
# in the current directory and a summary. Usage: packaging/run.sh [REPORT]
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
report=${1:-$root/resources/samples/overlap_bad.rep}

"$root/packaging/install-deps.sh"
(
  cd "$root"
  cmake --preset release
  cmake --build --preset release --target lanescope lanescope-ui
) >&2

build=$root/build/release
if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
  exec "$build/lanescope-ui" "$report"
fi
"$build/lanescope" info "$report"
"$build/lanescope-ui" --screenshot lanescope.png "$report"
echo "No display here: the timeline is drawn in $PWD/lanescope.png"
