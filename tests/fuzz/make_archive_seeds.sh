#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Seeds for archive_fuzz, into the folder that is named: two small traces in every packing that CMake's tar and gzip know.
set -e
cd "$1"
printf '{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":2,"ts":1,"dur":2}]}' >a.json
printf '[{"ph":"X","name":"b","pid":1,"tid":2,"ts":1,"dur":2},\n{"ph":"i","name":"c","pid":1,"tid":2,"ts":9}' >b.json
cmake -E tar cf two.zip --format=zip a.json b.json
cmake -E tar cf two.7z --format=7zip a.json b.json
cmake -E tar cf two.tar --format=gnutar a.json b.json
cmake -E tar cf two.pax --format=paxr a.json b.json
cmake -E tar cJf two.tar.xz a.json b.json
cmake -E tar cjf two.tar.bz2 a.json b.json
cmake -E tar cf two.tar.zst --zstd a.json b.json
cmake -E tar cf one.zip --format=zip two.tar.xz
gzip -nc a.json >members.gz
gzip -nc b.json >>members.gz
head -c -10 members.gz >cut.gz
