// SPDX-License-Identifier: Apache-2.0
// Chrome traces written in a test, and what was read of them in words.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "model/import/importers.h"
#include "tests/support/files.h"

namespace lanescope::imported {

/// What readChrome() makes of a file with this text; an empty recording, and a failed test, if it cannot.
inline Recording readText(std::string_view text, const ImportOptions& options = {}) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "trace.json", text);
  Result<Recording> read = readChrome(folder / "trace.json", options, {});
  EXPECT_TRUE(read) << sentence(read.error());
  return read ? std::move(*read) : Recording{};
}

/// The same of entries, without the brackets around them.
inline Recording readEntries(std::string_view entries, const ImportOptions& options = {}) {
  return readText("{\"traceEvents\":[" + std::string(entries) + "]}", options);
}

inline std::string nameOf(const Identity& id) { return id.text.empty() ? std::to_string(id.number) : id.text; }

/// "4242/7/CUDA API", "4242/GPU 0/1/7", "4242/Slices".
inline std::string ownerOf(const Recording& recording, const Track& track) {
  std::string owner = nameOf(recording.processes.at(track.process).id);
  if (track.thread != trace::kNone) owner += "/" + nameOf(recording.threads.at(track.thread).id);
  if (track.gpu != trace::kNone) owner += "/GPU " + std::to_string(recording.gpus.at(track.gpu).device);
  if (track.stream != trace::kNone) {
    const Stream& stream = recording.streams.at(track.stream);
    owner += "/" + std::to_string(stream.context) + "/" + std::to_string(stream.stream);
  }
  if (track.domain != trace::kNone) owner += "/" + recording.domains.at(track.domain).name;
  return owner;
}

inline std::string_view nameAt(const Recording& recording, EventAt at) {
  return (*recording.names)[recording.tracks.at(at.track).events[at.index].name].text;
}

/// "kernel A 3000+3776 on 4242/GPU 0/1/7", an event a line, in the order of the file.
inline std::vector<std::string> told(const Recording& recording) {
  std::vector<std::pair<std::uint64_t, std::string>> lines;
  for (const Track& track : recording.tracks)
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      const trace::Event& event = track.events[i];
      const bool isSpan = track.kind == trace::EventKind::kNvtxStartEnd;
      std::string line = isSpan ? "NVTX start/end range " : std::string(trace::kindName(track.kind)) + " ";
      line += (*recording.names)[event.name].text;
      line +=
          " " + std::to_string(event.start) + (event.unfinished ? "…" : "+" + std::to_string(event.end - event.start));
      lines.emplace_back(event.sourceRow, line + " on " + ownerOf(recording, track));
    }
  std::ranges::stable_sort(lines, {}, &std::pair<std::uint64_t, std::string>::first);
  std::vector<std::string> texts;
  for (auto& [row, line] : lines) texts.push_back(std::move(line));
  return texts;
}

/// "cudaLaunchKernel -> k", in their order.
inline std::vector<std::string> linksOf(const Recording& recording) {
  std::vector<std::string> texts;
  for (const Link& link : recording.links)
    texts.push_back(std::string(nameAt(recording, link.from)) + " -> " + std::string(nameAt(recording, link.to)));
  return texts;
}

/// "cudaLaunchKernel = k", calls and work of one process that one number ties, in the order of the calls.
inline std::vector<std::string> launchesOf(const Recording& recording) {
  std::vector<std::string> texts;
  for (const Track& calls : recording.tracks)
    for (std::size_t c = 0; calls.kind == trace::EventKind::kCudaApi && c < calls.events.size(); ++c)
      for (const Track& work : recording.tracks)
        for (std::size_t w = 0; trace::isGpuWork(work.kind) && w < work.events.size(); ++w)
          if (work.process == calls.process && calls.events[c].correlation != 0 &&
              work.events[w].correlation == calls.events[c].correlation)
            texts.push_back(std::string((*recording.names)[calls.events[c].name].text) + " = " +
                            std::string((*recording.names)[work.events[w].name].text));
  return texts;
}

inline std::uint64_t issueCount(const std::vector<trace::Issue>& issues, std::string_view kind) {
  const auto found = std::ranges::find(issues, kind, &trace::Issue::kind);
  return found == issues.end() ? 0 : found->count;
}

using Lines = std::vector<std::string>;

}  // namespace lanescope::imported
