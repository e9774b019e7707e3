#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verifies what is recorded of the CPU by a program whose shares and switches are known; needs no GPU.

  tests/gpu/cpu_known.py --lanescope BIN --out DIR [--seconds 10] [--rounds 5]

Builds tests/programs/cpu_known.cpp with frame pointers and without. Prints a line "PART cpu-known PASS|FAIL …" a check and ends
with 1 if one is bad: shares within 3 points of 40/30/20/10 %, stacks that reach where the thread or program began in 99 %,
context switches as the kernel counted them, and what recording adds to the program's time, interleaved.
"""
import argparse
import os
import sqlite3
import statistics
import subprocess
import sys
import time

ap = argparse.ArgumentParser()
ap.add_argument("--lanescope", required=True)
ap.add_argument("--out", required=True)
ap.add_argument("--seconds", type=float, default=10)
ap.add_argument("--rounds", type=int, default=5)
ap.add_argument("--sleeps", type=int, default=1000)
args = ap.parse_args()

here = os.path.dirname(os.path.abspath(__file__))
os.makedirs(args.out, exist_ok=True)
bad = 0

WORK = {"work_forty": 40, "work_thirty": 30, "work_twenty": 20, "work_ten": 10}
BEGINS = {"_start", "clone", "__clone", "clone3", "__clone3", "start_thread", "__libc_start_main", "__libc_start_call_main",
          "main"}


def check(good, *words):
    global bad
    bad += not good
    print("PART cpu-known", "PASS" if good else "FAIL", *words, flush=True)


def build(name, flags):
    target = os.path.join(args.out, name)
    source = os.path.join(here, "..", "programs", "cpu_known.cpp")
    subprocess.run(["g++", "-O2", "-g0", "-std=c++17", "-pthread", *flags, source, "-o", target], check=True)
    return target


def record(program, options, arguments):
    report = os.path.join(args.out, "cpu.rep")
    command = [args.lanescope, "profile", "-f", "true", "-t", "none", "-o", report, *options, program, *arguments]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    return report, done, time.monotonic() - begin


def rows(report, sql):
    with sqlite3.connect(report) as database:
        return database.execute(sql).fetchall()


def shares(name, report):
    counts = dict(rows(report, "SELECT s.value, COUNT(*) FROM SAMPLING_CALLCHAINS c JOIN StringIds s ON s.id = c.symbol "
                               "WHERE stackDepth = 0 GROUP BY 1"))
    total = sum(counts.values())
    for function, wanted in WORK.items():
        share = 100 * counts.get(function, 0) / max(total, 1)
        check(abs(share - wanted) <= 3, f"{name}: {function} {share:.1f} % of {total} samples, {wanted} wanted")


def completeness(name, report):
    stacks = {}
    for stack, symbol, method, module in rows(report, "SELECT c.id, s.value, unwindMethod, m.value FROM "
                                                      "SAMPLING_CALLCHAINS c JOIN StringIds s ON s.id = c.symbol JOIN "
                                                      "StringIds m ON m.id = c.module ORDER BY c.id, stackDepth"):
        stacks.setdefault(stack, []).append((symbol, method, module))
    walked = [stack for stack in stacks.values() if len(stack) > 1 or stack[0][1] != 0]
    begins = BEGINS
    if name.endswith("-b fp"):  # other libraries may have none
        walked = [stack for stack in walked if stack[0][0] in WORK]
        begins = BEGINS | {"sleep_often"}
    # A stripped C library has no name for where threads begin (clone3), a stripped loader none for _start.
    nameless = [stack[-1][0].startswith("0x") and os.path.basename(stack[-1][2]).startswith(("libc.so", "ld-linux"))
                for stack in walked]
    whole = sum(last or any(symbol in begins for symbol, *_ in stack) for stack, last in zip(walked, nameless))
    share = 100 * whole / max(len(walked), 1)
    check(share >= 99, f"{name}: {share:.2f} % of {len(walked)} stacks are complete")


def switches(name, report, told):
    begins = dict(rows(report, "SELECT name, value FROM META_DATA_CAPTURE WHERE name = 'LANESCOPE:START_MONOTONIC'"))
    zero = int(begins["LANESCOPE:START_MONOTONIC"])
    for line in told.splitlines():
        if not line.startswith("known "):
            continue
        thread, begin, end, count = map(int, line.split()[1:])
        found = rows(report, "SELECT COUNT(*) FROM SCHED_EVENTS WHERE isSchedIn = 0 AND globalTid & 0xFFFFFF = "
                             f"{thread} AND start BETWEEN {begin - zero} AND {end - zero}")[0][0]
        check(found == count, f"{name}: thread {thread} was switched {found} times, the kernel counted {count}")


def overhead(program):
    """What the program's own processor time grows by, which the rest of the machine disturbs little."""
    plain, recorded = [], []
    for _ in range(args.rounds):
        for options, times in ((["-s", "none", "--cpuctxsw", "none"], plain), ([], recorded)):
            _, done, _ = record(program, options, ["0", "0", "1", str(int(args.seconds * 2000))])
            times.append(float(done.stdout.split("steps ")[1].split()[0]))
    grown = statistics.median(recorded) / statistics.median(plain) - 1
    check(grown < 0.04, f"recording adds {100 * grown:.2f} % to {statistics.median(plain):.2f} s of work "
                        f"({min(plain):.2f} to {max(plain):.2f}, recorded {min(recorded):.2f} to {max(recorded):.2f})")


pointers = build("cpu_known_fp", ["-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer"])
none = build("cpu_known_none", ["-fomit-frame-pointer"])
for name, program, options in (
    ("frame pointers, -b fp", pointers, ["-s", "process-tree", "-b", "fp"]),
    ("frame pointers, default", pointers, []),
    ("no frame pointers, default", none, []),
    ("no frame pointers, -b dwarf, each", none, ["-b", "dwarf", "--samples-per-backtrace=1"]),
):
    report, done, took = record(program, options, [str(args.seconds), str(args.sleeps), "3"])
    if done.returncode:
        check(False, name, done.stderr)
        continue
    shares(name, report)
    completeness(name, report)
    switches(name, report, done.stdout)
    lost = rows(report, "SELECT name FROM sqlite_master WHERE name = 'LANESCOPE_ISSUES'")
    if lost:
        issues = [text for kind, text in rows(report, "SELECT kind, text FROM LANESCOPE_ISSUES") if "cpu" in kind]
        check(not issues, f"{name}: {issues}")
overhead(none)
sys.exit(bad > 0)
