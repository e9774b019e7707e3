// SPDX-License-Identifier: Apache-2.0
#include "model/compare/match_names.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace lanescope::compare {
namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool isHex(char c) { return std::isxdigit(static_cast<unsigned char>(c)); }

/// "CUB_200700_860_NS", "THRUST_200302___CUDA_ARCH_LIST___NS", "__4" as libcu++ has it: a namespace named by a version.
bool isVersion(std::string_view word) {
  if (word.ends_with("_NS") && (word.starts_with("CUB_") || word.starts_with("THRUST_"))) return true;
  return word.size() > 2 && word.starts_with("__") && std::ranges::all_of(word.substr(2), isDigit);
}

/// "_GLOBAL__N__3a1b2c4d_11_file_cu_9d2f5c7b": an anonymous namespace of nvcc.
bool isAnonymous(std::string_view word) { return word.starts_with("_GLOBAL__N_"); }

/// Eight or more hexadecimal digits, a digit and a letter among them at least: a hash.
bool isHash(std::string_view part) {
  return part.size() >= 8 && std::ranges::all_of(part, isHex) && std::ranges::any_of(part, isDigit) &&
         !std::ranges::all_of(part, isDigit);
}

/// A word without its hashes, and without the running number behind it where a compiler generated it ("triton_poi_fused_add_3").
std::string plainWord(std::string_view word) {
  std::string plain;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t end = std::min(word.find('_', at), word.size());
    const std::string_view part = word.substr(at, end - at);
    plain += isHash(part) ? std::string_view("*") : part;
    if (end < word.size()) plain += '_';
    at = end + 1;
  }
  if (plain.starts_with("triton_")) {
    const std::size_t last = plain.find_last_not_of("0123456789");
    if (last + 1 < plain.size() && plain[last] == '_') plain.resize(last);
  }
  return plain;
}

/// The names of both sides that are not matched yet, by a key; those without one are left alone.
template <class Key>
std::map<std::string, MatchedNames> leftBy(std::span<const NameToMatch> a, std::span<const NameToMatch> b,
                                           const std::vector<bool>& doneA, const std::vector<bool>& doneB, Key key) {
  std::map<std::string, MatchedNames> groups;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!doneA[i]) groups[key(a[i])].a.push_back(i);
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!doneB[i]) groups[key(b[i])].b.push_back(i);
  groups.erase("");
  return groups;
}

}  // namespace

std::string withoutBuildNoise(std::string_view name) {
  std::string plain;
  for (std::size_t at = 0; at < name.size();) {
    if (name[at] == '#' && at + 1 < name.size() && isDigit(name[at + 1])) {  // {lambda(int)#2}
      at = std::min(name.find_first_not_of("0123456789", at + 1), name.size());
      plain += "#*";
      continue;
    }
    constexpr std::string_view kInstance = "(instance ";  // [lambda(int) (instance 2)]
    if (name.substr(at).starts_with(kInstance)) {
      at = std::min(name.find_first_not_of("0123456789", at + kInstance.size()), name.size());
      plain += "(instance *";
      continue;
    }
    if (!isWord(name[at])) {
      plain += name[at++];
      continue;
    }
    std::size_t end = at;
    while (end < name.size() && isWord(name[end])) ++end;
    const std::string_view word = name.substr(at, end - at);
    at = end;
    if (isVersion(word) && name.substr(at).starts_with("::")) at += 2;
    else if (isAnonymous(word)) plain += "(anonymous namespace)";
    else plain += plainWord(word);
  }
  return plain;
}

std::vector<MatchedNames> matchNames(std::span<const NameToMatch> a, std::span<const NameToMatch> b) {
  std::vector<bool> doneA(a.size()), doneB(b.size());
  std::vector<MatchedNames> matched;
  const auto take = [&](MatchedNames names) {
    for (const std::size_t i : names.a) doneA[i] = true;
    for (const std::size_t i : names.b) doneB[i] = true;
    matched.push_back(std::move(names));
  };
  const auto isBoth = [](const MatchedNames& names) { return !names.a.empty() && !names.b.empty(); };

  for (auto& [text, names] :
       leftBy(a, b, doneA, doneB, [](const NameToMatch& n) { return std::string("=").append(n.text); }))
    if (isBoth(names)) take(std::move(names));
  const auto plain = [](const NameToMatch& n) { return n.isKernel ? withoutBuildNoise(n.text) : std::string(); };
  for (auto& [text, names] : leftBy(a, b, doneA, doneB, plain))
    if (isBoth(names)) take(std::move(names));
  const auto label = [](const NameToMatch& n) { return n.isKernel ? withoutBuildNoise(n.label) : std::string(); };
  for (auto& [text, names] : leftBy(a, b, doneA, doneB, label))
    if (names.a.size() == 1 && names.b.size() == 1) take(std::move(names));

  for (std::size_t i = 0; i < a.size(); ++i)
    if (!doneA[i]) matched.push_back({{i}, {}});
  std::ranges::sort(matched, {}, [](const MatchedNames& names) { return names.a.front(); });
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!doneB[i]) matched.push_back({{}, {i}});
  return matched;
}

}  // namespace lanescope::compare
