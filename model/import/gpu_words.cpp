// SPDX-License-Identifier: Apache-2.0
#include "model/import/gpu_words.h"

#include <utility>

namespace lanescope::imported {

namespace {

/// Where the bracket opens that the last character closes; npos where none does.
std::size_t openingOf(std::string_view text, char open, char close) {
  std::size_t depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    const bool isArrow = i > 0 && text[i - 1] == '-';
    if (text[i] == close && !isArrow) ++depth;
    if (text[i] == open && --depth == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

std::uint8_t copyKindOf(std::string_view name) {
  constexpr std::pair<std::string_view, std::uint8_t> kWords[] = {
      {"UM HtoD", 11},       {"UM DtoH", 12},       {"UM DtoD", 13},
      {"HtoD", 1},           {"DtoH", 2},           {"HtoA", 3},
      {"AtoH", 4},           {"AtoA", 5},           {"AtoD", 6},
      {"DtoA", 7},           {"DtoD", 8},           {"HtoH", 9},
      {"PtoP", 10},          {"HostToDevice", 1},   {"DeviceToHost", 2},
      {"Peer", 10},          {"DeviceToDevice", 8}, {"HostToHost", 9},
      {"HOST_TO_DEVICE", 1}, {"DEVICE_TO_HOST", 2}, {"DEVICE_TO_DEVICE", 8},
      {"HOST_TO_HOST", 9},
  };
  for (const auto& [word, kind] : kWords)
    if (name.find(word) != std::string_view::npos) return kind;
  return 0;
}

std::string_view shortKernelName(std::string_view name) {
  std::string_view rest = name;
  if (const std::size_t clone = rest.find(" [clone"); clone != std::string_view::npos) rest = rest.substr(0, clone);
  if (rest.ends_with(" const")) rest.remove_suffix(6);
  if (rest.ends_with(')')) {
    const std::size_t open = openingOf(rest, '(', ')');
    if (open == std::string_view::npos || open == 0) return name;
    rest = rest.substr(0, open);
  }
  if (rest.ends_with('>')) {
    const std::size_t open = openingOf(rest, '<', '>');
    if (open == std::string_view::npos || open == 0) return name;
    rest = rest.substr(0, open);
  }
  if (const std::size_t scope = rest.rfind("::"); scope != std::string_view::npos) rest = rest.substr(scope + 2);
  if (rest.size() < name.size())
    if (const std::size_t space = rest.rfind(' '); space != std::string_view::npos) rest = rest.substr(space + 1);
  return rest.empty() ? name : rest;
}

}  // namespace lanescope::imported
