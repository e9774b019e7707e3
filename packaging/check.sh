#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks what lies installed below PREFIX by using it from there, with an empty home: the command line records PROGRAM,
# which takes the steps of tests/programs/nvtx_steps.cpp, and reads what it recorded; pages and completion hold together;
# and where the viewer is installed, it draws, and files of reports lead to it. What a machine has no tool for is left out
# and said. Usage: packaging/check.sh PREFIX [PROGRAM]
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd) program=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir home data
export HOME=$work/home XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config
export XDG_DATA_DIRS=$prefix/share:/usr/share QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
unset LD_LIBRARY_PATH
lanescope=$prefix/bin/lanescope viewer=$prefix/bin/lanescope-ui share=$prefix/share

fail() { echo "check: $1" >&2; exit 1; }
holds() { [[ $2 == *"$3"* ]] || fail "$1: \"$3\" is not in: $2"; }
has() { command -v "$1" >/dev/null || { echo "check: no $1 here; not checked: $2"; return 1; }; }

commandLine() {
  holds "--version" "$("$lanescope" --version)" "lanescope "
  ! ldd "$lanescope" | grep -q 'libQt' || fail "the command line links Qt"
  local status=0
  "$lanescope" --no-such-option 2>said || status=$?  # an exception on its way to main
  [[ $status == 2 ]] || fail "bad usage ends with $status: $(<said)"
  [[ -n $program ]] || { echo "check: no program given; not checked: recording"; return 0; }
  "$lanescope" profile -o steps "$program" +one +two - - 2>said || fail "profile: $(<said)"
  holds "info of what was recorded" "$("$lanescope" info --json steps.rep)" '"nvtx": {"ranges": 2,'
}

pages() {
  local page command option
  for page in $("$lanescope" manual); do
    [[ -f $share/man/man1/$page.1.gz ]] || fail "no manual page for $page"
  done
  has man "manual pages" || return 0
  for page in "$share"/man/man1/*.gz; do
    man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>said >/dev/null || fail "$page: $(<said)"
    [[ ! -s said ]] || fail "$page: $(<said)"
  done
  # Every option that the help of a command names stands on its page.
  for page in "$share"/man/man1/*.gz; do
    command=$(basename "$page" .1.gz)
    case $command in
      lanescope | lanescope-ui) words=("$prefix/bin/$command") ;;
      *) words=("$lanescope" "${command#lanescope-}") ;;
    esac
    MANWIDTH=200 man -l "$page" >page
    for option in $("${words[@]}" --help | grep -oE '^ +(-[a-zA-Z],? ?)?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
      grep -q -- "$option" page || fail "$option is not on the page $command"
    done
  done
}

completion() {
  local shell file
  for shell in bash zsh fish; do
    has "$shell" "completion for it" || continue
    for file in "$share"/bash-completion/completions/* "$share"/zsh/*/_lanescope* "$share"/fish/*/lanescope*.fish; do
      case $shell:$file in bash:*bash-completion*) ;; zsh:*/zsh/*) ;; fish:*/fish/*) ;; *) continue ;; esac
      "$shell" -n "$file" || fail "$shell does not read $file"
    done
  done
  completed() {  # what bash offers behind these words
    bash -c 'source "$0"; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _lanescope; echo " ${COMPREPLY[*]} "' \
      "$share/bash-completion/completions/lanescope" lanescope "$@"
  }
  holds "completion of commands" "$(completed st)" " stats "
  holds "completion of options" "$(completed profile --tr)" " --trace "
  holds "completion of reports" "$(completed stats -r nvtx_sum,cuda_gpu_k)" " nvtx_sum,cuda_gpu_kern_sum "
  holds "completion of values" "$(completed profile --stats = t)" " true "
  [[ -z $(completed profile -o x python3 --tr | tr -d ' ') ]] || fail "options of lanescope offered to another program"
}

drawing() {
  local sample=$share/lanescope/samples/overlap_bad.rep
  "$viewer" --screenshot a.png --size 800x600 "$sample" 2>said || fail "the viewer: $(<said)"
  [[ $(head -c 8 a.png | od -An -tx1) == *"89 50 4e 47"* ]] || fail "the viewer drew no PNG"
  holds "info of the sample" "$("$lanescope" info "$sample")" "Kernels"
}

desktop() {
  local validate=(appstreamcli validate --no-net --override=cid-desktopapp-is-not-rdns=info)  # it has no domain yet
  if has desktop-file-validate "desktop entry"; then desktop-file-validate "$share"/applications/lanescope.desktop; fi
  if has appstreamcli "AppStream data"; then
    "${validate[@]}" "$share"/metainfo/lanescope.metainfo.xml >said || fail "$(<said)"
  fi
  if has xmllint "XML"; then xmllint --noout "$share"/mime/packages/lanescope.xml "$share"/metainfo/lanescope.metainfo.xml; fi
  has update-mime-database "types of files" && has gio "types of files" || return 0

  # A desktop's caches, on a copy: a package leaves them to the system.
  mkdir copy
  cp -r "$share"/mime "$share"/applications "$share"/icons copy
  update-mime-database copy/mime 2>/dev/null
  export XDG_DATA_DIRS=$work/copy:/usr/share
  local sample=$share/lanescope/samples/overlap_bad.rep ours=application/vnd.lanescope.report
  cp "$sample" named.rep
  cp "$sample" unnamed
  for file in named.rep unnamed; do
    holds "type of $file" "$(gio info -a standard::content-type "$file")" "$ours"
  done
  if has update-desktop-database "who opens a report"; then
    update-desktop-database copy/applications
    # GLib offers only what PATH finds.
    holds "who opens a report" "$(PATH=$prefix/bin:$PATH gio mime $ours)" "Default application for “$ours”: lanescope.desktop"
  fi
  local icon
  for icon in scalable/apps/lanescope.svg {48x48,128x128,256x256}/{apps/lanescope,mimetypes/application-vnd.lanescope.report}.png; do
    [[ -f copy/icons/hicolor/$icon ]] || fail "no icon $icon"
  done
}

commandLine
pages
completion
if [[ -x $viewer ]]; then drawing && desktop; fi
echo "check: $prefix is whole"
