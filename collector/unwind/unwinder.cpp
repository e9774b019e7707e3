// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/unwinder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "collector/unwind/rules.h"

namespace lanescope::unwind {

namespace {

using Cfa = FrameRule::Cfa;

/// Where a walk is: registers as they were in the frame, as far as they are known.
class Walked final : public Evaluation {
 public:
  Walked(const Registers& from, std::span<const std::byte> stack)
      : ip(from.ip),
        sp(from.sp),
        kept_{from.bx, from.bp, from.r12, from.r13, from.r14, from.r15},
        base_(from.sp),
        stack_(stack) {}

  std::uint64_t ip, sp;
  bool isCut = false;  ///< what was asked for lay beyond the copy

  std::optional<std::uint64_t> memory(std::uint64_t address) const override {
    const std::uint64_t at = address - base_;
    if (at > stack_.size() || stack_.size() - at < sizeof(std::uint64_t)) return std::nullopt;
    std::uint64_t value = 0;
    std::memcpy(&value, stack_.data() + at, sizeof value);
    return value;
  }
  std::optional<std::uint64_t> dwarfRegister(unsigned number) const override {
    constexpr std::array<std::int8_t, 17> kPlaces = {-1, -1, -1, kBx,  -1,   -1,   kBp,  -1, -1,
                                                     -1, -1, -1, kR12, kR13, kR14, kR15, -1};
    if (number == 7) return sp;
    if (number == 16) return ip;
    if (number >= kPlaces.size() || kPlaces[number] < 0) return std::nullopt;
    return kept(static_cast<Kept>(kPlaces[number]));
  }
  std::optional<std::uint64_t> kept(Kept which) const {
    return (known_ >> which & 1u) != 0 ? std::optional(kept_[which]) : std::nullopt;
  }
  void keep(Kept which, std::optional<std::uint64_t> value) {
    kept_[which] = value.value_or(0);
    known_ = static_cast<std::uint8_t>((known_ & ~(1u << which)) | (value ? 1u << which : 0u));
  }
  bool isBeyond(std::uint64_t address) const {
    return address >= base_ && address - base_ + sizeof(std::uint64_t) > stack_.size();
  }

 private:
  std::array<std::uint64_t, kReturn> kept_;
  std::uint8_t known_ = 0xFF;
  std::uint64_t base_;
  std::span<const std::byte> stack_;
};

enum class Step : std::uint8_t { kCaller, kEnd, kCut, kLost };

/// By offsets from sp or bp, as nearly all code.
Step stepSimply(Walked& at, const FrameRule& rule) {
  const auto base = rule.cfa == Cfa::kSp ? std::optional(at.sp) : at.kept(kBp);
  if (!base) return Step::kLost;
  const std::uint64_t cfa = *base + static_cast<std::uint64_t>(static_cast<std::int64_t>(rule.cfaOffset));
  if (rule.at[kReturn] == FrameRule::kUndefined) return Step::kEnd;
  if (rule.at[kReturn] == FrameRule::kSame || cfa <= at.sp) return Step::kLost;
  const auto place = [&](Kept which) {
    return cfa + static_cast<std::uint64_t>(static_cast<std::int64_t>(rule.at[which]));
  };
  const auto returns = at.memory(place(kReturn));
  if (!returns) return at.isBeyond(place(kReturn)) ? Step::kCut : Step::kLost;
  for (std::uint8_t i = 0; i < kReturn; ++i) {
    const auto which = static_cast<Kept>(i);
    if (rule.at[which] == FrameRule::kSame) continue;
    at.keep(which, rule.at[which] == FrameRule::kUndefined ? std::nullopt : at.memory(place(which)));
  }
  at.sp = cfa;
  at.ip = *returns;
  return at.ip == 0 ? Step::kEnd : Step::kCaller;
}

Step stepByExpressions(Walked& at, const FrameRule& rule, const Expressions& how) {
  const auto cfa = evaluate(how.cfa, std::nullopt, at);
  // A signal handler may have had a stack of its own: then what it interrupted lies on another.
  if (!cfa || (cfa->number <= at.sp && !rule.isSignal)) return Step::kLost;
  const Walked before = at;
  std::optional<std::uint64_t> returns;
  for (std::uint8_t i = 0; i < kKeptCount; ++i) {
    const Expression& each = how.registers[i];
    const auto which = static_cast<Kept>(i);
    if (each.operations.empty()) {
      if (which == kReturn) return each.isSame ? Step::kLost : Step::kEnd;
      if (!each.isSame) at.keep(which, std::nullopt);
      continue;
    }
    const auto place = evaluate(each, cfa->number, before);
    const auto value = place && !place->isValue ? before.memory(place->number)
                       : place                  ? std::optional(place->number)
                                                : std::nullopt;
    if (which != kReturn) {
      at.keep(which, value);
      continue;
    }
    if (!value) return place && before.isBeyond(place->number) ? Step::kCut : Step::kLost;
    returns = value;
  }
  at.sp = cfa->number;
  at.ip = *returns;
  return at.ip == 0 ? Step::kEnd : Step::kCaller;
}

/// Through code without tables: bp points at the caller's bp, behind it stands where to return to.
Step stepByFramePointer(Walked& at) {
  const auto frame = at.kept(kBp);
  if (!frame || *frame < at.sp || *frame % sizeof(std::uint64_t) != 0) return Step::kLost;
  const auto outer = at.memory(*frame), returns = at.memory(*frame + sizeof(std::uint64_t));
  if (!outer || !returns) return at.isBeyond(*frame + sizeof(std::uint64_t)) ? Step::kCut : Step::kLost;
  at.keep(kBp, outer);
  at.sp = *frame + 2 * sizeof(std::uint64_t);
  at.ip = *returns;
  return at.ip == 0 ? Step::kEnd : Step::kCaller;
}

/// From where a call led to nowhere: it left only where to return to.
Step stepByTop(Walked& at) {
  const auto returns = at.memory(at.sp);
  if (!returns || *returns == 0) return returns ? Step::kLost : Step::kCut;
  at.sp += sizeof(std::uint64_t);
  at.ip = *returns;
  return Step::kCaller;
}

}  // namespace

Unwinder::Unwinder(Modules& modules) : rules_(std::make_unique<Rules>(modules)) {}
Unwinder::~Unwinder() = default;
std::uint64_t Unwinder::asked() const { return rules_->asked(); }

Walk Unwinder::unwind(const AddressSpace& space, const Registers& registers, std::span<const std::byte> stack,
                      trace::Ns time, std::span<Frame> out) {
  Walked at(registers, stack);
  Walk walk;
  Frame frame{.address = at.ip, .isExact = true};
  while (true) {
    if (walk.frames == out.size()) {
      walk.end = End::kFull;
      return walk;
    }
    Frame& placed = out[walk.frames++] = frame;
    const std::uint64_t address = frame.lookup();
    const Mapping* mapping = space.at(address, time);
    const KnownRule* known = nullptr;
    if (mapping != nullptr) {
      const Module& module = rules_->modules().of(*mapping);
      known = &rules_->of(module, Modules::addressIn(module, *mapping, address));
    }
    Step step = Step::kLost;
    Method method = known != nullptr ? known->method : Method::kNone;
    bool isSignal = false;
    if (known != nullptr && known->rule.cfa != Cfa::kNone) {
      isSignal = known->rule.isSignal;
      step = known->rule.cfa == Cfa::kExpression ? stepByExpressions(at, known->rule, rules_->expressions(known->rule))
                                                 : stepSimply(at, known->rule);
    } else if (mapping == nullptr && walk.frames == 1) {  // a call through a bad pointer
      step = stepByTop(at);
      if (step == Step::kCaller && space.at(at.ip - 1, time) == nullptr) step = Step::kLost;
    } else if (mapping != nullptr) {
      method = Method::kFramePointer;
      step = stepByFramePointer(at);
      // Where nothing is mapped, a frame pointer led nowhere good unless it leads to code again.
      if (step == Step::kCaller && space.at(at.ip - 1, time) == nullptr) step = Step::kLost;
    }
    if (walk.frames == 1) placed.method = method;
    if (step != Step::kCaller) {
      walk.end = step == Step::kEnd ? End::kComplete : step == Step::kCut ? End::kCut : End::kLost;
      return walk;
    }
    frame = {.address = at.ip, .isExact = isSignal, .method = method};
  }
}

}  // namespace lanescope::unwind
