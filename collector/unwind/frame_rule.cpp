// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/frame_rule.h"

#include <dwarf.h>

#include <cstddef>
#include <utility>

namespace lanescope::unwind {

namespace {

using Kind = RegisterRule::Kind;

bool fits(std::int64_t value) { return value > -(1 << 30) && value < 1 << 30; }

/// A stack machine over one expression.
class Machine {
 public:
  Machine(Bytes expression, const Evaluation& on) : code_(expression), on_(on) {}

  std::optional<std::uint64_t> run(std::optional<std::uint64_t> first) {
    constexpr int kMostSteps = 1000;
    if (first) push(*first);
    for (int steps = 0; isGood_ && !code_.isAtEnd(); ++steps) {
      if (steps == kMostSteps) return std::nullopt;
      step(code_.get<std::uint8_t>());
    }
    return isGood_ && code_.isSound() && depth_ > 0 ? std::optional(stack_[depth_ - 1]) : std::nullopt;
  }

 private:
  using U = std::uint64_t;
  using S = std::int64_t;

  void push(U value) {
    if (depth_ < stack_.size()) stack_[depth_++] = value;
    else isGood_ = false;
  }
  U pop() {
    if (depth_ > 0) return stack_[--depth_];
    isGood_ = false;
    return 0;
  }
  void pick(std::size_t index) {
    if (index < depth_) push(stack_[depth_ - 1 - index]);
    else isGood_ = false;
  }
  template <class T>
  void constant() {
    push(static_cast<U>(code_.get<T>()));  // signed ones keep their sign
  }
  void based(U number) {
    const auto base = on_.dwarfRegister(number);
    const auto offset = static_cast<U>(code_.sleb());
    if (base) push(*base + offset);
    else isGood_ = false;
  }
  void jump(bool isTaken) {
    const auto distance = static_cast<S>(code_.get<std::int16_t>());
    if (isTaken) code_.goTo(static_cast<U>(static_cast<S>(code_.at()) + distance));
  }
  void load(unsigned bytes) {
    const auto value = on_.memory(pop());
    if (bytes == 0 || bytes > 8) isGood_ = false;
    else if (!value) isGood_ = false;
    else push(bytes < 8 ? *value & ((U{1} << (bytes * 8)) - 1) : *value);
  }
  template <class Operation>
  void both(const Operation& operation) {
    const U second = pop(), first = pop();
    push(operation(first, second));
  }
  template <class Operation>
  void compare(const Operation& holds) {
    both([&](U a, U b) { return U{holds(static_cast<S>(a), static_cast<S>(b)) ? 1u : 0u}; });
  }

  void step(std::uint8_t operation) {
    if (operation >= DW_OP_lit0 && operation <= DW_OP_lit31) return push(operation - DW_OP_lit0);
    if (operation >= DW_OP_breg0 && operation <= DW_OP_breg31) return based(operation - DW_OP_breg0);
    switch (operation) {
      case DW_OP_addr:
      case DW_OP_const8u:
        return constant<std::uint64_t>();
      case DW_OP_const8s:
        return constant<std::int64_t>();
      case DW_OP_const4u:
        return constant<std::uint32_t>();
      case DW_OP_const4s:
        return constant<std::int32_t>();
      case DW_OP_const2u:
        return constant<std::uint16_t>();
      case DW_OP_const2s:
        return constant<std::int16_t>();
      case DW_OP_const1u:
        return constant<std::uint8_t>();
      case DW_OP_const1s:
        return constant<std::int8_t>();
      case DW_OP_constu:
        return push(code_.uleb());
      case DW_OP_consts:
        return push(static_cast<U>(code_.sleb()));
      case DW_OP_bregx:
        return based(code_.uleb());
      case DW_OP_deref:
        return load(8);
      case DW_OP_deref_size:
        return load(code_.get<std::uint8_t>());
      case DW_OP_dup:
        return pick(0);
      case DW_OP_over:
        return pick(1);
      case DW_OP_pick:
        return pick(code_.get<std::uint8_t>());
      case DW_OP_drop:
        return void(pop());
      case DW_OP_swap: {
        const U top = pop(), below = pop();
        return push(top), push(below);
      }
      case DW_OP_plus_uconst:
        return push(pop() + code_.uleb());
      case DW_OP_neg:
        return push(0 - pop());
      case DW_OP_not:
        return push(~pop());
      case DW_OP_plus:
        return both([](U a, U b) { return a + b; });
      case DW_OP_minus:
        return both([](U a, U b) { return a - b; });
      case DW_OP_mul:
        return both([](U a, U b) { return a * b; });
      case DW_OP_and:
        return both([](U a, U b) { return a & b; });
      case DW_OP_or:
        return both([](U a, U b) { return a | b; });
      case DW_OP_xor:
        return both([](U a, U b) { return a ^ b; });
      case DW_OP_shl:
        return both([](U a, U b) { return b < 64 ? a << b : 0; });
      case DW_OP_shr:
        return both([](U a, U b) { return b < 64 ? a >> b : 0; });
      case DW_OP_shra:
        return both([](U a, U b) { return static_cast<U>(static_cast<S>(a) >> (b < 64 ? b : 63)); });
      case DW_OP_eq:
        return compare([](S a, S b) { return a == b; });
      case DW_OP_ne:
        return compare([](S a, S b) { return a != b; });
      case DW_OP_ge:
        return compare([](S a, S b) { return a >= b; });
      case DW_OP_gt:
        return compare([](S a, S b) { return a > b; });
      case DW_OP_le:
        return compare([](S a, S b) { return a <= b; });
      case DW_OP_lt:
        return compare([](S a, S b) { return a < b; });
      case DW_OP_skip:
        return jump(true);
      case DW_OP_bra:
        return jump(pop() != 0);
      case DW_OP_nop:
        return;
      default:
        isGood_ = false;
    }
  }

  ByteReader code_;
  const Evaluation& on_;
  std::array<U, 64> stack_{};
  std::size_t depth_ = 0;
  bool isGood_ = true;
};

}  // namespace

FrameRule reduced(const FrameRow& row) {
  constexpr std::uint8_t kSpNumber = 7, kBpNumber = 6;
  FrameRule rule{.isSignal = row.isSignal};
  if (row.cfa.kind == Kind::kUndefined) return rule;
  rule.cfa = FrameRule::Cfa::kRow;
  if (row.cfa.kind != Kind::kRegister || (row.cfa.from != kSpNumber && row.cfa.from != kBpNumber) ||
      !fits(row.cfa.offset))
    return rule;
  rule.cfaOffset = static_cast<std::int32_t>(row.cfa.offset);
  for (std::size_t i = 0; i < kKeptCount; ++i) {
    const RegisterRule& each = row.registers[i];
    if (each.kind == Kind::kSame) rule.at[i] = FrameRule::kSame;
    else if (each.kind == Kind::kUndefined) rule.at[i] = FrameRule::kUndefined;
    else if (each.kind == Kind::kAt && fits(each.offset)) rule.at[i] = static_cast<std::int32_t>(each.offset);
    else return rule;
  }
  rule.cfa = row.cfa.from == kSpNumber ? FrameRule::Cfa::kSp : FrameRule::Cfa::kBp;
  return rule;
}

std::optional<std::uint64_t> evaluate(Bytes expression, std::optional<std::uint64_t> first, const Evaluation& on) {
  return Machine(expression, on).run(first);
}

}  // namespace lanescope::unwind
