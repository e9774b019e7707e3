// SPDX-License-Identifier: Apache-2.0
// A recording as an importer would make it, by hand.
#pragma once

#include <initializer_list>
#include <string>

#include "model/import/recording.h"

namespace lanescope::imported {

class HandMade {
 public:
  explicit HandMade(std::string format = "nvprof") { recording.format = std::move(format); }

  std::uint32_t process(Identity id, std::string name = {}, std::string rank = {}) {
    return append(recording.processes, {std::move(id), std::move(name), std::move(rank)});
  }
  std::uint32_t thread(std::uint32_t process, Identity id, std::string name = {}) {
    return append(recording.threads, {process, std::move(id), std::move(name)});
  }
  std::uint32_t gpu(std::uint32_t process, std::int64_t device, std::string name = {}) {
    return append(recording.gpus, {process, device, std::move(name), {}, {}});
  }
  std::uint32_t stream(std::uint32_t gpu, std::int64_t context, std::int64_t stream, std::string name = {},
                       bool isDefault = false) {
    return append(recording.streams, {gpu, context, stream, std::move(name), isDefault});
  }
  std::uint32_t domain(std::uint32_t process, std::string name, bool isNvtx = false) {
    return append(recording.domains, {process, std::move(name), isNvtx});
  }

  Track& ofThread(trace::EventKind kind, std::uint32_t thread, std::uint32_t domain = trace::kNone) {
    Track track{.kind = kind, .process = recording.threads[thread].process, .thread = thread, .domain = domain};
    return recording.tracks.emplace_back(std::move(track));
  }
  Track& ofStream(trace::EventKind kind, std::uint32_t stream, std::uint8_t copyKind = 0) {
    const std::uint32_t gpu = recording.streams[stream].gpu;
    Track track{
        .kind = kind, .copyKind = copyKind, .process = recording.gpus[gpu].process, .gpu = gpu, .stream = stream};
    return recording.tracks.emplace_back(std::move(track));
  }
  Track& ofProcess(trace::EventKind kind, std::uint32_t process, std::uint32_t domain = trace::kNone) {
    return recording.tracks.emplace_back(Track{.kind = kind, .process = process, .domain = domain});
  }

  trace::NameId name(std::string_view text, std::string_view label = {}) {
    return recording.names->intern(text, label);
  }

  Recording recording;

 private:
  template <class T>
  static std::uint32_t append(std::vector<T>& list, T item) {
    list.push_back(std::move(item));
    return static_cast<std::uint32_t>(list.size() - 1);
  }
};

/// A program of two threads that launches a kernel and copies, with an annotation around it.
inline Recording smallTraining(std::string format = "kineto") {
  HandMade made(std::move(format));
  Recording& r = made.recording;
  const auto process = made.process({4711}, "python", "0");
  const auto main = made.thread(process, {4711}, "main"), worker = made.thread(process, {3239786240}, "backward");
  const auto gpu = made.gpu(process, 1, "NVIDIA H100 80GB HBM3");
  const auto stream = made.stream(gpu, 1, 7, "compute"), other = made.stream(gpu, 1, 20, {}, true);
  const auto ops = made.domain(process, "PyTorch"), nvtx = made.domain(process, "", true);
  using trace::EventKind;
  Track& kernels = made.ofStream(EventKind::kKernel, stream);
  kernels.events.push_back({2000, 3000, made.name("void gemm<float>(float*)", "gemm"), false, 7, 0, 11});
  kernels.events.push_back({3000, 3500, made.name("void relu<float>(float*)", "relu"), false, 9, 0, 12});
  kernels.work = {{.gridX = 8, .gridY = 1, .gridZ = 1, .blockX = 128, .blockY = 1, .blockZ = 1, .registers = 32}, {}};
  Track& copies = made.ofStream(EventKind::kCopy, other, 1);
  copies.events.push_back({1000, 1400, made.name("Memcpy HtoD (Pinned -> Device)"), false, 3, 4096, 10});
  copies.events.push_back({900, 800, made.name("Memcpy HtoD (Pinned -> Device)"), false, 4, 4096, 0});
  Track& calls = made.ofThread(EventKind::kCudaApi, main);
  calls.events.push_back({500, 600, made.name("cudaMemcpyAsync"), false, 2, 0, 10});
  calls.events.push_back({1500, 1600, made.name("cudaLaunchKernel"), false, 5, 0, 11});
  calls.events.push_back({1700, 1800, made.name("cudaLaunchKernel"), false, 8, 0, 12});
  Track& sync = made.ofProcess(EventKind::kSync, process);
  sync.gpu = gpu;
  sync.events.push_back({1900, 3600, made.name("Stream Synchronize"), false, 14, 0, 13});
  Track& mainOps = made.ofThread(EventKind::kNvtxRange, main, ops);
  mainOps.events.push_back({1450, 1850, made.name("aten::linear"), false, 6, 0, 0});
  mainOps.events.push_back({400, 3700, made.name("step"), false, 1, 0, 0});
  mainOps.events.push_back({0, 0, made.name(""), false, 0, 0, 0});
  Track& workerOps = made.ofThread(EventKind::kNvtxRange, worker, ops);
  workerOps.events.push_back({1460, 0, made.name("never ended"), true, 10, 0, 0});
  Track& marks = made.ofThread(EventKind::kNvtxMark, worker, nvtx);
  marks.events.push_back({1500, 1500, made.name("here"), false, 11, 0, 0});
  Track& spans = made.ofProcess(EventKind::kNvtxStartEnd, process, ops);
  spans.events.push_back({100, 5000, made.name("request"), false, 12, 0, 0});
  Track& ofWorker = made.ofThread(EventKind::kNvtxStartEnd, worker, ops);
  ofWorker.events.push_back({100, 5000, made.name("its"), false, 13, 0, 0});
  r.curves.push_back({process, gpu, "Allocated", trace::Counter::Unit::kBytes, {300, 100, 200}, {3, 1, 2}});
  r.curves.push_back({process, trace::kNone, "Requests", trace::Counter::Unit::kCount, {100, 200}, {1, 0}});
  r.links.push_back({{4, 1}, {6, 0}});
  r.issues.push_back({"import-bad-number", 2, "2 events whose numbers are none (first: entry 17)", {}});
  return std::move(r);
}

}  // namespace lanescope::imported
