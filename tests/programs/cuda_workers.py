# SPDX-License-Identifier: Apache-2.0
"""Workers as Python programs make them: cuda_workers.py METHOD MOCK COUNT starts two processes by that method of
multiprocessing, each of which launches so many kernels of the stand-in for libcupti; this process uses no CUDA."""
import ctypes
import multiprocessing
import os
import sys


def work(mock, count):
    ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]).InitializeInjection()  # as the driver would
    launch = ctypes.CDLL(mock).mockLaunch
    for _ in range(count):
        launch()


if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    workers = [context.Process(target=work, args=(sys.argv[2], int(sys.argv[3]))) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    sys.exit(any(worker.exitcode for worker in workers))
