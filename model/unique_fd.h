// SPDX-License-Identifier: Apache-2.0
// A descriptor that is closed with its owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace lanescope {

class UniqueFd {
 public:
  explicit UniqueFd(int descriptor = -1) : descriptor_(descriptor) {}
  UniqueFd(UniqueFd&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~UniqueFd() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

}  // namespace lanescope
