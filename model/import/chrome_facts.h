// SPDX-License-Identifier: Apache-2.0
// What stands at the top of a document beside its events: devices, rank, when, call stacks. Values of any shape are
// taken; what is not of the shape that is looked for is as if it were not there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/import/json_reader.h"
#include "model/import/recording.h"

namespace lanescope::imported {

struct DocumentFacts {
  struct Device {
    std::int64_t id = 0;
    std::string name;
    std::vector<std::pair<std::string, std::int64_t>> facts;  ///< as columns of TARGET_INFO_GPU
  };
  std::vector<Device> devices;
  std::string rank, version, host;
  std::optional<trace::Ns> utcOfZero;
  std::vector<std::pair<std::string, std::string>> facts;  ///< the rest that one line tells, name and value
  bool isKineto = false;

  const Device* device(std::int64_t id) const;
};
DocumentFacts factsOf(const JsonDocument& document);

/// stackFrames, by key.
struct StackFrame {
  std::string name, module, parent;  ///< module is what the file calls its category; parent a key, empty at the root
  bool isPython = false;  ///< as Lanescope's export tells
};
using StackFrames = std::unordered_map<std::string, StackFrame>;
StackFrames stackFramesOf(const JsonDocument& document);

/// From the innermost outwards; cut where there are more than kMostFrames, as of frames that are their own parents.
inline constexpr std::size_t kMostFrames = 1024;
std::vector<const StackFrame*> stackAt(const StackFrames& frames, const std::string& key);

/// An entry of `samples`; its texts live as long as the call.
struct JsonSample {
  JsonId pid, tid;
  std::string_view name, stackFrame;
  trace::Ns ts = 0;
};
void forEachSample(const JsonDocument& document, bool timesAreNanoseconds,
                   const std::function<void(const JsonSample&)>& take);

}  // namespace lanescope::imported
