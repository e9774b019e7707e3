// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/frame_program.h"

#include <dwarf.h>

#include <vector>

namespace lanescope::unwind {

namespace {

using Kind = RegisterRule::Kind;

constexpr std::size_t kLongest = 1u << 20, kDeepest = 32;  // bytes of instructions, rows remembered

class Run {
 public:
  Run(const FrameProgram& program, std::uint64_t distance) : program_(program), distance_(distance) {}

  /// False where the instructions are not to be trusted. Ends where they are about what lies behind.
  bool follow(Bytes instructions) {
    ByteReader reader(instructions);
    if (instructions.size() > kLongest) return false;
    while (!reader.isAtEnd() && isGood_ && at_ <= distance_) step(reader);
    return isGood_ && (reader.isSound() || at_ > distance_);
  }
  void keepAsInitial() { initial_ = row_; }
  const FrameRow& row() const { return row_; }

 private:
  /// Where the rule of this register is, if anybody asks for it.
  RegisterRule* find(FrameRow& row, std::uint64_t number) const {
    switch (number) {
      case 3:
        return &row.registers[kBx];
      case 6:
        return &row.registers[kBp];
      case 12:
        return &row.registers[kR12];
      case 13:
        return &row.registers[kR13];
      case 14:
        return &row.registers[kR14];
      case 15:
        return &row.registers[kR15];
      default:
        return number == program_.returnColumn ? &row.registers[kReturn] : nullptr;
    }
  }
  void set(std::uint64_t number, const RegisterRule& rule) {
    if (RegisterRule* found = find(row_, number)) *found = rule;
  }
  void restore(std::uint64_t number) {
    if (const RegisterRule* found = find(initial_, number)) set(number, *found);
  }
  /// Offsets are multiplied as they overflow.
  std::int64_t units(std::uint64_t count) const {
    return static_cast<std::int64_t>(count * static_cast<std::uint64_t>(program_.dataUnit));
  }
  void defineCfa(std::uint64_t number, std::int64_t offset) {
    if (number > 16) isGood_ = false;
    row_.cfa = {.kind = Kind::kRegister, .from = static_cast<std::uint8_t>(number), .offset = offset};
  }
  /// The row so far holds up to there.
  void advance(std::uint64_t count) {
    const std::uint64_t by = count * program_.codeUnit;
    at_ = by > UINT64_MAX - at_ ? UINT64_MAX : at_ + by;
  }

  void step(ByteReader& reader) {
    const auto code = reader.get<std::uint8_t>();
    const std::uint8_t low = code & 0x3F;
    switch (code & 0xC0) {
      case DW_CFA_advance_loc:
        return advance(low);
      case DW_CFA_offset:
        return set(low, {.kind = Kind::kAt, .offset = units(reader.uleb())});
      case DW_CFA_restore:
        return restore(low);
      default:
        break;
    }
    const auto number = [&] { return reader.uleb(); };
    const auto expression = [&] { return reader.take(reader.uleb()); };
    switch (code) {
      case DW_CFA_nop:
        return;
      case DW_CFA_advance_loc1:
        return advance(reader.get<std::uint8_t>());
      case DW_CFA_advance_loc2:
        return advance(reader.get<std::uint16_t>());
      case DW_CFA_advance_loc4:
        return advance(reader.get<std::uint32_t>());
      case DW_CFA_restore_extended:
        return restore(number());
      case DW_CFA_undefined:
        return set(number(), {.kind = Kind::kUndefined});
      case DW_CFA_same_value:
        return set(number(), {.kind = Kind::kSame});
      case DW_CFA_remember_state:
        if (remembered_.size() == kDeepest) isGood_ = false;
        else remembered_.push_back(row_);
        return;
      case DW_CFA_restore_state:
        if (remembered_.empty()) return void(isGood_ = false);
        row_ = remembered_.back();
        return remembered_.pop_back();
      case DW_CFA_def_cfa_expression:
        return void(row_.cfa = {.kind = Kind::kIsExpression, .expression = expression()});
      case DW_CFA_def_cfa_offset:
        return defineOffset(static_cast<std::int64_t>(reader.uleb()));
      case DW_CFA_def_cfa_offset_sf:
        return defineOffset(units(static_cast<std::uint64_t>(reader.sleb())));
      case DW_CFA_def_cfa_register:
        return defineCfa(number(), row_.cfa.offset);
      case DW_CFA_GNU_args_size:
        return void(reader.uleb());
      case DW_CFA_GNU_window_save:
        return;
      default:
        break;
    }
    // The others begin with a register.
    const std::uint64_t which = number();
    switch (code) {
      case DW_CFA_offset_extended:
        return set(which, {.kind = Kind::kAt, .offset = units(reader.uleb())});
      case DW_CFA_offset_extended_sf:
        return set(which, {.kind = Kind::kAt, .offset = units(static_cast<std::uint64_t>(reader.sleb()))});
      case DW_CFA_GNU_negative_offset_extended:
        return set(which, {.kind = Kind::kAt, .offset = units(0 - reader.uleb())});
      case DW_CFA_val_offset:
        return set(which, {.kind = Kind::kIs, .offset = units(reader.uleb())});
      case DW_CFA_val_offset_sf:
        return set(which, {.kind = Kind::kIs, .offset = units(static_cast<std::uint64_t>(reader.sleb()))});
      case DW_CFA_register: {
        const std::uint64_t from = number();
        return set(which, from <= 16 ? RegisterRule{.kind = Kind::kRegister, .from = static_cast<std::uint8_t>(from)}
                                     : RegisterRule{.kind = Kind::kUndefined});
      }
      case DW_CFA_expression:
        return set(which, {.kind = Kind::kAtExpression, .expression = expression()});
      case DW_CFA_val_expression:
        return set(which, {.kind = Kind::kIsExpression, .expression = expression()});
      case DW_CFA_def_cfa:
        return defineCfa(which, static_cast<std::int64_t>(reader.uleb()));
      case DW_CFA_def_cfa_sf:
        return defineCfa(which, units(static_cast<std::uint64_t>(reader.sleb())));
      default:
        isGood_ = false;  // an address that is set, and what is not known
    }
  }
  void defineOffset(std::int64_t offset) {
    if (row_.cfa.kind != Kind::kRegister) isGood_ = false;
    row_.cfa.offset = offset;
  }

  const FrameProgram& program_;
  std::uint64_t distance_, at_ = 0;
  FrameRow row_, initial_;
  std::vector<FrameRow> remembered_;
  bool isGood_ = true;
};

}  // namespace

std::optional<FrameRow> rowAt(const FrameProgram& program, Bytes common, Bytes own, std::uint64_t distance) {
  Run run(program, distance);
  if (!run.follow(common)) return std::nullopt;
  run.keepAsInitial();
  if (!run.follow(own)) return std::nullopt;
  return run.row();
}

}  // namespace lanescope::unwind
