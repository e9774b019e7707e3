#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Seeds for symbols_fuzz, into the folder that is named: small libraries and a program in several makings.
set -e
cd "$1"
cat >a.c <<'C'
#include <stdio.h>
static __attribute__((noinline)) int inner(int x) { volatile int kept[9] = {x}; return kept[x & 7] + puts("a"); }
int outer(int x) { return inner(x) + inner(x + 1); }
int other(int x) __attribute__((alias("outer")));
int many(int n, const char *format) { char text[n]; return snprintf(text, n, format, outer(n)); }
int start(void) { return many(9, "%d"); }
C
make() { cc -nostartfiles -Wl,-z,max-page-size=4096 -Wl,--build-id "$@"; }
make -O2 -shared -fPIC a.c -o shared.so
make -O2 -shared -fPIC -Wl,-z,lazy -fcf-protection a.c -o lazy.so
make -O1 -g -fno-asynchronous-unwind-tables -Wa,--gdwarf-4 -shared -fPIC a.c -o frame.so
make -O1 -s -shared -fPIC a.c -o stripped.so
make -O1 -no-pie -Wl,-e,start a.c -o program
make -O1 -shared -fPIC -Wl,--no-eh-frame-hdr a.c -o flat.so
strip -o mini.so shared.so
xz -k --stdout --format=xz shared.so >packed.xz
objcopy --add-section .gnu_debugdata=packed.xz mini.so
printf '7f10 20 f:/a b.py\n0x7f40 0x8 g\n7f10 8 again\n' >perf.map
printf 'ffffffff81000000 T first\nffffffff81000100 t second\t[driver]\n' >kallsyms
printf '7f0000000000-7f0000001000 r-xp 00001000 fe:01 42   /usr/bin/a b\n7f0000000800-7f0000002000 rwxp 00000000 00:00 0 \n' >maps
rm a.c packed.xz
