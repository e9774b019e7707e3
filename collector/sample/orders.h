// SPDX-License-Identifier: Apache-2.0
// What the sampler is told: the options of the recording, its control page, and the launcher at the other end of a socket,
// whose end is seen there. Reads may come from any thread; tell() from one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collector/sample/control_view.h"

namespace lanescope::sample {

class Orders {
 public:
  /// `launcher`: a socket, or -1 if nobody listens.
  Orders(std::string folder, int launcher);
  Orders(const Orders&) = delete;
  Orders& operator=(const Orders&) = delete;
  ~Orders();

  const std::string& folder() const { return folder_; }
  std::string option(std::string_view name) const;
  /// Cut at commas.
  std::vector<std::string> options(std::string_view name) const;

  /// kEnded also when the launcher or its page is gone, or a signal asks for it.
  wire::Capture capture() const;
  std::uint32_t seen() const { return page_.seen(); }
  /// Until a change after `seen`, or so many ns.
  void wait(std::uint32_t seen, std::uint64_t atMost) const { page_.wait(seen, atMost); }

  /// How often everything was to be on disk; each who samples answers each time, while the capture has not ended.
  std::uint32_t flushAsked() const { return page_.flushAsked(); }
  void flushed() const { page_.flushed(); }

  /// A line for the launcher: "say TEXT", "refuse TEXT", "ready COUNT" of those who sample.
  void tell(std::string_view word, std::string_view text = {}) const;

 private:
  std::string folder_, lines_;
  int launcher_;
  ControlView page_;
};

}  // namespace lanescope::sample
