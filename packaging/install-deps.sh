#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the packages of packages.txt that this machine lacks. Where nothing is missing it needs neither network nor
# root. --dev adds what only `test.sh --all` needs.
set -euo pipefail

fail() { echo "install-deps: $1" >&2; exit 1; }

case "${1:-}" in
  "") groups="build" ;;
  --dev) groups="build dev" ;;
  *) fail "unknown option $1; usage: packaging/install-deps.sh [--dev]" ;;
esac

command -v dpkg-query >/dev/null || fail "this is not Debian; install what packaging/packages.txt names by hand"

missing=()
while read -r group package _; do
  [[ " $groups " == *" $group "* ]] || continue
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done <"$(dirname "$0")/packages.txt"

((${#missing[@]})) || exit 0
echo "install-deps: installing ${missing[*]}"

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || fail "needs root to install ${missing[*]}; run it as root"
  as_root=(sudo)
fi
"${as_root[@]}" apt-get update -qq || fail "could not refresh the package lists; is the network there?"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
  </dev/null >/dev/null || fail "could not install ${missing[*]}; Debian 12 has them all"
