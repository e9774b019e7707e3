// SPDX-License-Identifier: Apache-2.0
#include "collector/python/layout.h"

#include <cstring>

namespace lanescope::python {
namespace {

// offsetof() in the headers under include/python3.x/internal of each; tests read stacks of interpreters of each.
constexpr Layout k39 = {.minor = 9,
                        .interpreters = 32,
                        .runtimeGil = 352,
                        .threads = 8,
                        .id = 176,
                        .frame = 24,
                        .code = 32,
                        .back = 24,
                        .instruction = 104,
                        .line = 108,
                        .trace = 80,
                        .file = 104,
                        .name = 112,
                        .firstLine = 40,
                        .lines = 120,
                        .asciiText = 48,
                        .compactText = 72};
constexpr Layout k310 = [] {
  Layout layout = k39;
  layout.minor = 10;
  layout.instruction = 96;
  layout.line = 100;
  layout.trace = kNone;  // the line counts where it is not 0
  return layout;
}();
constexpr Layout k311 = {.minor = 11,
                         .interpreters = 40,
                         .runtimeGil = 360,
                         .threads = 16,
                         .id = 152,
                         .nativeId = 160,
                         .frame = 56,
                         .frameBehind = 8,
                         .code = 32,
                         .back = 48,
                         .owner = 69,
                         .instruction = 56,
                         .entry = 68,
                         .file = 112,
                         .name = 120,
                         .qualifiedName = 128,
                         .firstLine = 72,
                         .lines = 136,
                         .instructions = 184,
                         .firstTraceable = 168,
                         .asciiText = 48,
                         .compactText = 72};
constexpr Layout k312 = [] {
  Layout layout = k311;
  layout.minor = 12;
  layout.runtimeGil = kNone;
  layout.gil = 384;
  layout.threads = 72;
  layout.id = 136;
  layout.nativeId = 144;
  layout.frameBehind = 0;
  layout.code = 0;
  layout.back = 8;
  layout.owner = 70;
  layout.entry = kNone;  // a frame that C owns stands behind it
  layout.firstLine = 68;
  layout.instructions = 192;
  layout.firstTraceable = 176;
  layout.asciiText = 40;
  layout.compactText = 56;
  return layout;
}();
constexpr const Layout* kLayouts[] = {&k39, &k310, &k311, &k312};
constexpr unsigned kFirst = 9, kSelfDescribing = 13;

/// _Py_DebugOffsets of 3.13, as 64-bit words.
struct DebugOffsets {
  char cookie[8];
  std::uint64_t version, freeThreaded;
  struct {
    std::uint64_t size, finalizing, interpreters;
  } runtime;
  struct {
    std::uint64_t size, id, next, threads, gc, modules, sys, builtins, gil, ownGil, gilEnabled, gilLocked, gilHolder;
  } interpreter;
  struct {
    std::uint64_t size, previous, next, interpreter, frame, id, nativeId, dataStack, status;
  } thread;
  struct {
    std::uint64_t size, previous, executable, instruction, locals, owner;
  } frame;
  struct {
    std::uint64_t size, file, name, qualifiedName, lines, firstLine, arguments, localNames, localKinds, instructions;
  } code;
  struct {
    std::uint64_t size, type;
  } object;
  std::uint64_t typeObject[4], tuple[3], list[3], dictionary[3], floating[2], integer[3];
  struct {
    std::uint64_t size, length, data;
  } bytes;
  struct {
    std::uint64_t size, state, length, asciiSize;
  } text;
};
static_assert(sizeof(DebugOffsets) == 568);

Refusal layoutFromItself(const Memory& memory, Address runtime, Layout& layout) {
  DebugOffsets offsets{};
  if (!memory.get(runtime, offsets)) return Refusal::kUnreadable;
  if (std::memcmp(offsets.cookie, "xdebugpy", sizeof offsets.cookie) != 0) return Refusal::kUnreadable;
  constexpr std::uint64_t kVersion = 0x030D;  // 3.13; what 3.14 tells is in another order
  if (offsets.version >> 16 != kVersion) return offsets.version >> 16 > kVersion ? Refusal::kTooNew : Refusal::kTooOld;
  if (offsets.freeThreaded != 0) return Refusal::kFreeThreaded;
  bool fits = true;
  const auto take = [&](std::uint16_t& field, std::uint64_t offset) {
    constexpr std::uint64_t kLargest = 0x7FFF;
    fits &= offset <= kLargest;
    field = static_cast<std::uint16_t>(offset);
  };
  layout = k312;
  layout.minor = kSelfDescribing;
  layout.frameBehind = kNone;
  take(layout.interpreters, offsets.runtime.interpreters);
  take(layout.nextInterpreter, offsets.interpreter.next);
  take(layout.threads, offsets.interpreter.threads);
  take(layout.gil, offsets.interpreter.gil);
  // These two are told of the lock within the interpreter, which may use another's.
  take(layout.gilHolder, offsets.interpreter.gilHolder - offsets.interpreter.ownGil);
  take(layout.gilLocked, offsets.interpreter.gilLocked - offsets.interpreter.ownGil);
  take(layout.nextThread, offsets.thread.next);
  take(layout.interpreter, offsets.thread.interpreter);
  take(layout.frame, offsets.thread.frame);
  take(layout.id, offsets.thread.id);
  take(layout.nativeId, offsets.thread.nativeId);
  take(layout.code, offsets.frame.executable);
  take(layout.back, offsets.frame.previous);
  take(layout.instruction, offsets.frame.instruction);
  take(layout.owner, offsets.frame.owner);
  take(layout.file, offsets.code.file);
  take(layout.name, offsets.code.name);
  take(layout.qualifiedName, offsets.code.qualifiedName);
  take(layout.lines, offsets.code.lines);
  take(layout.firstLine, offsets.code.firstLine);
  take(layout.instructions, offsets.code.instructions);
  // int _co_firsttraceable; void* co_extra; then the instructions.
  take(layout.firstTraceable, offsets.code.instructions - 2 * sizeof(void*));
  take(layout.type, offsets.object.type);
  take(layout.bytesLength, offsets.bytes.length);
  take(layout.bytes, offsets.bytes.data);
  take(layout.textState, offsets.text.state);
  take(layout.textLength, offsets.text.length);
  take(layout.asciiText, offsets.text.asciiSize);
  take(layout.compactText, offsets.text.asciiSize + 2 * sizeof(void*));  // then the length and place of its UTF-8
  return fits ? Refusal::kNo : Refusal::kUnreadable;
}

}  // namespace

const Layout* layoutOf(unsigned minor) {
  return minor >= kFirst && minor < kSelfDescribing ? kLayouts[minor - kFirst] : nullptr;
}

const char* reasonOf(Refusal refusal) {
  switch (refusal) {
    case Refusal::kNo:
      return "";
    case Refusal::kTooOld:
      return "its stacks can be read from 3.9 on";
    case Refusal::kTooNew:
      return "it is newer than what this lanescope knows; stacks can be read up to 3.13";
    case Refusal::kFreeThreaded:
      return "free-threaded builds keep their threads in another way, which is not read yet";
    case Refusal::kUnreadable:
      return "its memory is not what this version of Python has there";
  }
  return "";
}

Refusal findLayout(const Memory& memory, Address runtime, unsigned minor, Layout& layout) {
  if (minor < kFirst) return Refusal::kTooOld;
  if (minor >= kSelfDescribing) return layoutFromItself(memory, runtime, layout);
  layout = *layoutOf(minor);
  return Refusal::kNo;
}

}  // namespace lanescope::python
