// SPDX-License-Identifier: Apache-2.0
// The control page of a recording (collector/wire/session.h) as those see it who sample beside the program: whether it
// records, and when all is to be on disk. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "collector/wire/session.h"

namespace lanescope::sample {

class ControlView {
 public:
  /// Of this session folder.
  explicit ControlView(const std::string& folder);
  ControlView(const ControlView&) = delete;
  ControlView& operator=(const ControlView&) = delete;
  ~ControlView();

  /// kEnded also where there is no page.
  wire::Capture capture() const;
  /// CLOCK_MONOTONIC when that changed last; 0 unknown.
  std::uint64_t changed() const;
  std::uint32_t seen() const;
  /// Until a change after `seen`, or so many ns.
  void wait(std::uint32_t seen, std::uint64_t atMost) const;

  /// How often everything was to be on disk; each who samples answers each time, while the capture has not ended.
  std::uint32_t flushAsked() const;
  void flushed() const;

 private:
  wire::ControlPage* page_ = nullptr;
};

}  // namespace lanescope::sample
