#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recording what is around the kernels on a machine with GPUs: process trees, ranks, captures, sessions, long runs.

  tests/gpu/around.py --lanescope BIN --workloads DIR --out DIR [--parts forks,capture,managed,session,long,ddp]
                      [--launches 10000000]

Part ddp needs two GPUs. Every part prints lines "PART ..."; the reports that may become samples stay in DIR. Needs nothing
but Python's standard library (train.py and ddp.py need PyTorch).
"""
import argparse
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time

ap = argparse.ArgumentParser()
ap.add_argument("--lanescope", required=True)
ap.add_argument("--workloads", required=True)
ap.add_argument("--out", required=True)
ap.add_argument("--parts", default="forks,capture,managed,session,long,ddp")
ap.add_argument("--launches", type=int, default=10_000_000)
args = ap.parse_args()

here = os.path.dirname(os.path.abspath(__file__))
work = os.path.join(args.out, "around-work")
os.makedirs(work, exist_ok=True)


def say(*words):
    print(*words, flush=True)


def run(command, timeout=300, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, **more)
    return done.returncode, done.stdout, done.stderr


def program(name, folder=None):
    target = os.path.join(work, name)
    if not os.path.exists(target):
        source = os.path.join(folder or args.workloads, name + ".cu")
        code, _, err = run(["nvcc", "-O2", "-arch=native", "-std=c++17", "-Xcompiler", "-pthread", "-o", target, source])
        if code:
            say("BUILD", name, "failed:", err[-500:])
    return target


def query(path, sql):
    try:
        return sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute(sql).fetchall()
    except sqlite3.Error as error:
        return [("SQL", str(error))]


def expectations(stdout):
    return re.findall(r"EXPECT (.*)", stdout)


def ranges(report):
    """Name → instances, by `stats -r nvtx_sum`."""
    text = run([args.lanescope, "stats", "-q", "--format", "csv", "-r", "nvtx_sum", report])[1]
    rows = [line.split(",") for line in text.splitlines() if "," in line]
    return {row[-1].lstrip(":"): row[2] for row in rows[1:]}


def tell(part, report, code, out, err):
    if not os.path.exists(report):
        say(part, "NO REPORT", code, err[-800:])
        return
    info = json.loads(run([args.lanescope, "info", "--json", report])[1] or "{}")
    say(part, "exit", code, "expected", expectations(out), "bytes", os.path.getsize(report))
    say("   kernels by process:", query(report, "SELECT globalPid >> 24 & 0xFFFFFF, count(*) FROM "
                                                "CUPTI_ACTIVITY_KIND_KERNEL GROUP BY 1"))
    say("   ranges:", dict(list(ranges(report).items())[:12]))
    say("   issues:", [(i["kind"], i["count"]) for i in info.get("issues", [])])
    say("   info:", run([args.lanescope, "info", report])[1].strip().replace("\n", " | ")[:2500])
    say("   said:", err.strip().replace("\n", " | ")[-800:])


def record(part, name, command, options=(), keep=True):
    report = os.path.join(args.out if keep else work, name + ".rep")
    tell(part, report, *run([args.lanescope, "profile", "-o", report, "-f", "true", *options, *command]))
    return report


def part_forks():
    record("FORKS", "forks", [program("forks", here)], keep=False)


def part_capture():
    command = [sys.executable, os.path.join(args.workloads, "train.py"), "--workers", "2", "--steps", "20", "--capture"]
    record("CAPTURE", "train_capture", command, ("-c", "cudaProfilerApi", "--capture-range-end=stop"))


def part_managed():
    record("MANAGED", "managed", [program("managed")],
           ("--cuda-um-cpu-page-faults=true", "--cuda-um-gpu-page-faults=true", "--cuda-memory-usage=true"))


def part_session():
    """A program that runs on is recorded twice for a second each."""
    name = "around"
    launch = subprocess.Popen([args.lanescope, "launch", "--session-new=" + name, program("storm"), "2000000"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    for turn in (1, 2):
        report = os.path.join(work, f"session{turn}.rep")
        say("SESSION start", run([args.lanescope, "start", "--session=" + name, "-o", report, "-f", "true"]))
        time.sleep(1)
        began = time.monotonic()
        said = run([args.lanescope, "stop", "--session=" + name])
        say("SESSION stop took", round(time.monotonic() - began, 2), "s", said)
        time.sleep(1)
        say("SESSION kernels", query(report, "SELECT count(*), (max(end) - min(start)) / 1e9 FROM "
                                             "CUPTI_ACTIVITY_KIND_KERNEL"))
    say("SESSION list", run([args.lanescope, "sessions", "list"])[1].strip())
    say("SESSION end", launch.communicate(timeout=120))


def part_long():
    """Launches for a minute: memory, disk, time to finish, drops."""
    report, storm, peak = os.path.join(work, "long.rep"), program("storm"), {"storm": 0, "lanescope": 0}
    began = time.monotonic()
    process = subprocess.Popen([args.lanescope, "profile", "-o", report, "-f", "true", storm, str(args.launches)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def watch():
        names = {os.path.realpath(storm): "storm", os.path.realpath(args.lanescope): "lanescope"}
        while process.poll() is None:
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    name = names[os.readlink(f"/proc/{pid}/exe")]
                    with open(f"/proc/{pid}/status") as file:
                        high = [line for line in file if line.startswith("VmHWM")]
                    peak[name] = max(peak[name], int(high[0].split()[1]) // 1024)
                except (OSError, KeyError, IndexError):
                    continue
            time.sleep(0.3)

    watcher = threading.Thread(target=watch)
    watcher.start()
    out = process.stdout.readline()
    ended = time.monotonic()
    more, err = process.communicate()
    finished = time.monotonic()
    watcher.join()
    say("LONG", out.strip(), more.strip(), "program", round(ended - began, 1), "s, finishing", round(finished - ended, 1),
        "s, peak MiB", peak, "report MB", round(os.path.getsize(report) / 1e6, 1))
    say("   rows:", query(report, "SELECT (SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL), (SELECT count(DISTINCT "
                                  "correlationId) FROM CUPTI_ACTIVITY_KIND_KERNEL), (SELECT count(*) FROM "
                                  "CUPTI_ACTIVITY_KIND_RUNTIME)"))
    say("   issues:", query(report, "SELECT kind, count, text FROM LANESCOPE_ISSUES"), "said:", err.strip()[-500:])


def part_ddp():
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2"]
    ddp = os.path.join(args.workloads, "ddp.py")
    record("DDP one", "ddp", [*torchrun, ddp, "--steps", "6"])
    ranks = os.path.join(args.out, "ddp_rank%q{RANK}")
    done = run([*torchrun, "--no-python", args.lanescope, "profile", "-o", ranks, "-f", "true", sys.executable, ddp,
                "--steps", "6"])
    for rank in (0, 1):
        tell(f"DDP rank {rank}", os.path.join(args.out, f"ddp_rank{rank}.rep"), *done)


for part in args.parts.split(","):
    try:
        globals()["part_" + part]()
    except Exception as error:  # one part must not take the others with it
        say("PART", part, "failed:", repr(error))
shutil.rmtree(work, ignore_errors=True)
