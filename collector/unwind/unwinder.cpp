// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/unwinder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "collector/unwind/named_ranges.h"
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
  std::optional<std::uint64_t> dwarfRegister(std::uint64_t number) const override {
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

/// What the rule of a register, or the CFA, says of it.
struct Found {
  std::optional<std::uint64_t> value;
  std::optional<std::uint64_t> place = {};  ///< in memory
};
Found follow(const Walked& at, const RegisterRule& rule, std::optional<std::uint64_t> cfa) {
  using Kind = RegisterRule::Kind;
  const auto offset = static_cast<std::uint64_t>(rule.offset);
  std::optional<std::uint64_t> found;
  switch (rule.kind) {
    case Kind::kSame:
    case Kind::kUndefined:
      return {};
    case Kind::kAt:
    case Kind::kIs:
      if (cfa) found = *cfa + offset;
      break;
    case Kind::kRegister:
      found = at.dwarfRegister(rule.from);
      if (found) *found += offset;
      break;
    case Kind::kAtExpression:
    case Kind::kIsExpression:
      found = evaluate(rule.expression, cfa, at);
      break;
  }
  const bool isPlace = rule.kind == Kind::kAt || rule.kind == Kind::kAtExpression;
  if (!isPlace || !found) return {found};
  return {at.memory(*found), found};
}

Step stepByRow(Walked& at, const FrameRow& row) {
  using Kind = RegisterRule::Kind;
  const auto cfa = follow(at, row.cfa, std::nullopt).value;
  // A signal handler may have had a stack of its own: then what it interrupted lies on another.
  if (!cfa || (*cfa <= at.sp && !row.isSignal)) return Step::kLost;
  const RegisterRule& returns = row.registers[kReturn];
  if (returns.kind == Kind::kUndefined) return Step::kEnd;
  const Found to = follow(at, returns, cfa);
  if (!to.value) return to.place && at.isBeyond(*to.place) ? Step::kCut : Step::kLost;
  const Walked before = at;
  for (std::uint8_t i = 0; i < kReturn; ++i) {
    if (row.registers[i].kind != Kind::kSame)
      at.keep(static_cast<Kept>(i), follow(before, row.registers[i], cfa).value);
  }
  at.sp = *cfa;
  at.ip = *to.value;
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
  // Not every way of making memory executable is told.
  const auto isMade = [&](std::uint64_t address) {
    return space.made != nullptr && space.made->at(address).has_value();
  };
  const auto isCode = [&](std::uint64_t address) { return space.at(address, time) != nullptr || isMade(address); };
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
      step = known->rule.cfa == Cfa::kRow ? stepByRow(at, rules_->row(known->rule)) : stepSimply(at, known->rule);
    } else if (mapping == nullptr && walk.frames == 1 && !isMade(address)) {  // a call through a bad pointer
      step = stepByTop(at);
      if (step == Step::kCaller && !isCode(at.ip - 1)) step = Step::kLost;
    } else if (mapping != nullptr || isMade(address)) {
      method = Method::kFramePointer;
      step = stepByFramePointer(at);
      // Where nothing is mapped, a frame pointer led nowhere good unless it leads to code again.
      if (step == Step::kCaller && !isCode(at.ip - 1)) step = Step::kLost;
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
