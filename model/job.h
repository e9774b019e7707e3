// SPDX-License-Identifier: Apache-2.0
// What a long function takes last: a way to be stopped and a way to say how far it is.
// Cheap to copy. Both functions may be called from the working thread only.
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace lanescope {

class Job {
 public:
  using Report = std::function<void(double fraction, std::string_view step)>;

  Job() = default;
  explicit Job(std::stop_token stop, Report report = {}) : stop_(std::move(stop)), report_(std::move(report)) {}

  bool cancelled() const { return stop_.stop_requested(); }

  /// For who waits for something else too, and is to be woken.
  const std::stop_token& token() const { return stop_; }

  /// `fraction` of the whole, 0 to 1; `step` is what is being read now.
  void progress(double fraction, std::string_view step) const {
    if (report_) report_(fraction, step);
  }

 private:
  std::stop_token stop_;
  Report report_;
};

}  // namespace lanescope
