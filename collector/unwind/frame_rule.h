// SPDX-License-Identifier: Apache-2.0
// How to get from a frame to its caller, at one address of a module: a small value for nearly all code, the whole row of the
// table for what is left (PLT entries, frames of signals). x86-64. Private to this folder.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "collector/unwind/byte_reader.h"

namespace lanescope::unwind {

/// The registers that calls keep; then the address to return to.
enum Kept : std::uint8_t { kBx, kBp, kR12, kR13, kR14, kR15, kReturn, kKeptCount };

/// What a row of the table says of one register of the caller, or of the CFA.
struct RegisterRule {
  enum class Kind : std::uint8_t {
    kSame,
    kUndefined,
    kAt,  ///< in memory, so far from the CFA
    kIs,  ///< the CFA and so much
    kRegister,  ///< another register, and so much
    kAtExpression,
    kIsExpression,
  };
  Kind kind = Kind::kSame;
  std::uint8_t from = 0;  ///< DWARF's number of that register
  std::int64_t offset = 0;
  Bytes expression = {};  ///< of the file's
};

struct FrameRow {
  RegisterRule cfa{.kind = RegisterRule::Kind::kUndefined};  ///< kRegister or kIsExpression
  std::array<RegisterRule, kKeptCount> registers = {};
  bool isSignal = false;  ///< its caller was interrupted, it did not call
};

struct FrameRule {
  /// Where the caller's register is, from the CFA; or one of these.
  static constexpr std::int32_t kSame = INT32_MAX, kUndefined = INT32_MAX - 1;
  enum class Cfa : std::uint8_t { kSp, kBp, kRow, kNone };

  Cfa cfa = Cfa::kNone;
  bool isSignal = false;
  std::int32_t cfaOffset = 0;
  std::uint32_t row = 0;  ///< index of it; of kRow
  std::array<std::int32_t, kKeptCount> at{};  ///< of kSp and kBp
};

/// The small value, kRow if the row says more than that has room for.
FrameRule reduced(const FrameRow& row);

/// What expressions may ask for.
class Evaluation {
 public:
  virtual std::optional<std::uint64_t> dwarfRegister(std::uint64_t number) const = 0;
  virtual std::optional<std::uint64_t> memory(std::uint64_t address) const = 0;

 protected:
  ~Evaluation() = default;
};

/// What the expression comes to, with `first` on its stack if there is one. None if it asks for what is not there or known;
/// ends after a bounded number of steps, whatever it says.
std::optional<std::uint64_t> evaluate(Bytes expression, std::optional<std::uint64_t> first, const Evaluation& on);

}  // namespace lanescope::unwind
