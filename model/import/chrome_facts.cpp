// SPDX-License-Identifier: Apache-2.0
#include "model/import/chrome_facts.h"

#include <algorithm>

#include "model/import/json_number.h"
#include "model/import/json_walk.h"
#include "model/trace/sample_words.h"

namespace lanescope::imported {

namespace {

const std::string* topOf(const JsonDocument& document, const std::string& key) {
  const auto found = document.top.find(key);
  return found == document.top.end() ? nullptr : &found->second;
}

std::string unquoted(std::string_view written) {
  if (written.size() < 2 || written.front() != '"' || written.back() != '"') return std::string(written);
  std::string text;
  appendUnescaped(text, written.substr(1, written.size() - 2));
  return text;
}

/// Calls `take` with the text of each element of a list.
template <class Take>
void forEachElement(std::string_view list, Take take) {
  std::size_t at = skipBlanks(list, 0);
  if (at >= list.size() || list[at] != '[') return;
  for (++at;;) {
    at = skipBlanks(list, at);
    if (at < list.size() && list[at] == ',') {
      ++at;
      continue;
    }
    if (at >= list.size() || list[at] == ']') return;
    const Walked element = walkValue(list, at);
    if (element.stop != Walked::Stop::kWhole && element.stop != Walked::Stop::kTooDeep) return;
    take(list.substr(at, element.end - at));
    at = element.end;
  }
}

/// Kineto's names of a device's properties, and the columns of TARGET_INFO_GPU that say the same.
constexpr std::pair<std::string_view, std::string_view> kDeviceFacts[] = {
    {"totalGlobalMem", "totalMemory"},
    {"computeMajor", "computeMajor"},
    {"computeMinor", "computeMinor"},
    {"numSms", "smCount"},
    {"maxThreadsPerBlock", "maxThreadsPerBlock"},
    {"regsPerBlock", "maxRegistersPerBlock"},
    {"regsPerMultiprocessor", "maxRegistersPerSm"},
    {"warpSize", "threadsPerWarp"},
    {"sharedMemPerBlock", "maxShmemPerBlock"},
    {"sharedMemPerBlockOptin", "maxShmemPerBlockOptin"},
    {"sharedMemPerMultiprocessor", "maxShmemPerSm"},
};

DocumentFacts::Device deviceOf(std::string_view text) {
  const JsonArguments properties(text);
  DocumentFacts::Device device;
  device.id = properties.integer("id").value_or(-1);
  device.name = properties.text("name");
  for (const auto& [theirs, ours] : kDeviceFacts)
    if (const auto value = properties.integer(theirs)) device.facts.emplace_back(ours, *value);
  const auto threads = properties.integer("maxThreadsPerMultiprocessor"), warp = properties.integer("warpSize");
  if (threads && warp && *warp > 0) device.facts.emplace_back("maxWarpsPerSm", *threads / *warp);
  return device;
}

}  // namespace

const DocumentFacts::Device* DocumentFacts::device(std::int64_t id) const {
  const auto found = std::ranges::find(devices, id, &Device::id);
  return found == devices.end() ? nullptr : &*found;
}

DocumentFacts factsOf(const JsonDocument& document) {
  DocumentFacts facts;
  constexpr std::size_t kLongest = 1000;  // of a fact that is one line
  for (const char* key :
       {"traceName", "displayTimeUnit", "schemaVersion", "trace_id", "cuda_runtime_version", "cuda_driver_version",
        "cupti_version", "hip_runtime_version", "hip_driver_version", "roctracer_version", "record_shapes",
        "profile_memory", "with_stack", "with_flops", "with_modules"})
    if (const std::string* value = topOf(document, key); value && value->size() <= kLongest)
      facts.facts.emplace_back(key, unquoted(*value));
  for (const char* key : {"schemaVersion", "deviceProperties", "traceName"})
    facts.isKineto |= topOf(document, key) != nullptr;
  if (const std::string* value = topOf(document, "schemaVersion"); value && value->size() <= kLongest)
    facts.version = unquoted(*value);
  if (const std::string* value = topOf(document, "host_name"); value && value->size() <= kLongest)
    facts.host = unquoted(*value);
  if (const std::string* value = topOf(document, "baseTimeNanoseconds"))
    facts.utcOfZero = wholeNumber(unquoted(*value));
  if (const std::string* value = topOf(document, "deviceProperties"))
    forEachElement(*value, [&](std::string_view device) {
      constexpr std::size_t kMost = 1024;  // they are searched one by one
      if (facts.devices.size() < kMost) facts.devices.push_back(deviceOf(device));
    });
  if (const std::string* value = topOf(document, "distributedInfo")) {
    const JsonArguments info(*value);
    if (const auto rank = info.integer("rank")) facts.rank = std::to_string(*rank);
    for (const char* key : {"backend", "world_size", "nccl_version"})
      if (std::string text = info.text(key); !text.empty() && text.size() <= kLongest)
        facts.facts.emplace_back(key, std::move(text));
  }
  return facts;
}

StackFrames stackFramesOf(const JsonDocument& document) {
  StackFrames frames;
  if (const std::string* written = topOf(document, "stackFrames")) {
    const JsonArguments list(*written);
    for (const auto& [key, text] : list.all()) {
      const JsonArguments frame(text);
      frames.emplace(key, StackFrame{frame.text("name"), frame.text("category"), frame.text("parent"),
                                     frame.text(trace::kPythonMember) == "true"});
    }
  }
  return frames;
}

std::vector<const StackFrame*> stackAt(const StackFrames& frames, const std::string& key) {
  std::vector<const StackFrame*> stack;
  for (auto at = frames.find(key); at != frames.end() && stack.size() < kMostFrames;
       at = frames.find(at->second.parent))
    stack.push_back(&at->second);
  return stack;
}

void forEachSample(const JsonDocument& document, bool timesAreNanoseconds,
                   const std::function<void(const JsonSample&)>& take) {
  const std::string* samples = topOf(document, "samples");
  if (!samples) return;
  forEachElement(*samples, [&](std::string_view element) {
    const JsonArguments fields(element);
    const std::optional<trace::Ns> ts = scaledDecimal(fields.text("ts"), timesAreNanoseconds ? 0 : 3);
    if (!ts) return;
    const std::string pid = fields.text("pid"), tid = fields.text("tid"), name = fields.text("name"),
                      frame = fields.text("sf");
    take({{JsonId::Kind::kText, 0, pid}, {JsonId::Kind::kText, 0, tid}, name, frame, *ts});
  });
}

}  // namespace lanescope::imported
