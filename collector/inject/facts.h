// SPDX-License-Identifier: Apache-2.0
// "name=value" lines about this process. Values are one line: line ends are written \n, a backslash \\. Of the
// environment only an allow-list is kept. No allocation but a page or two for the length of the call.
#pragma once

#include <cstddef>

namespace lanescope::inject {

struct Session;

/// Lines under construction; what does not fit is left out whole.
struct Lines {
  static constexpr std::size_t kMost = 64u << 10;
  std::size_t used = 0;
  char bytes[kMost];

  void add(const char* name, const char* value, std::size_t length);
  void add(const char* name, const char* value);
  void add(const char* name, unsigned long long value);
};

/// At most so many bytes of a file, 0 if it cannot be read.
std::size_t readWhole(const char* path, char* to, std::size_t most);

void writeProcessFacts(Session& session);
/// A fact that turned up later.
void writeFact(Session& session, const char* name, const char* value);

}  // namespace lanescope::inject
