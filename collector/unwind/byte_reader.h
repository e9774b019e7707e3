// SPDX-License-Identifier: Apache-2.0
// Numbers out of bytes as DWARF writes them. Beyond the end all are 0 and isSound is false, for good. Private to this folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace lanescope::unwind {

using Bytes = std::span<const std::uint8_t>;

class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  bool isSound() const { return isSound_; }
  bool isAtEnd() const { return !isSound_ || at_ == bytes_.size(); }
  std::size_t at() const { return at_; }
  /// From the beginning; beyond the end is unsound.
  void goTo(std::uint64_t at) { at <= bytes_.size() ? void(at_ = at) : fail(); }

  template <class T>
  T get() {
    T value{};
    if (bytes_.size() - at_ < sizeof value) return fail(), T{};
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::uint64_t uleb() { return leb(false); }
  std::int64_t sleb() { return static_cast<std::int64_t>(leb(true)); }
  Bytes take(std::uint64_t count) {
    if (bytes_.size() - at_ < count) return fail(), Bytes();
    const Bytes taken = bytes_.subspan(at_, count);
    at_ += count;
    return taken;
  }
  Bytes rest() { return take(bytes_.size() - at_); }
  std::string_view text() {
    const auto end = std::find(bytes_.begin() + static_cast<std::ptrdiff_t>(at_), bytes_.end(), 0);
    const Bytes taken = take(static_cast<std::uint64_t>(end - bytes_.begin()) - at_);
    get<std::uint8_t>();
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

 private:
  void fail() { isSound_ = false, at_ = bytes_.size(); }
  std::uint64_t leb(bool isSigned) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = get<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7Fu} << shift;
      if ((byte & 0x80) != 0 && isSound_) continue;
      if (isSigned && (byte & 0x40) != 0 && shift + 7 < 64) value |= ~std::uint64_t{0} << (shift + 7);
      return value;
    }
  }

  Bytes bytes_;
  std::size_t at_ = 0;
  bool isSound_ = true;
};

}  // namespace lanescope::unwind
