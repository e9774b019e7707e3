#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""GPU metrics on a machine with a GPU, beside Nsight Systems: values, gaps, losses, and what the sampler costs.

  tests/gpu/metrics.py --lanescope BIN --workloads DIR --out DIR [--nsys NSYS] [--seconds 60]
                       [--parts beside,minute,rates,clocks,killed,nvml]

Builds overlap.cu and storm.cu with nvcc. Every part prints lines "PART ..."; DIR/metrics.json holds all of it, and
overlap_metrics.rep stays in DIR. Needs nothing but Python's standard library. Run it as root, or where the counters may
be read; otherwise it shows what is said then.
"""
import argparse
import json
import os
import shutil
import signal
import sqlite3
import statistics
import subprocess
import threading
import time

ap = argparse.ArgumentParser()
ap.add_argument("--lanescope", required=True)
ap.add_argument("--workloads", required=True)
ap.add_argument("--out", required=True)
ap.add_argument("--nsys")
ap.add_argument("--seconds", type=int, default=60)
ap.add_argument("--parts", default="beside,minute,rates,clocks,killed,nvml")
args = ap.parse_args()

work = os.path.join(args.out, "metrics-work")
os.makedirs(work, exist_ok=True)
results = {}
METRICS = ("--gpu-metrics-devices=all", "--gpu-metrics-frequency=10000")


def say(*words):
    print(*words, flush=True)


def run(command, timeout=400, env=None):
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=env)
    return done.returncode, done.stdout, done.stderr


def build(name):
    target = os.path.join(work, name)
    code, _, err = run(["nvcc", "-O2", "-arch=native", "-std=c++17", "-Xcompiler", "-pthread", "-o", target,
                        os.path.join(args.workloads, name + ".cu")])
    if code:
        say("BUILD", name, "failed:", err[-500:])
    return target


def query(path, sql):
    try:
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        return database.execute(sql).fetchall()
    except sqlite3.Error as error:
        say("SQL", path, error)
        return []


def kernel_span(path):
    rows = query(path, "SELECT min(start), max(end) FROM CUPTI_ACTIVITY_KIND_KERNEL")
    return rows[0] if rows and rows[0][0] is not None else None


def means(path, span):
    """Mean, maximum and count of each metric of the first GPU, over the span of the kernels."""
    where = f"WHERE timestamp >= {span[0]} AND timestamp < {span[1]}" if span else ""
    return {name: (count, mean, most) for name, count, mean, most in query(path, f"""
        SELECT metricName, count(*), avg(value), max(value) FROM (SELECT * FROM GPU_METRICS {where})
        JOIN TARGET_INFO_GPU_METRICS USING (typeId, metricId)
        WHERE typeId = (SELECT min(typeId) FROM TARGET_INFO_GPU_METRICS) GROUP BY metricName""")}


def intervals(path):
    """By GPU: samples, median interval, largest interval, and how many are longer than 1.5 of the median."""
    found = {}
    for (gpu,) in query(path, "SELECT DISTINCT typeId FROM TARGET_INFO_GPU_METRICS"):
        metric = query(path, f"SELECT min(metricId) FROM TARGET_INFO_GPU_METRICS WHERE typeId = {gpu}")[0][0]
        times = [row[0] for row in query(path, f"SELECT timestamp FROM GPU_METRICS WHERE typeId = {gpu} AND metricId = "
                                               f"{metric} ORDER BY timestamp")]
        steps = [b - a for a, b in zip(times, times[1:])]
        if steps:
            middle = statistics.median(steps)
            found[gpu & 0xFF] = {"samples": len(times), "first": times[0], "last": times[-1], "median": middle,
                                 "largest": max(steps), "smallest": min(steps),
                                 "gaps": sum(step > 1.5 * middle for step in steps)}
        else:
            found[gpu & 0xFF] = {"samples": len(times)}
    return found


def told(path):
    """What the report itself says about the sampling."""
    facts = dict(query(path, "SELECT name, value FROM META_DATA_CAPTURE WHERE name LIKE 'GPU_METRICS_OPTIONS%'"))
    tables = [row[0] for row in query(path, "SELECT name FROM sqlite_master")]
    issues = query(path, "SELECT kind, count, text FROM LANESCOPE_ISSUES") if "LANESCOPE_ISSUES" in tables else []
    words = query(path, "SELECT text FROM DIAGNOSTIC_EVENT") if "DIAGNOSTIC_EVENT" in tables else []
    return facts, issues, [w[0] for w in words]


def ours(name, command, options=METRICS):
    report = os.path.join(work, name + ".rep")
    code, out, err = run([args.lanescope, "profile", "-o", report, "-f", "true", *options, *command])
    say("  said:", err.strip().replace("\n", " | ")[-800:])
    if not os.path.exists(report):
        say("  NO REPORT, exit", code)
        return None
    facts, issues, words = told(report)
    say("  facts:", facts)
    say("  issues:", issues, "diagnostics:", words)
    return report


def sync_error(path):
    """How far samples and kernels are apart: SMs active a sample before the first kernel, in the first, after the last."""
    span = kernel_span(path)
    if not span:
        return None
    rows = query(path, f"""SELECT timestamp - {span[0]}, value FROM GPU_METRICS JOIN TARGET_INFO_GPU_METRICS
        USING (typeId, metricId) WHERE metricName LIKE 'SMs Active%' AND timestamp BETWEEN {span[0]} - 400000 AND
        {span[0]} + 400000 ORDER BY timestamp""")
    return [(round(t / 1000), v) for t, v in rows]


def part_beside():
    command = [programs["overlap"], "good"]
    say("BESIDE ours")
    mine = ours("overlap", command)
    if not mine:
        return
    shutil.copy(mine, os.path.join(args.out, "overlap_metrics.rep"))
    say("  info:", run([args.lanescope, "info", mine])[1].strip().replace("\n", " | "))
    say("  intervals:", intervals(mine))
    say("  around the first kernel (us, SMs active):", sync_error(mine))
    a, b = means(mine, kernel_span(mine)), {}
    if args.nsys:
        theirs = os.path.join(work, "overlap-nsys")
        code, _, err = run([args.nsys, "profile", "-o", theirs, "-f", "true", "-t", "cuda,nvtx", "-s", "none",
                            "--cpuctxsw=none", *METRICS, *command])
        run([args.nsys, "export", "-t", "sqlite", "-o", theirs + ".sqlite", "-f", "true", theirs + ".nsys-rep"])
        if os.path.exists(theirs + ".sqlite"):
            b = means(theirs + ".sqlite", kernel_span(theirs + ".sqlite"))
            say("BESIDE nsys intervals:", intervals(theirs + ".sqlite"))
            say("  around the first kernel (us, SMs active):", sync_error(theirs + ".sqlite"))
        else:
            say("BESIDE nsys: no export, exit", code, err[-300:])
    for name in sorted(set(a) | set(b)):
        x, y = a.get(name), b.get(name)
        gap = f"{x[1] - y[1]:+.2f}" if x and y else ""
        say(f"BESIDE {name:58} ours {x and round(x[1], 2)} (max {x and x[2]}, {x and x[0]})  "
            f"nsys {y and round(y[1], 2)} (max {y and y[2]}, {y and y[0]})  {gap}")
    results["beside"] = {"ours": a, "nsys": b}


class Watch(threading.Thread):
    """Processor time of the sampler, from /proc, until it is gone."""

    def __init__(self):
        super().__init__(daemon=True)
        self.seconds, self.peak, self.done = 0.0, 0, False

    def run(self):
        tick = os.sysconf("SC_CLK_TCK")
        while not self.done:
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/cmdline") as file:
                        words = file.read().split("\0")
                    if len(words) < 2 or words[1] != "sample-gpu":
                        continue
                    with open(f"/proc/{pid}/stat") as file:
                        fields = file.read().rsplit(")", 1)[1].split()
                    with open(f"/proc/{pid}/status") as file:
                        memory = [line for line in file if line.startswith("VmHWM")]
                    self.seconds = (int(fields[11]) + int(fields[12])) / tick
                    self.peak = int(memory[0].split()[1]) if memory else self.peak
                except (OSError, IndexError):
                    continue
            time.sleep(0.5)


def watched(name, command, options):
    watch = Watch()
    watch.start()
    began = time.monotonic()
    report = ours(name, command, options)
    wall = time.monotonic() - began
    watch.done = True
    return report, wall, watch


def part_minute():
    loop = f"end=$(( $(date +%s) + {args.seconds} )); while [ $(date +%s) -lt $end ]; do {programs['storm']} 20000 > /dev/null; done"
    # The kernels are beside the point here, and would fill the disk.
    report, wall, watch = watched("minute", ["sh", "-c", loop], ("-t", "none", *METRICS))
    if not report:
        return
    found = intervals(report)
    say("MINUTE", found, "wall", round(wall, 1), "sampler cpu s", watch.seconds, "share of a core",
        round(watch.seconds / max(args.seconds, 1), 3), "peak kB", watch.peak, "report MB",
        round(os.path.getsize(report) / 1e6, 1))
    lost = [i for i in told(report)[1] if i[0] == "lost-metric-samples"]
    gaps = sum(g.get("gaps", 0) for g in found.values())
    say("MINUTE lost:", lost or "none", "gaps:", gaps, "PASS" if found and not lost and gaps == 0 else "FAIL")
    results["minute"] = {"intervals": found, "cpu": watch.seconds, "wall": wall, "lost": lost}


def part_rates():
    for hertz in (1000, 10000, 20000, 50000, 100000):
        report, wall, watch = watched(f"rate{hertz}", ["sh", "-c", f"{programs['storm']} 100000 > /dev/null; sleep 3"],
                                      ("-t", "none", "--gpu-metrics-devices=all", f"--gpu-metrics-frequency={hertz}"))
        if report:
            say("RATES", hertz, intervals(report), "wall", round(wall, 1), "sampler cpu s", watch.seconds)


def part_clocks():
    """Whether sampling changes what is measured: kernel time and launch cost with and without it."""
    for name, options in (("without", ()), ("with", METRICS), ("without", ()), ("with", METRICS)):
        report = ours("clocks", [programs["overlap"], "good"], options)
        kernels = query(report, "SELECT count(*), sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL") if report else None
        out = run([args.lanescope, "profile", "-o", os.path.join(work, "c"), "-f", "true", "-t", "none", *options,
                   programs["storm"], "100000"])[1]
        say("CLOCKS", name, "kernels, ns:", kernels, "storm:", [w for w in out.split() if "ns_per_launch" in w])


def part_killed():
    """The sampler is killed in the midst: what it wrote is there, the counters are free again at once."""
    process = subprocess.Popen([args.lanescope, "profile", "-o", os.path.join(work, "killed.rep"), "-f", "true", "-t",
                                "none", *METRICS, "sleep", "4"], stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline") as file:
                if file.read().split("\0")[1:2] == ["sample-gpu"]:
                    os.kill(int(pid), signal.SIGKILL)
        except OSError:
            continue
    err = process.communicate()[1]
    say("KILLED said:", err.strip().replace("\n", " | ")[-500:], intervals(os.path.join(work, "killed.rep")))
    again = ours("again", ["sleep", "1"], ("-t", "none", *METRICS))
    say("KILLED then again:", again and intervals(again))


def part_nvml():
    """What an ordinary user gets, if there is one."""
    say("NVML as nobody")
    folder = os.path.join(work, "nobody")
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o777)
    report = os.path.join(folder, "n.rep")
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all"]
    code, out, err = run([*(command if os.getuid() == 0 else []), args.lanescope, "profile", "-o", report, "-f", "true",
                          "-t", "none", *METRICS, "sleep", "2"])
    say("  exit", code, "said:", err.strip().replace("\n", " | ")[-900:])
    if os.path.exists(report):
        say("NVML", told(report)[0], intervals(report))
        for name, row in means(report, None).items():
            say("NVML", name, row)


say(run(["nvidia-smi", "--query-gpu=name,driver_version,clocks.sm,clocks.max.sm", "--format=csv,noheader"])[1].strip())
say("admin only:", [line for line in run(["cat", "/proc/driver/nvidia/params"])[1].split("\n") if "Profiling" in line])
say(run([args.lanescope, "profile", "--gpu-metrics-devices=help"])[1])
programs = {name: build(name) for name in ("overlap", "storm")}
for part in args.parts.split(","):
    try:
        globals()["part_" + part]()
    except Exception as error:  # one part must not take the others with it
        say("PART", part, "failed:", repr(error))
with open(os.path.join(args.out, "metrics.json"), "w") as file:
    json.dump(results, file, indent=1)
shutil.rmtree(work, ignore_errors=True)
