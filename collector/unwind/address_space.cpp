// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/address_space.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <deque>
#include <functional>

namespace lanescope::unwind {

using trace::Ns;

/// Parts of mappings by address, in treaps that never change: what changes is made anew. Node 0 is none.
struct AddressSpace::Nodes {
  struct Node {
    std::uint64_t start = 0, end = 0;
    const Mapping* mapping = nullptr;
    std::uint32_t left = 0, right = 0, weight = 0;
  };
  static constexpr std::size_t kMost = kMostMappings * 64;

  std::vector<Node> all{Node{}};
  std::deque<Mapping> mappings;  // stay where they are
  std::size_t dropped = 0;
  std::uint32_t seed = 1;

  std::uint32_t make(const Node& node) {
    all.push_back(node);
    return static_cast<std::uint32_t>(all.size() - 1);
  }
  std::uint32_t leaf(std::uint64_t start, std::uint64_t end, const Mapping* mapping) {
    seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
    return make({.start = start, .end = end, .mapping = mapping, .weight = seed});
  }
  std::uint32_t with(std::uint32_t old, std::uint32_t left, std::uint32_t right) {
    Node node = all[old];
    node.left = left, node.right = right;
    return make(node);
  }
  std::uint32_t merge(std::uint32_t a, std::uint32_t b) {
    if (a == 0 || b == 0) return a + b;
    if (all[a].weight > all[b].weight) return with(a, all[a].left, merge(all[a].right, b));
    return with(b, merge(a, all[b].left), all[b].right);
  }
  /// What lies before the address, and the rest; a part that the address is inside of is cut.
  std::pair<std::uint32_t, std::uint32_t> split(std::uint32_t root, std::uint64_t address) {
    if (root == 0) return {0, 0};
    const Node node = all[root];
    if (address <= node.start) {
      const auto [before, rest] = split(node.left, address);
      return {before, with(root, rest, node.right)};
    }
    if (address >= node.end) {
      const auto [before, rest] = split(node.right, address);
      return {with(root, node.left, before), rest};
    }
    const std::uint32_t first = leaf(node.start, address, node.mapping), second = leaf(address, node.end, node.mapping);
    return {merge(node.left, first), merge(second, node.right)};
  }
  std::uint32_t put(std::uint32_t root, const Mapping* mapping) {
    const auto [before, rest] = split(root, mapping->start);
    const std::uint32_t behind = split(rest, mapping->end).second;
    return merge(merge(before, leaf(mapping->start, mapping->end, mapping)), behind);
  }
};

AddressSpace::AddressSpace() : nodes_(std::make_shared<Nodes>()) {}

void AddressSpace::map(Mapping mapping) {
  if (mapping.start >= mapping.end) return;
  if (nodes_->mappings.size() >= kMostMappings || nodes_->all.size() >= Nodes::kMost) {
    ++nodes_->dropped;
    return;
  }
  static std::atomic<std::uint32_t> numbers{0};
  mapping.number = ++numbers;
  const Mapping* kept = &nodes_->mappings.emplace_back(std::move(mapping));
  own_.push_back(kept);
  if (inOrder_ && (versions_.empty() || versions_.back().time <= kept->time)) {
    const std::uint32_t before = versions_.empty() ? inherited_ : versions_.back().root;
    versions_.push_back({kept->time, nodes_->put(before, kept)});
  } else {
    inOrder_ = false;
  }
}

void AddressSpace::arrange() const {
  if (inOrder_) return;
  inOrder_ = true;
  std::vector<const Mapping*> sorted = own_;
  std::ranges::stable_sort(sorted, {}, &Mapping::time);
  versions_.clear();
  for (const Mapping* each : sorted) {
    if (nodes_->all.size() >= Nodes::kMost) {
      ++nodes_->dropped;
      continue;
    }
    versions_.push_back({each->time, nodes_->put(versions_.empty() ? inherited_ : versions_.back().root, each)});
  }
}

std::uint32_t AddressSpace::rootAt(Ns time) const {
  arrange();
  if (!versions_.empty() && versions_.back().time <= time) return versions_.back().root;
  const auto behind = std::ranges::upper_bound(versions_, time, {}, &Version::time);
  return behind == versions_.begin() ? inherited_ : std::prev(behind)->root;
}

AddressSpace AddressSpace::forked(Ns time) const {
  AddressSpace child = *this;
  child.inherited_ = rootAt(time);
  child.own_.clear();
  child.versions_.clear();
  return child;
}

const Mapping* AddressSpace::at(std::uint64_t address, Ns time) const {
  std::uint32_t at = rootAt(time);
  const Nodes::Node* all = nodes_->all.data();
  while (at != 0) {
    const Nodes::Node& node = all[at];
    if (address < node.start) at = node.left;
    else if (address >= node.end) at = node.right;
    else return node.mapping;
  }
  return nullptr;
}

std::vector<const Mapping*> AddressSpace::all(Ns time) const {
  std::vector<const Mapping*> found;
  const std::function<void(std::uint32_t)> walk = [&](std::uint32_t at) {
    if (at == 0) return;
    walk(nodes_->all[at].left);
    found.push_back(nodes_->all[at].mapping);
    walk(nodes_->all[at].right);
  };
  walk(rootAt(time));
  return found;
}

std::size_t AddressSpace::dropped() const { return nodes_->dropped; }

std::vector<Mapping> mappingsOf(std::string_view maps, Ns time) {
  std::vector<Mapping> found;
  while (!maps.empty()) {
    const std::size_t length = std::min(maps.find('\n'), maps.size());
    std::string_view line = maps.substr(0, length);
    maps.remove_prefix(std::min(length + 1, maps.size()));
    bool isSound = true;
    const auto number = [&](char behind) {
      std::uint64_t value = 0;
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
      const bool good = error == std::errc() && end != line.data() + line.size() && *end == behind;
      isSound = isSound && good;
      line = good ? line.substr(static_cast<std::size_t>(end - line.data()) + 1) : std::string_view();
      return value;
    };
    Mapping mapping{.time = time};
    mapping.start = number('-'), mapping.end = number(' ');
    if (line.size() < 5 || line[2] != 'x' || line[4] != ' ') continue;
    line.remove_prefix(5);
    mapping.offset = number(' ');
    for (const char behind : {' ', ' '}) {  // device, inode
      const std::size_t end = line.find(behind);
      line = end == line.npos ? std::string_view() : line.substr(end + 1);
    }
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    mapping.path = line.empty() ? "//anon" : std::string(line);
    if (isSound && mapping.start < mapping.end && found.size() < AddressSpace::kMostMappings)
      found.push_back(std::move(mapping));
  }
  return found;
}

}  // namespace lanescope::unwind
