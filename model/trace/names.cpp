// SPDX-License-Identifier: Apache-2.0
#include "model/trace/names.h"

#include <bit>
#include <cstring>

namespace lanescope::trace {

NameTable::NameTable() { append({}, {}, 0); }

std::size_t NameTable::KeyHash::operator()(const Key& key) const {
  return std::hash<std::string_view>{}(key.text) ^ (key.argb * 0x9E3779B97F4A7C15ull);
}

const Name& NameTable::operator[](NameId id) const {
  const std::uint64_t shifted = std::uint64_t{id} + (1u << kFirstChunkBits);
  const unsigned chunk = static_cast<unsigned>(std::bit_width(shifted)) - 1 - kFirstChunkBits;
  return chunks_[chunk][shifted - (std::uint64_t{1} << (chunk + kFirstChunkBits))];
}

NameId NameTable::intern(std::string_view text, std::string_view label, std::uint32_t argb) {
  constexpr std::size_t kLongest = 1 << 20;  // the longest real ones are kernel names of some hundred kilobytes
  const auto isFit = [](std::string_view each) { return each.size() <= kLongest && isCleanUtf8(each); };
  if (text.size() <= kLongest)
    if (const auto found = ids_.find({text, argb}); found != ids_.end()) return found->second;
  if (!isFit(text) || !isFit(label)) {
    const std::string fitText = shownText(text, kLongest);
    const std::string fitLabel = shownText(label, kLongest);
    if (const auto found = ids_.find({fitText, argb}); found != ids_.end()) return found->second;
    return append(fitText, fitLabel, argb);
  }
  return append(text, label, argb);
}

NameId NameTable::append(std::string_view text, std::string_view label, std::uint32_t argb) {
  // A coloured name points at the plain one of the same text, which is made first if need be.
  NameId plain = size();
  if (argb != 0) {
    const auto found = ids_.find({text, 0});
    plain = found != ids_.end() ? found->second : append(text, label, 0);
  }
  const NameId id = size();
  const std::uint64_t shifted = std::uint64_t{id} + (1u << kFirstChunkBits);
  const unsigned chunk = static_cast<unsigned>(std::bit_width(shifted)) - 1 - kFirstChunkBits;
  const std::uint64_t chunkSize = std::uint64_t{1} << (chunk + kFirstChunkBits);
  if (!chunks_[chunk]) chunks_[chunk] = std::make_unique<Name[]>(chunkSize);

  Name& name = chunks_[chunk][shifted - chunkSize];
  if (plain != id) {
    name = (*this)[plain];
    name.argb = argb;
  } else {
    name.text = keep(text);
    name.label = label.empty() || label == text ? name.text : keep(label);
  }
  name.same = plain;
  ids_.emplace(Key{name.text, argb}, id);
  count_.store(id + 1, std::memory_order_release);
  return id;
}

std::string_view NameTable::keep(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > arenaLeft_) {
    arenaLeft_ = std::max<std::size_t>(text.size(), 64 * 1024);
    arena_.push_back(std::make_unique<char[]>(arenaLeft_));
    arenaNext_ = arena_.back().get();
  }
  std::memcpy(arenaNext_, text.data(), text.size());
  const std::string_view kept(arenaNext_, text.size());
  arenaNext_ += text.size();
  arenaLeft_ -= text.size();
  textBytes_ += text.size();
  return kept;
}

}  // namespace lanescope::trace
