// SPDX-License-Identifier: Apache-2.0
// The control page of a recording, mapped: the launcher's hand on whether the processes of the program record, and its
// ear for what they decided themselves at the ends of a capture range. Every change wakes who waits. One thread here;
// the page is shared with other processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "collector/wire/session.h"
#include "model/error.h"
#include "model/trace/time.h"

namespace lanescope::launch {

class CaptureControl {
 public:
  /// How long processes get to put everything on disk.
  static constexpr trace::Ns kFlushAtMost = 1'000'000'000;

  CaptureControl() = default;
  static Result<CaptureControl> create(const std::filesystem::path& file);
  /// That of a recording that somebody else began.
  static std::optional<CaptureControl> open(const std::filesystem::path& file);
  CaptureControl(CaptureControl&& other) noexcept : page_(std::exchange(other.page_, nullptr)) {}
  CaptureControl& operator=(CaptureControl&& other) noexcept {
    std::swap(page_, other.page_);
    return *this;
  }
  ~CaptureControl();

  wire::Capture state() const;
  std::uint32_t captures() const;
  std::uint32_t processes() const;

  void begin();
  /// Until it begins again.
  void pause();
  void end();
  /// When the state last changed, by CLOCK_MONOTONIC; 0 if it never did.
  trace::Ns changed() const;

  /// The value to wait on, to be read before what is decided on.
  std::uint32_t seen() const;
  /// Until a change after `seen`, or the time; what comes between reading and waiting is not missed.
  void wait(std::uint32_t seen, trace::Ns atMost) const;
  /// Wakes a wait. Async-signal-safe.
  void wake() const;

  /// Asks the processes to put everything on disk; until `living` of them did, or the time is over, which is false.
  bool flush(const std::function<std::size_t()>& living, trace::Ns atMost);

 private:
  void leaveFor(wire::Capture state);

  wire::ControlPage* page_ = nullptr;
};

}  // namespace lanescope::launch
