#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds both Debian packages (preset `package`), unpacks them into an empty folder and checks what lies there by using it:
# packaging/check.sh, that the command line needs no library but the C library and runs with glibc 2.28, and what the
# packages say that they need. The packages lie in build/package. Takes minutes where nothing is built: no part of CI.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/package
oldest=2.28
fail() { echo "package: $1" >&2; exit 1; }

"$root/packaging/install-deps.sh"
cd "$root"
cmake --preset package >/dev/null
targets=(lanescope lanescope-ui)
for target in lanescope-inject nvtx_steps; do
  # Without a CUDA toolkit there is nothing to inject.
  if ninja -C "$build" -t query "$target" >/dev/null 2>&1; then targets+=("$target"); fi
done
cmake --build --preset package -j "${LANESCOPE_JOBS:-2}" --target "${targets[@]}"
rm -f "$build"/*.deb
(cd "$build" && cpack -G DEB >/dev/null)

unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
version=$(sed -n 's/^project(lanescope VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
for package in lanescope lanescope-ui; do
  deb=$(echo "$build/${package}_${version}_"*.deb)
  [[ -f $deb ]] || fail "no $deb"
  dpkg-deb -x "$deb" "$unpacked/$package"
  dpkg-deb -x "$deb" "$unpacked/both"
  echo "package: ${deb#"$root/"}: $(du -h "$deb" | cut -f1); needs $(dpkg-deb -f "$deb" Depends), at best $(dpkg-deb -f "$deb" Recommends Suggests | tr '\n' ' ')"
done

# What the viewer brings to servers.
bundle=$unpacked/both/usr/share/lanescope/collector
[[ ! -f $unpacked/lanescope/usr/lib/lanescope/liblanescope-inject.so || -x $bundle/lanescope ]] || fail "no $bundle"
for file in "$unpacked"/lanescope/usr/bin/lanescope "$unpacked"/lanescope/usr/lib/lanescope/*.so "$bundle"/*; do
  [[ -f $file ]] || continue
  needed=$(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
  if grep -vE '^(libc|libm|libdl|libpthread|ld-linux-x86-64)\.so' <<<"$needed"; then fail "$file needs these libraries"; fi
  newest=$(objdump -T "$file" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -1)
  echo "package: ${file##*/} needs $newest"
  [[ $(printf '%s\n' "GLIBC_$oldest" "$newest" | sort -V | tail -1) == "GLIBC_$oldest" ]] ||
    fail "$file: $newest is newer than GLIBC_$oldest; see packaging/older_glibc.cpp"
done

program=$build/tests/nvtx_steps
[[ -x $program ]] || program=
"$root/packaging/check.sh" "$unpacked/lanescope/usr" "$program"
"$root/packaging/check.sh" "$unpacked/both/usr" "$program"
