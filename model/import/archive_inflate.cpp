// SPDX-License-Identifier: Apache-2.0
#include "model/import/archive_inflate.h"

#include <zlib.h>

#include <array>
#include <limits>
#include <utility>

namespace lanescope::imported {

namespace {

constexpr std::size_t kOut = std::size_t{128} << 10;
constexpr int kGzipOnly = 16 + MAX_WBITS;

}  // namespace

struct Inflater::Stream {
  z_stream z = {};
  std::array<char, kOut> out = {};
  std::string_view rest;    // of the last block, more than zlib counts at once
  bool inMember = true;     // or behind one
  bool ended = false;
};

Inflater::Inflater(Pull packed) : packed_(std::move(packed)), stream_(std::make_unique<Stream>()) {
  if (inflateInit2(&stream_->z, kGzipOnly) != Z_OK) failure_ = "there is not enough memory";
}

Inflater::~Inflater() { inflateEnd(&stream_->z); }

bool Inflater::refill() {
  if (stream_->z.avail_in > 0) return true;
  if (stream_->rest.empty()) stream_->rest = packed_();
  const std::string_view block = stream_->rest.substr(0, std::numeric_limits<uInt>::max());
  stream_->rest.remove_prefix(block.size());
  stream_->z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));  // which only reads it
  stream_->z.avail_in = static_cast<uInt>(block.size());
  return !block.empty();
}

std::string_view Inflater::pull() {
  Stream& s = *stream_;
  s.z.next_out = reinterpret_cast<Bytef*>(s.out.data());
  s.z.avail_out = static_cast<uInt>(kOut);
  while (failure_.empty() && !s.ended && s.z.avail_out > 0) {
    if (!refill()) {
      if (s.inMember) failure_ = "it ends too early";
      s.ended = true;
    } else if (!s.inMember && *s.z.next_in != 0x1f) {
      if (*s.z.next_in != 0) failure_ = "something else follows the packed text";  // zeros fill up blocks of tapes
      s.ended = true;
    } else {
      if (!std::exchange(s.inMember, true)) inflateReset(&s.z);
      const int result = inflate(&s.z, Z_NO_FLUSH);
      if (result == Z_STREAM_END) s.inMember = false;
      else if (result != Z_OK && result != Z_BUF_ERROR) failure_ = s.z.msg != nullptr ? s.z.msg : "it is damaged";
    }
  }
  return {s.out.data(), kOut - s.z.avail_out};
}

}  // namespace lanescope::imported
