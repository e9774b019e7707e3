// SPDX-License-Identifier: Apache-2.0
// The memory of a process that may be no Python, read as if it were one: a version, then its bytes from an address on.
#include "collector/python/code.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <cstring>

namespace {

using namespace lanescope;

constexpr python::Address kStart = 0x10000;

struct Image {
  const std::uint8_t* bytes;
  std::size_t size;
  std::size_t asked = 0;
};

bool read(void* self, python::Address from, void* to, std::size_t bytes) {
  auto& image = *static_cast<Image*>(self);
  ++image.asked;
  if (from < kStart || from - kStart > image.size || bytes > image.size - (from - kStart)) return false;
  std::memcpy(to, image.bytes + (from - kStart), bytes);
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  Image image{bytes + 1, size - 1};
  const python::Memory memory{&read, &image};
  constexpr unsigned kFirst = 8, kVersions = 8;
  python::Python python{.layout = {}, .runtime = kStart, .codeType = 0};
  if (python::findLayout(memory, kStart, kFirst + bytes[0] % kVersions, python.layout) != python::Refusal::kNo)
    return 0;
  python::Thread threads[16];
  std::size_t count = 0;
  python::readThreads(memory, python, threads, count);
  fuzz::demand(count <= std::size(threads));
  for (std::size_t i = 0; i < count; ++i) {
    python::Frame frames[python::kMostFrames];
    std::size_t depth = 0;
    bool isCut = false;
    python::readFrames(memory, python, threads[i].state, frames, depth, isCut);
    fuzz::demand(depth <= python::kMostFrames);
    for (std::size_t k = 0; k < std::min<std::size_t>(depth, 8); ++k) {
      python::Code code;
      if (!python::readCode(memory, python, frames[k].code, code)) continue;
      char text[64];
      std::size_t length = 0;
      python::readText(memory, python, code.name, text, length);
      fuzz::demand(length <= sizeof text);
      fuzz::demand(python::readLine(memory, python, code, frames[k]) >= 0);
    }
  }
  constexpr std::size_t kMostAsked = 1u << 20;
  fuzz::demand(image.asked < kMostAsked);
  return 0;
}
