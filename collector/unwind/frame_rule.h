// SPDX-License-Identifier: Apache-2.0
// How to get from a frame to its caller, at one address of a module: a small value for nearly all code, DWARF expressions
// for what is left (PLT entries, frames of signals). x86-64. Private to this folder.
#pragma once

#include <elfutils/libdw.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::unwind {

/// The registers that calls keep, in the order of Walked::kept; then the address to return to.
enum Kept : std::uint8_t { kBx, kBp, kR12, kR13, kR14, kR15, kReturn, kKeptCount };

struct FrameRule {
  /// Where the caller's register is, from the CFA; or one of these.
  static constexpr std::int32_t kSame = INT32_MAX, kUndefined = INT32_MAX - 1;
  enum class Cfa : std::uint8_t { kSp, kBp, kExpression, kNone };

  Cfa cfa = Cfa::kNone;
  bool isSignal = false;  ///< its caller was interrupted, it did not call
  std::int32_t cfaOffset = 0;
  std::uint32_t expressions = 0;  ///< index of them; of kExpression
  std::array<std::int32_t, kKeptCount> at{};  ///< of kSp and kBp
};

/// One register, or the CFA, as DWARF says it.
struct Expression {
  std::vector<Dwarf_Op> operations;
  bool isSame = false;  ///< else undefined, where there are no operations
};
struct Expressions {
  Expression cfa;
  std::array<Expression, kKeptCount> registers;
};

/// What libdw knows of this address. kNone if nothing; `expressions` is filled for kExpression.
FrameRule frameRule(Dwarf_CFI* cfi, std::uint64_t address, Expressions& expressions);

/// What expressions may ask for.
class Evaluation {
 public:
  virtual std::optional<std::uint64_t> dwarfRegister(unsigned number) const = 0;
  virtual std::optional<std::uint64_t> memory(std::uint64_t address) const = 0;

 protected:
  ~Evaluation() = default;
};

/// What the expression comes to: an address where the value is, or the value if `isValue`. None if it asks for what is not
/// there or known; ends after a bounded number of steps, whatever it says.
struct Evaluated {
  std::uint64_t number = 0;
  bool isValue = false;
};
std::optional<Evaluated> evaluate(const Expression& expression, std::optional<std::uint64_t> cfa, const Evaluation& on);

}  // namespace lanescope::unwind
