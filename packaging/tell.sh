#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lets a program that was just built tell its words: manual pages (FOLDER/man1, as Debian has them, gzipped) and completion
# for each shell (FOLDER/bash, zsh, fish). Usage: packaging/tell.sh PROGRAM FOLDER
set -euo pipefail

program=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder/man1"

if [[ ${program##*/} == lanescope ]]; then
  for page in $("$program" manual); do "$program" manual "$page" | gzip -9n >"$folder/man1/$page.1.gz"; done
  for shell in bash zsh fish; do "$program" completion "$shell" >"$folder/$shell"; done
else
  "$program" --words-for man | gzip -9n >"$folder/man1/${program##*/}.1.gz"
  for shell in bash zsh fish; do "$program" --words-for "$shell" >"$folder/$shell"; done
fi
