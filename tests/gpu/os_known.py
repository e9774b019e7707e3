#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Waits of a scripted program against its own clock, and our osrt_sum beside that of Nsight Systems. Needs gcc, no GPU.

    os_known.py --lanescope build/dev/lanescope --out /tmp/os
    os_known.py --lanescope … --out … --golden golden/threads/osrt_sum.csv --report threads.rep
"""
import argparse
import csv
import io
import pathlib
import sqlite3
import subprocess
import sys

PROGRAM = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t ready, go;
static int ends[2], happened;
static const char *names[] = {"pthread_mutex_lock", "pthread_rwlock_wrlock", "pthread_cond_wait", "sem_wait", "read"};
static void *waiter(void *unused) {
  char c;
  for (int i = 0; i < 100; ++i) {
    const int kind = i % 5;
    sem_wait(&ready);
    if (kind == 2) pthread_mutex_lock(&mutex);
    const long before = now();
    switch (kind) {
      case 0: pthread_mutex_lock(&mutex); break;
      case 1: pthread_rwlock_wrlock(&shared); break;
      case 2: while (!happened) pthread_cond_wait(&condition, &mutex); break;
      case 3: sem_wait(&go); break;
      case 4: if (read(ends[0], &c, 1) != 1) return "x"; break;
    }
    const long after = now();
    if (kind == 0) pthread_mutex_unlock(&mutex);
    if (kind == 1) pthread_rwlock_unlock(&shared);
    if (kind == 2) happened = 0, pthread_mutex_unlock(&mutex);
    printf("%s %ld %ld\n", names[kind], before, after);
  }
  return unused;
}
int main(void) {
  sem_init(&ready, 0, 0), sem_init(&go, 0, 0);
  if (pipe(ends) != 0) return 3;
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  for (int i = 0; i < 100; ++i) {
    const int kind = i % 5;
    if (kind == 0) pthread_mutex_lock(&mutex);
    if (kind == 1) pthread_rwlock_wrlock(&shared);
    sem_post(&ready);
    usleep(1000 * (5 + i % 20));
    switch (kind) {
      case 0: pthread_mutex_unlock(&mutex); break;
      case 1: pthread_rwlock_unlock(&shared); break;
      case 2: pthread_mutex_lock(&mutex), happened = 1, pthread_cond_signal(&condition), pthread_mutex_unlock(&mutex); break;
      case 3: sem_post(&go); break;
      case 4: if (write(ends[1], "x", 1) != 1) return 3; break;
    }
    usleep(1000);
  }
  pthread_join(thread, 0);
  return 0;
}
"""


def run(words, **more):
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE, **more).stdout


def report(part, good, what):
    print(f"PART os-known {'PASS' if good else 'FAIL'} {part}: {what}", flush=True)
    return good


def waits(lanescope, out):
    source, program, rep = out / "os_known.c", out / "os_known", out / "os_known.rep"
    source.write_text(PROGRAM)
    subprocess.run(["gcc", "-O1", "-g", "-o", program, source, "-pthread"], check=True)
    said = run([lanescope, "profile", "-t", "osrt", "-s", "none", "--cpuctxsw", "none", "-f", "true", "-o", rep, program],
               stderr=subprocess.DEVNULL)
    own = [(name, int(before), int(after)) for name, before, after in (line.split() for line in said.splitlines())]
    database = sqlite3.connect(rep)
    zero = int(dict(database.execute("SELECT name, value FROM META_DATA_CAPTURE"))["LANESCOPE:START_MONOTONIC"])
    rows = database.execute("SELECT value, start, end FROM OSRT_API JOIN StringIds ON StringIds.id = nameId").fetchall()
    worst, missing, twice = 0.0, 0, 0
    for name, before, after in own:
        inside = [(s + zero, e + zero) for n, s, e in rows if n == name and before <= s + zero and e + zero <= after]
        missing += not inside
        twice += len(inside) > 1 and name != "pthread_cond_wait"
        recorded = sum(e - s for s, e in inside)
        worst = max(worst, abs(recorded - (after - before)) / (after - before))
    good = len(own) == 100 and not missing and not twice and worst <= 0.05
    return report("waits", good, f"{len(own)} waits, {missing} missing, {twice} twice, off by {100 * worst:.2f} % at most")


def stacks(out):
    database = sqlite3.connect(out / "os_known.rep")
    long_ones, = database.execute("SELECT count(*) FROM OSRT_API WHERE end - start >= 80000").fetchone()
    named, = database.execute(
        "SELECT count(DISTINCT a.rowid) FROM OSRT_API a JOIN OSRT_CALLCHAINS c ON c.id = a.callchainId "
        "JOIN StringIds s ON s.id = c.symbol WHERE a.end - a.start >= 80000 AND s.value IN ('waiter', 'main')").fetchone()
    return report("stacks", named >= 0.99 * long_ones, f"{named} of {long_ones} long calls lead to the program's functions")


def side_by_side(lanescope, golden, rep):
    def totals(text):
        lines = text[text.index("Time (%)"):]
        return {row["Name"]: (int(row["Num Calls"]), int(row["Total Time (ns)"]))
                for row in csv.DictReader(io.StringIO(lines)) if row["Name"]}
    theirs = totals(golden.read_text())
    ours = totals(run([lanescope, "stats", "-q", "-f", "csv", "-r", "osrt_sum", rep]))
    print(f"{'call':28} {'theirs':>8} {'ours':>8} {'ns theirs':>14} {'ns ours':>14}")
    for name in sorted(theirs.keys() | ours.keys(), key=lambda n: -max(theirs.get(n, (0, 0))[1], ours.get(n, (0, 0))[1])):
        (a, t), (b, u) = theirs.get(name, (0, 0)), ours.get(name, (0, 0))
        print(f"{name:28} {a:8} {b:8} {t:14} {u:14}")
    absent = sorted(name for name, (_, time) in theirs.items() if name not in ours and time > 100000)
    return report("golden", not absent, f"calls of theirs of more than 0.1 ms that we lack: {', '.join(absent) or 'none'}")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lanescope", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    options.add_argument("--out", required=True, type=pathlib.Path)
    options.add_argument("--golden", type=pathlib.Path)
    options.add_argument("--report", type=pathlib.Path)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    good = [waits(given.lanescope, given.out), stacks(given.out)]
    if given.golden and given.report:
        good.append(side_by_side(given.lanescope, given.golden, given.report))
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
