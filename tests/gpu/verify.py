#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verifies recording on a machine with a GPU, beside Nsight Systems, and prints what it found.

  tests/gpu/verify.py --lanescope BIN --workloads DIR --out DIR [--nsys NSYS] [--parts expect,peer,overhead,steps,launches,kill,kineto]

Builds the CUDA programs with nvcc. Every part prints lines "PART ...", and DIR/results.json holds all of it. Small
recordings stay in DIR. Needs nothing but Python's standard library (train.py needs PyTorch).
"""
import argparse
import functools
import json
import os
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import time

ap = argparse.ArgumentParser()
ap.add_argument("--lanescope", required=True)
ap.add_argument("--workloads", required=True)
ap.add_argument("--out", required=True)
ap.add_argument("--nsys")
ap.add_argument("--rounds", type=int, default=7)
ap.add_argument("--parts", default="expect,peer,overhead,steps,launches,kill,kineto")
ap.add_argument("--train", default="--steps 60", help="options of train.py for its overhead as a whole process")
ap.add_argument("--profile-options", default="", help="more options for every lanescope profile")
args = ap.parse_args()

here = os.path.dirname(os.path.abspath(__file__))
work = os.path.join(args.out, "work")
os.makedirs(work, exist_ok=True)
results = {}


def say(*words):
    print(*words, flush=True)


def run(command, env=None, timeout=240):
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=env)
    return done.returncode, done.stdout, done.stderr


def build(name, source):
    target = os.path.join(work, name)
    code, _, err = run(["nvcc", "-O2", "-arch=native", "-std=c++17", "-Xcompiler", "-pthread", "-o", target, source])
    if code:
        say("BUILD", name, "failed:", err[-500:])
    return target


class Programs(dict):
    """Built when a part first asks for them."""

    def __missing__(self, name):
        self[name] = build(name, os.path.join(here if name in ("die", "launch_worker") else args.workloads, name + ".cu"))
        return self[name]


programs = Programs()
python = [sys.executable, os.path.join(args.workloads, "train.py")]


def ours(report, command, options=()):
    return run([args.lanescope, "profile", "-o", report, "-f", "true", *args.profile_options.split(), *options, *command])


def nsys(report, command, options=("-t", "cuda,nvtx", "-s", "none", "--cpuctxsw=none")):
    for end in (".nsys-rep", ".sqlite"):
        if os.path.exists(report + end):
            os.remove(report + end)
    return run([args.nsys, "profile", "-o", report, "-f", "true", *options, *command])


def exported(report):
    code, _, err = run([args.nsys, "export", "-t", "sqlite", "-o", report + ".sqlite", "-f", "true", report + ".nsys-rep"])
    return report + ".sqlite" if code == 0 and os.path.exists(report + ".sqlite") else None


def query(path, sql, default=None):
    try:
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        return database.execute(sql).fetchall()
    except sqlite3.Error:
        return default if default is not None else []


def one(path, sql):
    rows = query(path, sql)
    return rows[0][0] if rows else 0


def figures(path):
    kernels = query(path, "SELECT count(*), coalesce(sum(end - start), 0) FROM CUPTI_ACTIVITY_KIND_KERNEL", [(0, 0)])[0]
    return {
        "kernels": kernels[0],
        "kernel_ns": kernels[1],
        "graphs": one(path, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE"),
        "copies": one(path, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY"),
        "h2d": one(path, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind = 1"),
        "h2d_bytes": one(path, "SELECT coalesce(sum(bytes), 0) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind = 1"),
        "memsets": one(path, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMSET"),
        "streams": one(path, "SELECT count(DISTINCT streamId) FROM CUPTI_ACTIVITY_KIND_KERNEL"),
        "names": sorted(r[0] for r in query(path, "SELECT DISTINCT s.value FROM CUPTI_ACTIVITY_KIND_KERNEL k "
                                                  "JOIN StringIds s ON s.id = k.demangledName")),
        "nvtx": dict(query(path, "SELECT coalesce(n.text, s.value), count(*) FROM NVTX_EVENTS n LEFT JOIN StringIds s "
                                 "ON s.id = n.textId WHERE eventType IN (59, 60) GROUP BY 1")),
        "api": dict(query(path, "SELECT s.value, count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME r "
                                "JOIN StringIds s ON s.id = r.nameId GROUP BY 1")),
        "sync": one(path, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"),
        "events": one(path, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_CUDA_EVENT"),
        "memory": query(path, "SELECT memKind, memoryOperationType, count(*), sum(bytes) FROM "
                              "CUDA_GPU_MEMORY_USAGE_EVENTS GROUP BY 1, 2"),
        "moved": query(path, "SELECT copyKind, migrationCause, count(*), sum(bytes) FROM CUPTI_ACTIVITY_KIND_MEMCPY "
                             "WHERE copyKind > 10 GROUP BY 1, 2"),
        "faults": (one(path, "SELECT count(*) FROM CUDA_UM_CPU_PAGE_FAULT_EVENTS"),
                   one(path, "SELECT coalesce(sum(numberOfPageFaults), 0) FROM CUDA_UM_GPU_PAGE_FAULT_EVENTS")),
    }


def expectations(stdout):
    found = re.search(r"EXPECT (.*)", stdout)
    return dict(re.findall(r"(\w+)=(\S+)", found.group(1))) if found else {}


@functools.cache
def cases():
    return {
        "overlap_good": ([programs["overlap"], "good"], ()),
        "overlap_bad": ([programs["overlap"], "bad"], ()),
        "storm": ([programs["storm"], "20000"], ()),
        "graphs_graph": ([programs["graphs"]], ("--cuda-graph-trace=graph",)),
        "graphs_node": ([programs["graphs"]], ("--cuda-graph-trace=node",)),
        "threads": ([programs["threads"]], ()),
        "managed": ([programs["managed"]], ("--cuda-um-cpu-page-faults=true", "--cuda-um-gpu-page-faults=true",
                                            "--cuda-memory-usage=true")),
        "train": ([*python, "--steps", "10"], ("--cuda-memory-usage=true",)),
    }


def part_expect():
    for name, (command, options) in cases().items():
        report = os.path.join(args.out, name + ".rep")
        code, out, err = ours(report, command, options)
        if not os.path.exists(report):
            say("EXPECT", name, "NO REPORT", code, err[-800:])
            continue
        info = json.loads(run([args.lanescope, "info", "--json", report])[1] or "{}")
        found = figures(report)
        short = {k: v for k, v in found.items() if k not in ("names", "nvtx", "api")}
        say("EXPECT", name, "exit", code, "expected", expectations(out), "found", short, "issues",
            [(i["kind"], i["count"]) for i in info.get("issues", [])])
        say("   said:", err.strip().replace("\n", " | ")[-600:])
        say("   nvtx:", dict(list(found["nvtx"].items())[:8]), "names:", found["names"][:4])
        results.setdefault("expect", {})[name] = {"expected": expectations(out), "found": found, "info": info}


def part_peer():
    for name, (command, options) in cases().items():
        mine = os.path.join(args.out, name + ".rep")
        theirs = os.path.join(work, name)
        nsys(theirs, command, ("-t", "cuda,nvtx", "-s", "none", "--cpuctxsw=none", *options))
        path = exported(theirs)
        if not path or not os.path.exists(mine):
            say("PEER", name, "not compared")
            continue
        a, b = figures(mine), figures(path)
        say("PEER", name, {k: (a[k], b[k]) for k in ("kernels", "kernel_ns", "graphs", "copies", "memsets", "streams", "sync", "events", "memory",
                                                       "moved", "faults") if a[k] or b[k]},
            "names equal" if a["names"] == b["names"] else ("NAMES", [n for n in a["names"] if n not in b["names"]][:3],
                                                            [n for n in b["names"] if n not in a["names"]][:3]),
            "nvtx equal" if a["nvtx"] == b["nvtx"] else ("NVTX", {k: (a["nvtx"].get(k), b["nvtx"].get(k))
                                                                  for k in set(a["nvtx"]) | set(b["nvtx"])
                                                                  if a["nvtx"].get(k) != b["nvtx"].get(k)}),
            "api", {k: (a["api"].get(k), b["api"].get(k)) for k in set(a["api"]) | set(b["api"])
                    if a["api"].get(k) != b["api"].get(k)})
        results.setdefault("peer", {})[name] = {"ours": a, "nsys": b}


def figure_of(stdout):
    found = re.search(r"(?:submit_ns_per_launch|median_ms)=([\d.]+)", stdout)
    return float(found.group(1)) if found else None


def report_added(name, rows):
    """Medians of rows (bare, ours, nsys), and of what each adds in its own round."""
    good = [row for row in rows if None not in row]
    ratios = [(m - b) / (p - b) for b, m, p in good if p != b]
    added = [sorted(m - b for b, m, _ in good), sorted(p - b for b, _, p in good)]
    if good:
        say("OVERHEAD", name, len(good), "rounds; medians bare/ours/nsys", *[statistics.median(c) for c in zip(*good)],
            "added by ours", statistics.median(added[0]), "nsys", statistics.median(added[1]),
            "median of ratios", statistics.median(ratios) if ratios else None,
            "ratio of medians", statistics.median(added[0]) / statistics.median(added[1]),
            "range ours", added[0][0], added[0][-1], "nsys", added[1][0], added[1][-1])
    results.setdefault("overhead", {})[name] = rows


def part_overhead():
    for name, command in (("storm", [programs["storm"], "200000"]), ("train", [*python, *args.train.split()])):
        rows = []
        for _ in range(args.rounds):
            bare = figure_of(run(command)[1])
            mine = figure_of(ours(os.path.join(work, "o.rep"), command)[1])
            peer = figure_of(nsys(os.path.join(work, "o"), command)[1]) if args.nsys else None
            rows.append((bare, mine, peer))
            say("OVERHEAD", name, rows[-1])
        report_added(name, rows)


def asked_in_turn(what, worker, amount, rounds):
    """A worker bare, under ours and under theirs, all alive, each asked within each second: rows of what they tell."""
    commands = {"bare": [],
                "ours": [args.lanescope, "profile", "-o", os.path.join(work, what + ".rep"), "-f", "true",
                         *args.profile_options.split()]}
    if args.nsys:
        commands["nsys"] = [args.nsys, "profile", "-t", "cuda,nvtx", "-s", "none", "--cpuctxsw=none",
                            "-o", os.path.join(work, what), "-f", "true"]
    workers, pipes, found = {}, {}, {name: [] for name in commands}
    for name, command in commands.items():
        fifo = os.path.join(work, f"fifo_{what}_{name}")
        for end in (".in", ".out"):
            os.mkfifo(fifo + end)
        workers[name] = subprocess.Popen([*command, *worker, fifo], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        pipes[name] = open(fifo + ".in", "w"), open(fifo + ".out")
        pipes[name][1].readline()
    for turn in range(rounds):
        names = list(commands)
        for name in names[turn % len(names):] + names[:turn % len(names)]:
            print(amount, file=pipes[name][0], flush=True)
            found[name].append(float(pipes[name][1].readline()))
    for name, process in workers.items():
        pipes[name][0].close()
        process.wait()
    report_added(what, list(zip(found["bare"], found["ours"], found.get("nsys", [None] * rounds))))


def part_steps():
    """Steps of training (step_worker.py), in ms."""
    asked_in_turn("steps", [sys.executable, os.path.join(here, "step_worker.py")], 12, 40)


def part_launches():
    """Launches of storm.cu (launch_worker.cu), in ns."""
    asked_in_turn("launches", [programs["launch_worker"]], 20000, 40)


def part_kill():
    for how in ("return", "exit", "_exit", "abort", "segv", "sigterm", "sigint", "sigkill"):
        command = [programs["die"], how]
        mine = os.path.join(work, "k.rep")
        if os.path.exists(mine):
            os.remove(mine)
        code, out, err = ours(mine, command)
        a = figures(mine) if os.path.exists(mine) else None
        peer = None
        if args.nsys:
            nsys(os.path.join(work, "k"), command)
            path = exported(os.path.join(work, "k"))
            peer = figures(path) if path else None
        row = {"exit": code, "ours": a and (a["kernels"], sum(a["nvtx"].values()), sum(a["api"].values())),
               "nsys": peer and (peer["kernels"], sum(peer["nvtx"].values()), sum(peer["api"].values()))}
        say("KILL", how, row, "said:", err.strip().split("\n")[-1][-200:])
        results.setdefault("kill", {})[how] = row
    # The launcher itself is killed while the program goes on.
    report = os.path.join(work, "launcher.rep")
    process = subprocess.Popen([args.lanescope, "profile", "-o", report, "-f", "true", programs["die"], "hang"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    process.stdout.readline()
    time.sleep(1.5)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    subprocess.run(["pkill", "-9", "-f", programs["die"]])
    time.sleep(0.5)
    left = [d for d in os.listdir(work) if "launcher" in d]
    recovered = None
    for folder in left:
        code, out, err = run([args.lanescope, "recover", os.path.join(work, folder), "-o", os.path.join(work, "recovered.rep")])
        say("KILL launcher: recover", folder, "exit", code, err.strip()[-300:])
        if os.path.exists(os.path.join(work, "recovered.rep")):
            a = figures(os.path.join(work, "recovered.rep"))
            recovered = (a["kernels"], sum(a["nvtx"].values()), sum(a["api"].values()))
    say("KILL launcher", left, "recovered", recovered)
    results.setdefault("kill", {})["launcher"] = recovered


def part_kineto():
    out = os.path.join(work, "kineto.json")
    code, stdout, err = ours(os.path.join(work, "kineto.rep"), [*python, "--steps", "6", "--kineto", out])
    say("KINETO exit", code, "trace written", os.path.exists(out), figures(os.path.join(work, "kineto.rep"))["kernels"],
        "kernels in ours; said:", err.strip().replace("\n", " | ")[-600:])
    code, stdout, err = ours(os.path.join(work, "capture.rep"), [*python, "--steps", "20", "--capture"],
                             ("-c", "cudaProfilerApi", "--capture-range-end=stop"))
    say("CAPTURE exit", code, expectations(stdout), {k: v for k, v in figures(os.path.join(work, "capture.rep"))["nvtx"].items()
                                                     if k.startswith("step") or k == "forward"}, err.strip()[-300:])
    code, stdout, err = ours(os.path.join(work, "range.rep"), [*python, "--steps", "8"],
                             ("-c", "nvtx", "-p", "step 3", "--capture-range-end=stop"))
    say("CAPTURE nvtx exit", code, list(figures(os.path.join(work, "range.rep"))["nvtx"].items())[:6], err.strip()[-300:])


def nvidia_smi():
    say(run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])[1].strip())


nvidia_smi()
for part in args.parts.split(","):
    try:
        globals()["part_" + part]()
    except Exception as error:  # one part must not take the others with it
        say("PART", part, "failed:", repr(error))
with open(os.path.join(args.out, "results.json"), "w") as file:
    json.dump(results, file, indent=1)
shutil.rmtree(work, ignore_errors=True)
