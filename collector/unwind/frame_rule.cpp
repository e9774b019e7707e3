// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/frame_rule.h"

#include <dwarf.h>

#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>

namespace lanescope::unwind {

namespace {

constexpr unsigned kSpNumber = 7, kBpNumber = 6;
constexpr std::array<int, kReturn> kDwarfNumbers = {3, 6, 12, 13, 14, 15};
constexpr std::size_t kMostOperations = 256, kMostSteps = 1000, kDeepest = 64;

bool fits(std::int64_t value) { return value > -(1 << 30) && value < 1 << 30; }

/// The register and offset that the CFA is, if it is no more than that.
std::optional<std::pair<unsigned, std::int64_t>> simpleCfa(const Dwarf_Op* operations, std::size_t count) {
  if (count == 2 && operations[1].atom == DW_OP_stack_value) count = 1;
  if (count != 1) return std::nullopt;
  const Dwarf_Op& only = operations[0];
  if (only.atom == DW_OP_bregx)
    return std::pair(static_cast<unsigned>(only.number), static_cast<std::int64_t>(only.number2));
  if (only.atom >= DW_OP_breg0 && only.atom <= DW_OP_breg31)
    return std::pair(static_cast<unsigned>(only.atom - DW_OP_breg0), static_cast<std::int64_t>(only.number));
  return std::nullopt;
}

/// Where from the CFA the register is, if no more is said of it.
std::optional<std::int32_t> simplePlace(const Expression& rule) {
  const auto& operations = rule.operations;
  if (operations.empty()) return rule.isSame ? FrameRule::kSame : FrameRule::kUndefined;
  if (operations[0].atom != DW_OP_call_frame_cfa || operations.size() > 2) return std::nullopt;
  if (operations.size() == 1) return 0;
  const auto offset = static_cast<std::int64_t>(operations[1].number);
  if (operations[1].atom != DW_OP_plus_uconst || !fits(offset)) return std::nullopt;
  return static_cast<std::int32_t>(offset);
}

bool readRegister(Dwarf_Frame* frame, int number, Expression& into) {
  std::array<Dwarf_Op, 3> space{};
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_register(frame, number, space.data(), &operations, &count) != 0 || count > kMostOperations)
    return false;
  into.isSame = count == 0 && operations == nullptr;
  into.operations.assign(operations, operations + count);
  return true;
}

}  // namespace

FrameRule frameRule(Dwarf_CFI* cfi, std::uint64_t address, Expressions& expressions) {
  Dwarf_Frame* found = nullptr;
  if (cfi == nullptr || dwarf_cfi_addrframe(cfi, address, &found) != 0 || found == nullptr) return {};
  const std::unique_ptr<Dwarf_Frame, decltype(&std::free)> frame(found, &std::free);

  Dwarf_Addr start = 0, end = 0;
  FrameRule rule;
  const int returnRegister = dwarf_frame_info(found, &start, &end, &rule.isSignal);
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (returnRegister < 0 || dwarf_frame_cfa(found, &operations, &count) != 0 || count == 0 || count > kMostOperations)
    return {};
  expressions.cfa.operations.assign(operations, operations + count);
  for (std::size_t i = 0; i < kReturn; ++i) {
    if (!readRegister(found, kDwarfNumbers[i], expressions.registers[i])) return {};
  }
  if (!readRegister(found, returnRegister, expressions.registers[kReturn])) return {};

  bool isSimple = false;
  if (const auto cfa = simpleCfa(operations, count); cfa && fits(cfa->second)) {
    isSimple = cfa->first == kSpNumber || cfa->first == kBpNumber;
    rule.cfa = cfa->first == kSpNumber ? FrameRule::Cfa::kSp : FrameRule::Cfa::kBp;
    rule.cfaOffset = static_cast<std::int32_t>(cfa->second);
  }
  for (std::size_t i = 0; i < kKeptCount && isSimple; ++i) {
    const auto place = simplePlace(expressions.registers[i]);
    isSimple = place.has_value();
    rule.at[i] = place.value_or(0);
  }
  if (!isSimple) rule.cfa = FrameRule::Cfa::kExpression;
  return rule;
}

std::optional<Evaluated> evaluate(const Expression& expression, std::optional<std::uint64_t> cfa,
                                  const Evaluation& on) {
  std::vector<std::uint64_t> stack;
  stack.reserve(8);
  const auto& operations = expression.operations;
  const auto jump = [&](const Dwarf_Op& from) -> std::optional<std::size_t> {  // to what stands so far behind it
    const std::uint64_t to = from.offset + 3 + static_cast<std::uint64_t>(static_cast<std::int16_t>(from.number));
    for (std::size_t i = 0; i < operations.size(); ++i)
      if (operations[i].offset == to) return i;
    return std::nullopt;
  };
  bool isValue = false;
  std::size_t steps = 0;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (++steps > kMostSteps || stack.size() > kDeepest) return std::nullopt;
    const Dwarf_Op& each = operations[i];
    const std::uint8_t atom = each.atom;
    const auto pop = [&] {
      const std::uint64_t top = stack.back();
      stack.pop_back();
      return top;
    };
    const auto push = [&](std::optional<std::uint64_t> value) {
      stack.push_back(value.value_or(0));
      return value.has_value();
    };
    const auto both = [&](auto&& operation) {
      if (stack.size() < 2) return false;
      const std::uint64_t second = pop(), first = pop();
      return push(operation(first, second));
    };
    const auto one = [&](auto&& operation) { return !stack.empty() && push(operation(pop())); };
    using U = std::uint64_t;
    using S = std::int64_t;
    const auto is = [](bool holds) { return U{holds ? 1u : 0u}; };

    bool good = true;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) good = push(atom - DW_OP_lit0);
    else if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
      const auto value = on.dwarfRegister(atom - DW_OP_breg0);
      good = value && push(*value + each.number);
    } else if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
      good = push(on.dwarfRegister(atom - DW_OP_reg0));
      isValue = true;
    } else {
      switch (atom) {
        case DW_OP_addr:
        case DW_OP_const1u:
        case DW_OP_const1s:
        case DW_OP_const2u:
        case DW_OP_const2s:
        case DW_OP_const4u:
        case DW_OP_const4s:
        case DW_OP_const8u:
        case DW_OP_const8s:
        case DW_OP_constu:
        case DW_OP_consts:
          good = push(each.number);
          break;
        case DW_OP_bregx: {
          const auto value = each.number < 32 ? on.dwarfRegister(static_cast<unsigned>(each.number)) : std::nullopt;
          good = value && push(*value + each.number2);
          break;
        }
        case DW_OP_regx:
          good = each.number < 32 && push(on.dwarfRegister(static_cast<unsigned>(each.number)));
          isValue = true;
          break;
        case DW_OP_call_frame_cfa:
          good = push(cfa);
          break;
        case DW_OP_deref:
          good = !stack.empty() && push(on.memory(pop()));
          break;
        case DW_OP_deref_size:
          good = !stack.empty() && each.number >= 1 && each.number <= 8;
          if (good) {
            const auto value = on.memory(pop());
            good = value && push(each.number == 8 ? *value : *value & ((U{1} << (each.number * 8)) - 1));
          }
          break;
        case DW_OP_dup:
          good = !stack.empty() && push(stack.back());
          break;
        case DW_OP_drop:
          good = !stack.empty() && (pop(), true);
          break;
        case DW_OP_over:
          good = stack.size() >= 2 && push(stack[stack.size() - 2]);
          break;
        case DW_OP_pick:
          good = each.number < stack.size() && push(stack[stack.size() - 1 - each.number]);
          break;
        case DW_OP_swap:
          good = stack.size() >= 2 && (std::swap(stack.back(), stack[stack.size() - 2]), true);
          break;
        case DW_OP_plus_uconst:
          good = one([&](U a) { return a + each.number; });
          break;
        case DW_OP_neg:
          good = one([](U a) { return 0 - a; });
          break;
        case DW_OP_not:
          good = one([](U a) { return ~a; });
          break;
        case DW_OP_abs:
          good = one([](U a) { return static_cast<S>(a) < 0 ? 0 - a : a; });
          break;
        case DW_OP_plus:
          good = both([](U a, U b) { return a + b; });
          break;
        case DW_OP_minus:
          good = both([](U a, U b) { return a - b; });
          break;
        case DW_OP_mul:
          good = both([](U a, U b) { return a * b; });
          break;
        case DW_OP_and:
          good = both([](U a, U b) { return a & b; });
          break;
        case DW_OP_or:
          good = both([](U a, U b) { return a | b; });
          break;
        case DW_OP_xor:
          good = both([](U a, U b) { return a ^ b; });
          break;
        case DW_OP_shl:
          good = both([](U a, U b) { return b < 64 ? a << b : 0; });
          break;
        case DW_OP_shr:
          good = both([](U a, U b) { return b < 64 ? a >> b : 0; });
          break;
        case DW_OP_shra:
          good = both([](U a, U b) { return static_cast<U>(static_cast<S>(a) >> (b < 64 ? b : 63)); });
          break;
        case DW_OP_eq:
          good = both([&](U a, U b) { return is(a == b); });
          break;
        case DW_OP_ne:
          good = both([&](U a, U b) { return is(a != b); });
          break;
        case DW_OP_ge:
          good = both([&](U a, U b) { return is(static_cast<S>(a) >= static_cast<S>(b)); });
          break;
        case DW_OP_gt:
          good = both([&](U a, U b) { return is(static_cast<S>(a) > static_cast<S>(b)); });
          break;
        case DW_OP_le:
          good = both([&](U a, U b) { return is(static_cast<S>(a) <= static_cast<S>(b)); });
          break;
        case DW_OP_lt:
          good = both([&](U a, U b) { return is(static_cast<S>(a) < static_cast<S>(b)); });
          break;
        case DW_OP_nop:
          break;
        case DW_OP_stack_value:
          isValue = true;
          break;
        case DW_OP_skip:
        case DW_OP_bra: {
          if (atom == DW_OP_bra && (stack.empty() || pop() == 0)) break;
          const auto to = jump(each);
          if (!to) return std::nullopt;
          i = *to - 1;  // the loop adds one
          break;
        }
        default:
          good = false;
      }
    }
    if (!good) return std::nullopt;
  }
  if (stack.empty()) return std::nullopt;
  return Evaluated{stack.back(), isValue};
}

}  // namespace lanescope::unwind
