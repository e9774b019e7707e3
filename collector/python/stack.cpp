// SPDX-License-Identifier: Apache-2.0
#include "collector/python/stack.h"

#include <algorithm>
#include <cstring>

namespace lanescope::python {
namespace {

constexpr std::size_t kMostInterpreters = 64;

/// The fields of one structure, read at once up to the last that is wanted.
template <std::size_t Most>
class Fields {
 public:
  bool read(const Memory& memory, Address from, std::size_t bytes) {
    return isObject(from) && bytes <= Most && memory.get(from, bytes_, bytes);
  }
  template <class T>
  T at(std::uint16_t offset) const {
    T value{};
    if (offset + sizeof value <= Most) std::memcpy(&value, bytes_ + offset, sizeof value);
    return value;
  }
  Address pointer(std::uint16_t offset) const { return at<Address>(offset); }

 private:
  char bytes_[Most] = {};
};

std::size_t bytesFor(std::initializer_list<std::uint16_t> offsets) {
  std::size_t bytes = 0;
  for (const std::uint16_t offset : offsets) {
    if (offset != kNone) bytes = std::max<std::size_t>(bytes, offset + sizeof(Address));
  }
  return bytes;
}

/// Who has the lock of this interpreter: 0 nobody. False if it cannot be told.
bool readHolder(const Memory& memory, const Python& python, Address interpreter, Address& holder) {
  const Layout& layout = python.layout;
  Address gil = python.runtime + layout.runtimeGil;
  if (layout.runtimeGil == kNone && (!memory.get(interpreter + layout.gil, gil) || !isObject(gil))) return false;
  Fields<64> fields;
  if (!fields.read(memory, gil, bytesFor({layout.gilHolder, layout.gilLocked}))) return false;
  const int locked = fields.at<int>(layout.gilLocked);
  holder = locked == 1 ? fields.pointer(layout.gilHolder) : 0;
  return locked == 0 || locked == 1;
}

constexpr char kOwnedByGenerator = 1, kOwnedByC = 3;

}  // namespace

bool readThreads(const Memory& memory, const Python& python, std::span<Thread> into, std::size_t& count) {
  const Layout& layout = python.layout;
  count = 0;
  Address interpreter = 0;
  if (!memory.get(python.runtime + layout.interpreters, interpreter)) return false;
  const std::size_t bytes = bytesFor({layout.nextThread, layout.interpreter, layout.id, layout.nativeId, layout.frame});
  for (std::size_t i = 0; interpreter != 0; ++i) {
    if (i == kMostInterpreters || !isObject(interpreter)) return false;
    Address thread = 0, holder = 0;
    if (!memory.get(interpreter + layout.threads, thread)) return false;
    const bool knowsHolder = readHolder(memory, python, interpreter, holder);
    while (thread != 0 && count < into.size()) {
      Fields<512> fields;
      if (!fields.read(memory, thread, bytes) || fields.pointer(layout.interpreter) != interpreter) return false;
      Thread& found = into[count++];
      found = {.state = thread, .id = fields.pointer(layout.id)};
      if (layout.nativeId != kNone) found.native = fields.at<std::uint32_t>(layout.nativeId);
      if (knowsHolder) found.gil = holder == thread ? Gil::kHolds : Gil::kOther;
      thread = fields.pointer(layout.nextThread);
    }
    if (!memory.get(interpreter + layout.nextInterpreter, interpreter)) return false;
  }
  return true;
}

bool readFrames(const Memory& memory, const Python& python, Address thread, std::span<Frame> into, std::size_t& count,
                bool& cut) {
  const Layout& layout = python.layout;
  count = 0;
  cut = false;
  Address frame = 0;
  if (!memory.get(thread + layout.frame, frame)) return false;
  if (layout.frameBehind != kNone && (!isObject(frame) || !memory.get(frame + layout.frameBehind, frame))) return false;
  const bool isNumber = layout.instructions == kNone;
  const std::size_t bytes =
      bytesFor({layout.code, layout.back, layout.instruction, layout.line, layout.trace, layout.entry, layout.owner});
  // Frames of C between them do not count, but are as bounded.
  for (std::size_t seen = 0; frame != 0; ++seen) {
    if (count == into.size() || seen == 2 * kMostFrames) {
      cut = true;
      return true;
    }
    Fields<128> fields;
    if (!fields.read(memory, frame, bytes)) return false;
    const Address next = fields.pointer(layout.back);
    if (next == frame) return false;
    const char owner = layout.owner == kNone ? char{0} : fields.at<char>(layout.owner);
    frame = next;
    if (owner == kOwnedByC) {
      if (count > 0) into[count - 1].isEntry = true;
      continue;
    }
    if (owner < 0 || owner > kOwnedByC) return false;
    Frame& found = into[count];
    found = {.code = fields.pointer(layout.code)};
    if (!isObject(found.code)) return false;
    if (isNumber) {
      const int number = fields.at<int>(layout.instruction);
      constexpr int kMost = 1 << 28;
      if (number < -1 || number > kMost) return false;
      found.at = number < 0 ? -1 : layout.minor == 9 ? number : number * 2;
      const bool told = layout.trace == kNone || fields.pointer(layout.trace) != 0;
      found.line = told ? std::max(0, fields.at<int>(layout.line)) : 0;
    } else {
      // Before the first one it is one less than that, so the difference may be below 0.
      const auto at = static_cast<std::int64_t>(fields.pointer(layout.instruction) - found.code - layout.instructions);
      constexpr std::int64_t kMost = 1 << 28;
      if (at < -2 || at > kMost) return false;
      found.at = static_cast<std::int32_t>(at);
      found.mayBeSetUp = owner != kOwnedByGenerator;
    }
    found.isEntry = isNumber || frame == 0 || (layout.entry != kNone && fields.at<char>(layout.entry) != 0);
    ++count;
  }
  return true;
}

}  // namespace lanescope::python
