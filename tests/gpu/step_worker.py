# SPDX-License-Identifier: Apache-2.0
"""Trains ResNet-18 by the step, as asked: reads a number of steps from FIFO.in, writes their median in ms to FIFO.out.

Several of these, one bare and one under each profiler, are asked in turn (verify.py, part "steps"), so that what is
compared ran within the same second: on a shared machine the same program differs more from minute to minute than a
profiler adds.
"""
import statistics
import sys
import time

import torch
import torchvision

fifo = sys.argv[1]
device = torch.device("cuda")
model = torchvision.models.resnet18().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
criterion = torch.nn.CrossEntropyLoss()
pinned = torch.rand(32, 3, 224, 224).pin_memory(), (torch.arange(32) % 1000).pin_memory()
nvtx = torch.cuda.nvtx


def step(number):
    began = time.perf_counter()
    with nvtx.range(f"step {number}"):
        with nvtx.range("copy"):
            images, labels = (part.to(device, non_blocking=True) for part in pinned)
        with nvtx.range("forward"):
            loss = criterion(model(images), labels)
        with nvtx.range("backward"):
            optimizer.zero_grad()
            loss.backward()
        with nvtx.range("optimizer"):
            optimizer.step()
    torch.cuda.synchronize()
    return (time.perf_counter() - began) * 1e3


for number in range(15):
    step(number)
with open(fifo + ".in") as asked, open(fifo + ".out", "w") as told:
    print("ready", file=told, flush=True)
    for line in asked:
        for number in range(2):  # whoever had the GPU before is done with it now
            step(number)
        print(statistics.median(step(number) for number in range(int(line))), file=told, flush=True)
