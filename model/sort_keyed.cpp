// SPDX-License-Identifier: Apache-2.0
#include "model/sort_keyed.h"

#include <algorithm>
#include <numeric>

namespace lanescope {
namespace {

constexpr unsigned kMostBits = 11;  // of a digit: as many places to write to as caches follow
constexpr std::size_t kFew = 256;   // items, for which counting digits does not pay

/// By the lowest `bits` of what `keyOf` says.
template <class Item, class KeyOf>
std::uint64_t sortDigits(std::vector<Item>& items, unsigned bits, const KeyOf& keyOf, const Job& job) {
  const unsigned digits = (bits + kMostBits - 1) / kMostBits;
  const unsigned width = (bits + digits - 1) / digits;
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  std::vector<Item> other(items.size());
  std::vector<std::size_t> places(std::size_t{1} << width);
  std::uint64_t moved = 0;
  for (unsigned digit = 0; digit < digits; ++digit) {
    if (job.cancelled()) return moved;
    const auto digitOf = [&, shift = digit * width](const Item& item) { return keyOf(item) >> shift & mask; };
    std::ranges::fill(places, 0);
    for (const Item& item : items) ++places[digitOf(item)];
    if (std::ranges::find(places, items.size()) != places.end()) continue;  // all alike
    std::exclusive_scan(places.begin(), places.end(), places.begin(), std::size_t{0});
    for (const Item& item : items) other[places[digitOf(item)]++] = item;
    items.swap(other);
    moved += items.size();
  }
  return moved;
}

}  // namespace

std::uint64_t sortKeyed(std::vector<Keyed>& items, const Job& job) {
  if (std::ranges::is_sorted(items, {}, &Keyed::key)) return 0;
  if (items.size() <= kFew) {
    std::ranges::stable_sort(items, {}, &Keyed::key);
    return items.size();
  }
  const auto [least, most] = std::ranges::minmax(items, {}, &Keyed::key);
  const std::uint64_t base = least.key;
  const auto bits = static_cast<unsigned>(std::bit_width(most.key - base));
  const auto idBits = static_cast<unsigned>(std::bit_width(std::ranges::max(items, {}, &Keyed::id).id));
  if (bits + idBits > 64) return sortDigits(items, bits, [base](const Keyed& item) { return item.key - base; }, job);

  // Key and id fit into one number, of which half as much is moved.
  std::vector<std::uint64_t> packed(items.size());
  std::ranges::transform(items, packed.begin(),
                         [&](const Keyed& item) { return (item.key - base) << idBits | item.id; });
  const std::uint64_t moved = sortDigits(packed, bits, [idBits](std::uint64_t both) { return both >> idBits; }, job);
  const std::uint64_t mask = (std::uint64_t{1} << idBits) - 1;
  std::ranges::transform(packed, items.begin(), [&](std::uint64_t both) {
    return Keyed{(both >> idBits) + base, static_cast<std::uint32_t>(both & mask)};
  });
  return moved;
}

}  // namespace lanescope
