// SPDX-License-Identifier: Apache-2.0
#include "model/sort_keyed.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "model/on_threads.h"

namespace lanescope {
namespace {

constexpr unsigned kMostBits = 11;  // of a digit: as many places to write to as caches follow
constexpr std::size_t kFew = 256;   // items, for which counting digits does not pay

/// Each(item, index) for all, on the threads of their parts.
void forAll(const std::vector<Part>& parts, const auto& each) {
  onThreads(parts.size(), [&](std::size_t part) {
    for (std::size_t i = parts[part].first; i < parts[part].last; ++i) each(i);
  });
}

template <class Item>
struct Moved {
  Item* items;  ///< where they are now
  std::uint64_t times;
};

/// By the lowest `bits` of what `keyOf` says, there and back between two places.
template <class Item, class KeyOf>
Moved<Item> sortDigits(Item* items, Item* other, const std::vector<Part>& parts, unsigned bits, const KeyOf& keyOf,
                       const Job& job) {
  const std::size_t count = parts.back().last;
  const unsigned digits = (bits + kMostBits - 1) / kMostBits;
  const unsigned width = (bits + digits - 1) / digits;
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  std::vector<std::vector<std::size_t>> places(parts.size(), std::vector<std::size_t>(mask + 1));
  std::uint64_t times = 0;
  for (unsigned digit = 0; digit < digits && !job.cancelled(); ++digit) {
    const auto digitOf = [&, shift = digit * width](const Item& item) { return keyOf(item) >> shift & mask; };
    onThreads(parts.size(), [&](std::size_t part) {
      std::size_t* const counts = places[part].data();
      std::fill_n(counts, mask + 1, 0);
      for (std::size_t i = parts[part].first; i < parts[part].last; ++i) ++counts[digitOf(items[i])];
    });
    bool alike = false;
    std::size_t place = 0;  // of one digit those of the first part stand first
    for (std::size_t value = 0; value <= mask; ++value) {
      const std::size_t before = place;
      for (auto& ofPart : places) place += std::exchange(ofPart[value], place);
      alike = alike || place - before == count;
    }
    if (alike) continue;
    onThreads(parts.size(), [&](std::size_t part) {
      std::size_t* const to = places[part].data();
      for (std::size_t i = parts[part].first; i < parts[part].last; ++i) other[to[digitOf(items[i])]++] = items[i];
    });
    std::swap(items, other);
    times += count;
  }
  return {items, times};
}

/// What keys and ids have in common.
struct Extent {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
  std::uint32_t lastId = 0;
};

Extent extentOf(std::span<const Keyed> items, const std::vector<Part>& parts) {
  std::vector<Extent> extents(parts.size());
  onThreads(parts.size(), [&](std::size_t part) {
    Extent own;
    for (const Keyed& item : items.subspan(parts[part].first, parts[part].last - parts[part].first))
      own = {std::min(own.least, item.key), std::max(own.most, item.key), std::max(own.lastId, item.id)};
    extents[part] = own;
  });
  Extent all;
  for (const Extent& own : extents)
    all = {std::min(all.least, own.least), std::max(all.most, own.most), std::max(all.lastId, own.lastId)};
  return all;
}

}  // namespace

std::uint64_t sortKeyed(std::span<Keyed> items, const Job& job) {
  if (std::ranges::is_sorted(items, {}, &Keyed::key)) return 0;
  if (items.size() <= kFew) {
    std::ranges::stable_sort(items, {}, &Keyed::key);
    return items.size();
  }
  const std::vector<Part> parts = partsOf(items.size());
  const Extent extent = extentOf(items, parts);
  const auto bits = static_cast<unsigned>(std::bit_width(extent.most - extent.least));
  const auto idBits = static_cast<unsigned>(std::bit_width(extent.lastId));
  if (bits + idBits > 64) {
    const auto other = std::make_unique_for_overwrite<Keyed[]>(items.size());
    const auto moved = sortDigits(
        items.data(), other.get(), parts, bits, [&](const Keyed& item) { return item.key - extent.least; }, job);
    if (moved.items != items.data()) forAll(parts, [&](std::size_t i) { items[i] = moved.items[i]; });
    return moved.times;
  }

  // Key and id fit into one number, of which half as much is moved.
  const auto packed = std::make_unique_for_overwrite<std::uint64_t[]>(items.size());
  const auto other = std::make_unique_for_overwrite<std::uint64_t[]>(items.size());
  forAll(parts, [&](std::size_t i) { packed[i] = (items[i].key - extent.least) << idBits | items[i].id; });
  const auto moved =
      sortDigits(packed.get(), other.get(), parts, bits, [idBits](std::uint64_t both) { return both >> idBits; }, job);
  const std::uint64_t mask = (std::uint64_t{1} << idBits) - 1;
  forAll(parts, [&](std::size_t i) {
    const std::uint64_t both = moved.items[i];
    items[i] = {(both >> idBits) + extent.least, static_cast<std::uint32_t>(both & mask)};
  });
  return moved.times;
}

}  // namespace lanescope
