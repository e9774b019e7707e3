// SPDX-License-Identifier: Apache-2.0
// The metrics of one GPU as rows: the names once, then a row for each value of each sample, as Nsight Systems exports them.
// Private to finish*.cpp.
#pragma once

#include <functional>

#include "collector/launch/finish_losses.h"

namespace lanescope::launch {

/// What all GPUs have in common; before the first of them.
void writeMetricsSource(report::Writer& writer);

/// `sampler`: the file of a GPU, summarized, with `zero` and `windows` set; its `events` counts the samples. `gpu` is its
/// id in TARGET_INFO_GPU. Of more than `most` bytes the rest is left out and counted in `cut`. False if it was stopped.
bool writeMetrics(report::Writer& writer, Process& sampler, report::Id gpu, std::uint64_t most, std::uint64_t& cut,
                  const std::function<bool(std::uint64_t)>& progress);

/// What the sampler had to say, and what is missing of its samples.
void writeMetricsTrouble(report::Writer& writer, Process& sampler, Losses& losses);

}  // namespace lanescope::launch
