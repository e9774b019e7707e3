// SPDX-License-Identifier: Apache-2.0
#include "model/remote/ssh_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "model/shell_words.h"

namespace lanescope::remote {
namespace {

constexpr std::string_view kScheme = "ssh://";
constexpr std::size_t kLongestPath = 4096, kLongestName = 255;

bool isControl(unsigned char c) { return c < 0x20 || c == 0x7F; }

bool isPlain(unsigned char c) { return std::isalnum(c) || c == '-' || c == '.' || c == '_'; }

bool isOfHost(unsigned char c) { return isPlain(c) || c == ':' || c == '%'; }  // the last two in IPv6

/// Nothing that a shell, which a ProxyCommand is given to, would not take as it stands.
bool isOfUser(unsigned char c) { return isPlain(c) || c == '@' || c == '+' || c == '=' || c == ','; }

std::string_view whyNoUser(std::string_view user) {
  if (user.empty() || user.size() > kLongestName || user.front() == '-') return "its user";
  return std::ranges::all_of(user, isOfUser) ? "" : "its user";
}

std::optional<std::string> decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    unsigned byte = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() < 2 || error != std::errc() || end != digits.data() + 2) return std::nullopt;
    plain += static_cast<char>(byte);
    i += 2;
  }
  return plain;
}

/// Unreserved characters and the slash stay.
std::string encoded(std::string_view text) {
  std::string coded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (isPlain(byte) || byte >= 0x80 || std::string_view("~/@:+,=").find(c) != std::string_view::npos) coded += c;
    else coded += fmt::format("%{:02X}", byte);
  }
  return coded;
}

}  // namespace

std::string_view whyNoHost(std::string_view host) {
  if (host.empty()) return "it names no host";
  if (host.size() > kLongestName || host.front() == '-' || !std::ranges::all_of(host, isOfHost)) return "its host";
  const std::string_view zone = host.substr(std::min(host.find('%'), host.size()));  // of an IPv6 address
  if (!zone.empty() && (host.find(':') > host.size() - zone.size() || zone.find_first_of(":%", 1) != zone.npos))
    return "its host";
  return "";
}

bool isSshAddress(std::string_view text) { return text.starts_with(kScheme); }

Result<SshTarget> parseSshTarget(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return tl::unexpected(Error{ErrorCode::kBadAddress, std::string(text), std::string(why)});
  };
  if (!isSshAddress(text)) return refuse("it does not begin with ssh://");
  const std::string_view rest = text.substr(kScheme.size());
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view place = rest.substr(0, slash);
  SshTarget target;
  if (const std::size_t at = place.rfind('@'); at != std::string_view::npos) {
    if (place.substr(0, at).find(':') != std::string_view::npos) return refuse("a password has no place in it");
    target.user = decoded(place.substr(0, at)).value_or("");
    if (const auto why = whyNoUser(target.user); !why.empty()) return refuse(why);
    place.remove_prefix(at + 1);
  }
  std::string_view port;
  if (place.starts_with('[')) {
    const std::size_t end = place.find(']');
    if (end == std::string_view::npos) return refuse("a bracket is open");
    target.host = decoded(place.substr(1, end - 1)).value_or("");
    port = place.substr(end + 1);
  } else {
    const std::size_t colon = std::min(place.find(':'), place.size());
    target.host = place.substr(0, colon);
    port = place.substr(colon);
    if (target.host.find('%') != std::string::npos) return refuse("its host");
  }
  if (const auto why = whyNoHost(target.host); !why.empty()) return refuse(why);
  if (!port.empty()) {
    constexpr int kMostPort = 65535;
    const char* end = port.data() + port.size();
    const auto [last, error] = std::from_chars(port.data() + 1, end, target.port);
    if (port.front() != ':' || error != std::errc() || last != end || target.port < 1 || target.port > kMostPort)
      return refuse("its port is none of 1 to 65535");
  }
  const auto path = decoded(rest.substr(slash));
  if (!path) return refuse("write % as %25");
  if (path->size() > kLongestPath) return refuse("its path is too long");
  if (std::ranges::any_of(*path, isControl)) return refuse("a control character is in it");
  target.path = *path;
  if (path->starts_with("/~")) {
    if (path->size() > 2 && (*path)[2] != '/') return refuse("the home of another user: write its path in full");
    target.path = path->substr(std::min<std::size_t>(path->size(), 3));
    target.path.erase(0, target.path.find_first_not_of('/'));
    if (target.path.empty()) target.path = ".";
  }
  return target;
}

Result<SshTarget> parseSshHost(const std::string& text) {
  return parseSshTarget(isSshAddress(text) ? text : std::string(kScheme) + text);
}

std::string SshTarget::place() const {
  std::string text = user.empty() ? "" : user + "@";
  text += host.find(':') != std::string::npos ? "[" + host + "]" : host;
  return port > 0 ? fmt::format("{}:{}", text, port) : text;
}

std::string SshTarget::address() const {
  SshTarget coded = *this;
  if (const auto zone = host.find('%'); zone != std::string::npos) coded.host.replace(zone, 1, "%25");
  std::string text = std::string(kScheme) + coded.place();
  if (path.empty()) return text;
  if (path == ".") return text + "/~/";
  return text + (path.starts_with('/') ? "" : "/~/") + encoded(path);
}

std::string SshTarget::fileName() const { return path.substr(path.rfind('/') + 1); }

SshTarget SshTarget::at(std::string_view otherPath) const {
  SshTarget other = *this;
  other.path = otherPath;
  return other;
}

std::string shellWords(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    const bool bare = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
      return isPlain(c) || std::string_view("/,:@+").find(static_cast<char>(c)) != std::string_view::npos;
    });
    line += bare ? word : singleQuoted(word);
  }
  return line;
}

}  // namespace lanescope::remote
