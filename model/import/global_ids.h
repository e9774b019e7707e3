// SPDX-License-Identifier: Apache-2.0
// Global ids, as a report has them (model/trace/ids.h), for processes and threads that may be called by any number or by
// a text: the own number where its 24 bits hold it and nobody else has it, else one that no real process or thread has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/import/recording.h"

namespace lanescope::imported {

struct GlobalIds {
  std::vector<std::int64_t> processes, threads;  ///< by the recording's; the thread bits of a process's are 0
};

/// The same for the same recording. Where all ids are used up, the rest share one.
GlobalIds globalIdsOf(const Recording& recording);

/// What a process or thread is called: its name, with the text that its file calls it by.
std::string nameOf(const Identity& id, const std::string& name);

}  // namespace lanescope::imported
