#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verifies the CPU side of recordings on a machine with a GPU, and prints what it found.

  tests/gpu/cpu_side.py --lanescope BIN --workloads DIR --out DIR [--golden DIR] [--nsys NSYS] [--parts threads,train,…]

Every part prints lines "PART …" that end with PASS or FAIL where there is a bar. Small recordings stay in DIR. train.py
and ddp.py need PyTorch, the part mpi needs mpicc and mpirun.
"""
import argparse
import csv
import io
import os
import re
import signal
import sqlite3
import statistics
import subprocess
import time

ap = argparse.ArgumentParser()
ap.add_argument("--lanescope", required=True)
ap.add_argument("--workloads", required=True)
ap.add_argument("--out", required=True)
ap.add_argument("--golden", help="a folder with threads/osrt_sum.csv and ddp_rank0/nsys.sqlite")
ap.add_argument("--nsys")
ap.add_argument("--rounds", type=int, default=9)
ap.add_argument("--seconds", type=float, default=1e9, help="no round of the overhead begins later than this")
ap.add_argument("--steps", type=int, default=60)
ap.add_argument("--parts", default="status,threads,train,overhead,libraries,mpi,stop,names")
args = ap.parse_args()
os.makedirs(args.out, exist_ok=True)

EVERYTHING = ["-t", "cuda,nvtx,osrt,cublas,cudnn", "-s", "process-tree", "--cpuctxsw=process-tree",
              "--python-backtrace=cuda", "--python-sampling=true"]
GPU_ONLY = ["-t", "cuda,nvtx", "-s", "none", "--cpuctxsw=none"]


def say(*words):
    print(*words, flush=True)


def run(command, env=None, timeout=200):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=timeout, env=env)
    return done.returncode, done.stdout, done.stderr


def path(name):
    return os.path.join(args.out, name)


def profile(name, options, command, **more):
    report = path(name + ".rep")
    code, out, err = run([args.lanescope, "profile", "-f", "true", "-o", report, *options, *command], **more)
    if code:
        say("PROFILE", name, "exit", code, err[-600:])
    for line in err.splitlines():
        if line.startswith("lanescope:"):
            say("SAID", name, line)
    return report, out


def rows(report, query):
    with sqlite3.connect(f"file:{report}?mode=ro", uri=True) as db:
        try:
            return db.execute(query).fetchall()
        except sqlite3.OperationalError as error:
            return [("none:", str(error))]


def counts(report):
    found = {}
    for table in ("OSRT_API", "OSRT_CALLCHAINS", "SCHED_EVENTS", "COMPOSITE_EVENTS", "SAMPLING_CALLCHAINS",
                  "CUDA_CALLCHAINS", "LANESCOPE_PYTHON_SAMPLES", "LANESCOPE_GIL_WAITS", "CUBLAS_EVENTS",
                  "CUDNN_EVENTS", "CUPTI_ACTIVITY_KIND_KERNEL", "MPI_P2P_EVENTS", "MPI_COLLECTIVES_EVENTS"):
        answer = rows(report, f"SELECT count(*) FROM {table}")
        if len(answer[0]) == 1 and answer[0][0]:
            found[table] = answer[0][0]
    return found


def issues(report):
    return [row for row in rows(report, "SELECT kind, count, text FROM LANESCOPE_ISSUES") if row[0] != "none:"]


def built(name):
    program = path(name)
    code, _, err = run(["nvcc", "-O2", "-arch=native", "-std=c++17", "-Xcompiler", "-pthread", "-o", program,
                        os.path.join(args.workloads, name + ".cu")])
    if code:
        say("BUILD", name, err[-400:])
    return program


def stats(report, name):
    code, out, err = run([args.lanescope, "stats", "-q", "-r", name, "-f", "csv", report])
    return list(csv.DictReader(io.StringIO(out))) if code == 0 else []


def status():
    code, out, err = run([args.lanescope, "status", "--environment"])
    say("STATUS exit", code)
    say(out)


def threads():
    """osrt_sum beside Nsight Systems': calls by name, and how long threads waited for the lock."""
    program = built("threads")
    ours = []
    for round in range(3):
        report, out = profile(f"threads{round}", ["-t", "cuda,nvtx,osrt"], [program])
        ours.append({row["Name"]: (int(row["Num Calls"]), int(row["Total Time (ns)"])) for row in stats(report, "osrt_sum")})
        say("THREADS", counts(report), issues(report))
    theirs = {}
    if args.golden:
        with open(os.path.join(args.golden, "threads", "osrt_sum.csv")) as file:
            theirs = {row["Name"]: (int(row["Num Calls"]), int(row["Total Time (ns)"])) for row in csv.DictReader(file)}
    for name in sorted({*theirs, *ours[0]}, key=lambda name: -theirs.get(name, (0, 0))[1]):
        say("THREADS %-28s nsys %6d %12d ns   ours %s" % (
            name, *theirs.get(name, (0, 0)), "  ".join("%6d %12d" % one.get(name, (0, 0)) for one in ours)))
    good = all(one.get("usleep", (0,))[0] == 200 and one.get("pthread_join", (0,))[0] >= 1 and
               one.get("pthread_mutex_lock", (0,))[0] > 100 for one in ours)
    say("THREADS usleep 200, locks > 100, joins:", "PASS" if good else "FAIL")


def train():
    """Data loading is named as the cause of the idle time before each step, with the line of Python."""
    report, out = profile("train", EVERYTHING, ["python3", os.path.join(args.workloads, "train.py"), "--workers", "2",
                                                "--steps", "30"])
    say("TRAIN", out.strip().replace("\n", " "), counts(report), "%.1f MB" % (os.path.getsize(report) / 1e6))
    for issue in issues(report):
        say("TRAIN issue", *issue)
    code, out, err = run([args.lanescope, "analyze", "-r", "idle,idle_gaps:rows=12", report])
    say(out[:9000], err[-300:])
    said = out
    code, out, err = run([args.lanescope, "stats", "-q", "-r", "lanescope_cpu_hot", report])
    say(out[:4000], err[-300:])
    code, out, err = run([args.lanescope, "stats", "-q", "-r", "osrt_sum", report])
    say(out[:2500])
    loading = [line for line in said.splitlines() if "data loading" in line and "train.py:" in line]
    say("TRAIN gaps of data loading with a line of train.py:", len(loading), "PASS" if loading else "FAIL")


def begun(way, options, cores):
    """train.py on these cores, and whatever records it with it."""
    command = ["python3", os.path.join(args.workloads, "train.py"), "--steps", str(args.steps)]
    if way.startswith("nsys"):
        command = [args.nsys, "profile", "-f", "true", "-o", path("nsys"), *options, *command]
    elif options is not None:
        command = [args.lanescope, "profile", "-f", "true", "-o", path("overhead_" + way + ".rep"), *options, *command]
    env = {**os.environ, "OMP_NUM_THREADS": str(len(cores))}
    return subprocess.Popen(["taskset", "-c", ",".join(map(str, cores)), *command], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, start_new_session=True, env=env)


def step_time(way, at_work):
    """The median of train.py's steps in ms, as it prints it; none if it did not."""
    out = ""
    for line in at_work.stdout:
        out += line
        if "median_ms" in line and way.startswith("nsys"):
            break  # what it makes of the recording takes minutes and is no part of a step
    try:
        at_work.wait(2 if way.startswith("nsys") else 200)
    except subprocess.TimeoutExpired:
        os.killpg(at_work.pid, signal.SIGKILL)
    found = re.search(r"median_ms=([0-9.]+)", out)
    if not found:
        say("OVERHEAD", way, out[-400:])
    return float(found.group(1)) if found else None


def overhead():
    """train.py with everything on beside GPU-only recording, bare and Nsight Systems with the same switches: all at the same
    time, each on cores of its own that change from round to round, so that what else the machine does meets all of them."""
    ways = {"bare": None, "gpu": GPU_ONLY, "all": EVERYTHING}
    if args.nsys:
        ways["nsys all"] = EVERYTHING
    cores = sorted(os.sched_getaffinity(0))
    share = len(cores) // len(ways)
    groups = [cores[i * share:(i + 1) * share] for i in range(len(ways))]
    rounds = []
    began = time.monotonic()
    for turn in range(args.rounds):
        if time.monotonic() - began > args.seconds:
            break
        at_work = {way: begun(way, options, groups[(turn + i) % len(groups)]) for i, (way, options) in enumerate(ways.items())}
        taken = {way: step_time(way, process) for way, process in at_work.items()}
        if None in taken.values():
            continue
        rounds.append(taken)
        say("OVERHEAD round", *("%s %.2f" % one for one in taken.items()), "after %.0f s" % (time.monotonic() - began))
    for way in ways if rounds else ():
        say("OVERHEAD %-8s median step %.3f ms of %d runs" % (way, statistics.median(one[way] for one in rounds), len(rounds)))
    for way, base in (("all", "gpu"), ("gpu", "bare"), ("all", "bare"), ("nsys all", "bare"), ("nsys all", "all")):
        if rounds and way in ways:
            ratio = statistics.median(one[way] / one[base] for one in rounds)
            say("OVERHEAD %s / %s: median of pairs %.3f" % (way, base, ratio),
                ("PASS" if ratio <= 1.1 else "FAIL") if (way, base) == ("all", "gpu") else "")


def libraries():
    program = path("libraries.py")
    with open(program, "w") as file:
        file.write("""
import torch
a = torch.randn(256, 256, device='cuda')
for _ in range(10):
    b = a @ a
    h = a.half() @ a.half()
c = torch.nn.Conv2d(3, 8, 3).cuda()
x = torch.randn(2, 3, 32, 32, device='cuda', requires_grad=True)
for _ in range(10): c(x).sum().backward()
torch.linalg.solve(a, a)
s = torch.eye(64, device='cuda').to_sparse_csr() @ torch.randn(64, 4, device='cuda')
torch.cuda.synchronize()
""")
    for words in ("cuda,cublas,cudnn", "cuda,nvtx,cublas-verbose,cudnn,cusolver,cusparse"):
        report, _ = profile("libraries", ["-t", words], ["python3", program])
        say("LIBRARIES", words, counts(report))
        for table in ("CUBLAS_EVENTS", "CUDNN_EVENTS"):
            say("LIBRARIES", table, rows(report, f"SELECT value, count(*), sum(end - start) FROM {table} JOIN StringIds ON "
                                                 "id = nameId GROUP BY 1 ORDER BY 2 DESC LIMIT 12"))
        say("LIBRARIES nvtx", rows(report, "SELECT domainId, coalesce(text, ''), count(*) FROM NVTX_EVENTS WHERE eventType "
                                           "= 59 GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 12"))
    gemms = rows(report, "SELECT count(*) FROM CUBLAS_EVENTS JOIN StringIds ON id = nameId WHERE value LIKE '%gemm%' OR "
                         "value LIKE '%Matmul'")[0][0]
    say("LIBRARIES matrix products:", gemms, "PASS" if gemms != "none:" and gemms >= 20 else "FAIL")


def mpi():
    source = path("ring.c")
    with open(source, "w") as file:
        file.write("""
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char** argv) {
  int rank, size; double x[1000] = {0}, y[1000]; MPI_Request r[2];
  MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 10; ++i) {
    MPI_Irecv(y, 1000, MPI_DOUBLE, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(x, 1000, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    if (rank == 1) usleep(2000);
    MPI_Allreduce(x, y, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(x, 500, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize(); return 0; }
""")
    code, _, err = run(["mpicc", "-O1", source, "-o", path("ring")])
    if code:
        return say("MPI cannot be built:", err[-200:])
    env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    code, out, err = run(["mpirun", "--oversubscribe", "-n", "2", args.lanescope, "profile", "-f", "true", "-t", "mpi", "-s",
                          "none", "--cpuctxsw=none", "-o", path("mpi_%q{OMPI_COMM_WORLD_RANK}"), path("ring")], env=env)
    say("MPI exit", code, err[-400:])
    for rank in (0, 1):
        report = path(f"mpi_{rank}.rep")
        say("MPI", rank, counts(report), rows(report, "SELECT DISTINCT rank FROM MPI_RANKS"))
        for name in ("mpi_event_sum", "mpi_msg_size_sum"):
            say(run([args.lanescope, "stats", "-q", "-r", name, report])[1][:2500])
    sent = rows(report, "SELECT count(*), sum(size) FROM MPI_P2P_EVENTS JOIN StringIds ON id = textId WHERE value = 'MPI_Isend'")
    say("MPI sends and bytes", sent, "PASS" if sent == [(10, 80000)] else "FAIL")


NCCL = """SELECT coalesce(text, (SELECT value FROM StringIds WHERE id = textId)) call, count(*) FROM NVTX_EVENTS e WHERE
    eventType = 59 AND (domainId, globalTid >> 24) IN (SELECT domainId, globalTid >> 24 FROM NVTX_EVENTS WHERE eventType = 75
    AND text = 'NCCL') %s GROUP BY 1 ORDER BY 1"""


def ddp():
    """NCCL's calls of each rank, with bytes and communicator, by count as Nsight Systems recorded them. Two GPUs."""
    report, out = profile("ddp", ["-t", "cuda,nvtx,nccl", "-s", "none", "--cpuctxsw=none"],
                          ["torchrun", "--nproc_per_node=2", os.path.join(args.workloads, "ddp.py")])
    say("DDP", out.strip().replace("\n", " "), counts(report))
    theirs = rows(os.path.join(args.golden, "ddp_rank0", "nsys.sqlite"), NCCL % "") if args.golden else []
    good = True
    for (pid,) in rows(report, "SELECT DISTINCT globalPid FROM CUPTI_ACTIVITY_KIND_KERNEL"):
        ours = rows(report, NCCL % f"AND globalTid >> 24 = {pid >> 24}")
        say("DDP process", pid >> 24 & 0xFFFFFF, ours, "golden", theirs)
        good = good and ours == theirs
    say(run([args.lanescope, "stats", "-q", "-r", "lanescope_collectives", report])[1][:3000])
    golden = os.path.join(args.golden, "ddp_rank0", "nsys.sqlite")
    say(run([args.lanescope, "stats", "-q", "-r", "lanescope_collectives", golden])[1][:3000])
    say("DDP calls as in the golden recording:", "PASS" if good else "FAIL")


def stop():
    """cudaProfilerStop after a million launches returns at once, and the program goes on."""
    source = path("stop.cu")
    with open(source, "w") as file:
        file.write("""
#include <cuda_profiler_api.h>
#include <chrono>
#include <cstdio>
__global__ void nothing() {}
int main() {
  cudaFree(nullptr); cudaProfilerStart();
  for (int i = 0; i < 1000000; ++i) nothing<<<1, 1>>>();
  cudaDeviceSynchronize();
  auto before = std::chrono::steady_clock::now();
  cudaProfilerStop();
  double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before).count();
  std::printf("STOPPED in %.1f ms\\n", ms);
  for (int i = 0; i < 1000; ++i) nothing<<<1, 1>>>();
  cudaDeviceSynchronize();
}
""")
    code, _, err = run(["nvcc", "-O2", "-arch=native", "-o", path("stop"), source])
    report, out = profile("stop", ["-c", "cudaProfilerApi", "--capture-range-end=stop", *GPU_ONLY], [path("stop")])
    took = float(re.search(r"in ([0-9.]+) ms", out).group(1))
    say("STOP cudaProfilerStop took %.1f ms after 1,000,000 launches, kernels %s" % (
        took, rows(report, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL")), "PASS" if took <= 1000 else "FAIL")


def names():
    """Thread ids and names of workers that launch kernels."""
    source = path("names.cu")
    with open(source, "w") as file:
        file.write("""
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>
__global__ void nothing() {}
int main() {
  std::vector<std::thread> all;
  for (int i = 0; i < 3; ++i) all.emplace_back([=] {
    pthread_setname_np(pthread_self(), ("loader-" + std::to_string(i)).c_str());
    for (int k = 0; k < 10; ++k) nothing<<<1, 1>>>();
    cudaDeviceSynchronize();
    std::printf("loader-%d %ld\\n", i, syscall(SYS_gettid)); });
  for (auto& one : all) one.join();
}
""")
    run(["nvcc", "-O2", "-arch=native", "-std=c++17", "-o", path("names"), source])
    report, out = profile("names", GPU_ONLY, [path("names")])
    printed = sorted(tuple(line.split()) for line in out.strip().splitlines())
    found = sorted((name, str(tid)) for name, tid, launches in rows(report, """
        SELECT s.value, t.globalTid & 0xFFFFFF, count(*) FROM ThreadNames t JOIN StringIds s ON s.id = t.nameId JOIN
        CUPTI_ACTIVITY_KIND_RUNTIME r ON r.globalTid = t.globalTid JOIN StringIds n ON n.id = r.nameId AND n.value LIKE
        'cudaLaunchKernel%' GROUP BY 1, 2""") if launches == 10)
    say("NAMES", printed, found, "PASS" if printed == found else "FAIL")


for part in args.parts.split(","):
    began = time.time()
    try:
        globals()[part]()
    except Exception as error:  # the other parts are still to run
        say("PART", part, "FAIL:", repr(error))
    say("PART", part, "took %.1f s" % (time.time() - began))
