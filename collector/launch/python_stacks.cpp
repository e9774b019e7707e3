// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/python_stacks.h"

#include <algorithm>
#include <cstring>

namespace lanescope::launch {

PythonCodes::Names PythonCodes::of(std::uint64_t code) {
  const auto [at, isNew] = names_.try_emplace(code);
  if (!isNew) return at->second;
  const auto told = process_.pythonCodes.find(code);
  const wire::PythonCode known = told != process_.pythonCodes.end() ? told->second : wire::PythonCode();
  return at->second = {process_.string(known.name, writer_), process_.string(known.file, writer_)};
}

std::vector<wire::PythonFrame> framesOf(const Record& record) {
  std::vector<wire::PythonFrame> frames;
  if (record.bytes.size() <= sizeof(wire::PythonStack)) return frames;
  const std::string_view bytes = record.bytes.substr(sizeof(wire::PythonStack));
  frames.resize(std::min<std::size_t>(record.aux, bytes.size() / sizeof(wire::PythonFrame)));
  std::memcpy(frames.data(), bytes.data(), frames.size() * sizeof(wire::PythonFrame));
  return frames;
}

std::vector<JoinedFrame> joinPython(std::span<const char> isInterpreter, bool isComplete,
                                    std::span<const wire::PythonFrame> python) {
  // Python's frames by the call that runs them: where each group ends.
  std::vector<std::uint32_t> ends;
  for (std::uint32_t i = 0; i < python.size(); ++i) {
    if (python[i].entry != 0 || i + 1 == python.size()) ends.push_back(i + 1);
  }
  const auto calls = static_cast<std::size_t>(std::count(isInterpreter.begin(), isInterpreter.end(), 1));
  // Which group the innermost call has; calls before it, or groups, belong to another moment.
  const auto first = isComplete ? static_cast<std::ptrdiff_t>(ends.size()) - static_cast<std::ptrdiff_t>(calls) : 0;
  std::vector<JoinedFrame> joined;
  joined.reserve(isInterpreter.size() + python.size());
  const auto addGroup = [&](std::size_t group) {
    for (std::uint32_t i = group == 0 ? 0 : ends[group - 1]; i < ends[group]; ++i) joined.push_back({true, i});
  };
  std::ptrdiff_t group = first;
  for (std::uint32_t i = 0; i < isInterpreter.size(); ++i) {
    if (isInterpreter[i] == 0) {
      joined.push_back({false, i});
      continue;
    }
    const bool isKnown = group >= 0 && group < static_cast<std::ptrdiff_t>(ends.size());
    if (isKnown) addGroup(static_cast<std::size_t>(group));
    else joined.push_back({false, i});
    ++group;
  }
  for (std::size_t left = static_cast<std::size_t>(std::max<std::ptrdiff_t>(group, 0));
       !isComplete && left < ends.size(); ++left) {
    addGroup(left);
  }
  return joined;
}

}  // namespace lanescope::launch
