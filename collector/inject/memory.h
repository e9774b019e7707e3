// SPDX-License-Identifier: Apache-2.0
// Memory that is the library's own: pages from the kernel, never the program's allocator, whose locks, hooks and
// accounting are not ours to touch. Zeroed. Any thread; no locks, so that a forked child can go on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanescope::inject {

/// Whole pages; null when there are none.
void* mapPages(std::size_t bytes);
void unmapPages(void* pages, std::size_t bytes);

/// What lives as long as the process: domains, registered strings, schemas. 64 MiB in all, touched as used; null after.
inline constexpr std::size_t kKeptBytes = 64u << 20;
void* keep(std::size_t bytes);

}  // namespace lanescope::inject
