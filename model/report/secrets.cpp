// SPDX-License-Identifier: Apache-2.0
#include "model/report/secrets.h"

#include <algorithm>

namespace lanescope::report {
namespace {

constexpr std::string_view kWords[] = {"TOKEN", "SECRET",     "PASSWORD", "PASSWD", "PASSPHRASE", "KEY",
                                       "AUTH",  "CREDENTIAL", "COOKIE",   "PWD_",   "SIGNATURE"};

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// A password between the ":" and the "@" of an address.
void maskAddress(std::string& word) {
  const std::size_t scheme = word.find("://");
  if (scheme == std::string::npos) return;
  const std::size_t host = word.find('/', scheme + 3), at = word.rfind('@', host);
  const std::size_t colon = word.find(':', scheme + 3);
  if (at != std::string::npos && colon < at && at > scheme) word.replace(colon + 1, at - colon - 1, kMasked);
}

}  // namespace

bool tellsEnvironment(std::string_view name) {
  return name.find("ENVIRONMENT_VARIABLE") != std::string_view::npos || name == "DeviceEnvironment";
}

bool namesSecret(std::string_view name) {
  std::string words(name);
  std::ranges::transform(words, words.begin(), upper);
  return std::ranges::any_of(kWords, [&](std::string_view word) { return words.find(word) != std::string::npos; });
}

std::string withoutSecrets(std::string_view name, std::string_view value) {
  if (namesSecret(name) && !value.empty()) return std::string(kMasked);
  std::string shown;
  bool hideNext = false;
  while (!value.empty()) {
    const std::size_t end = std::min(value.find(' '), value.size());
    std::string word(value.substr(0, end));
    const std::size_t equals = word.find('=');
    const std::string_view before = std::string_view(word).substr(0, equals);
    const bool secret = namesSecret(before);
    if (hideNext && !word.empty()) {
      word = kMasked;
    } else if (equals != std::string::npos && secret) {
      word.replace(equals + 1, std::string::npos, kMasked);
    } else {
      maskAddress(word);
    }
    hideNext = equals == std::string::npos && secret && before.starts_with('-');
    shown += word;
    if (end < value.size()) shown += ' ';
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return shown;
}

}  // namespace lanescope::report
