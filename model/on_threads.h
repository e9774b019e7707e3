// SPDX-License-Identifier: Apache-2.0
// One thing done for each of several, on a few threads at once, of which the caller's is one. What is done must not
// throw.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace lanescope {

inline constexpr unsigned kMostThreads = 4;

/// each(i) for every i below `things`, in any order; returns when all are done.
template <class Each>
void onThreads(std::size_t things, const Each& each) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < things; i = next++) each(i);
  };
  std::vector<std::jthread> others;
  const auto wanted = std::min<std::size_t>({kMostThreads, std::thread::hardware_concurrency(), things});
  for (std::size_t i = 1; i < wanted; ++i) others.emplace_back(work);
  work();
}

/// From `first` to before `last`.
struct Part {
  std::size_t first, last;
};

/// All of `count` in parts that are about equal, so many as there are threads for them; of fewer than `worthIt` in one.
inline std::vector<Part> partsOf(std::size_t count, std::size_t worthIt = 1 << 16) {
  const std::size_t threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
  const std::size_t parts = count < worthIt ? 1 : threads;
  std::vector<Part> all(parts);
  for (std::size_t i = 0; i < parts; ++i) all[i] = {count * i / parts, count * (i + 1) / parts};
  return all;
}

}  // namespace lanescope
