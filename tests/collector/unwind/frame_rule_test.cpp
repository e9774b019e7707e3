// SPDX-License-Identifier: Apache-2.0
// Rows of frame tables and what their expressions come to, instruction by instruction.
#include <dwarf.h>
#include <gmock/gmock.h>

#include <map>

#include "collector/unwind/frame_program.h"

namespace lanescope::unwind {
namespace {

using Code = std::vector<std::uint8_t>;
using Kind = RegisterRule::Kind;

constexpr FrameProgram kProgram{.codeUnit = 1, .dataUnit = -8, .returnColumn = 16};
// What compilers begin with: the CFA is rsp + 8, the address to return to lies right below.
const Code kCommon = {DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1};

std::optional<FrameRow> rowOf(const Code& own, std::uint64_t distance) {
  return rowAt(kProgram, kCommon, own, distance);
}

TEST(FrameProgram, SaysWhereTheCallersRegistersAre) {
  const Code push = {DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset,   16, DW_CFA_offset | 6, 2,
                     DW_CFA_advance_loc | 3, DW_CFA_def_cfa_register, 6};
  const auto first = rowOf(push, 0), second = rowOf(push, 1), third = rowOf(push, 4);
  ASSERT_TRUE(first && second && third);
  EXPECT_EQ(first->cfa.offset, 8);
  EXPECT_EQ(first->registers[kReturn].offset, -8);
  EXPECT_EQ(first->registers[kBp].kind, Kind::kSame);
  EXPECT_EQ(second->cfa.offset, 16);
  EXPECT_EQ(second->registers[kBp].offset, -16);
  EXPECT_EQ(second->cfa.from, 7);
  EXPECT_EQ(third->cfa.from, 6);
  EXPECT_EQ(reduced(*third).cfa, FrameRule::Cfa::kBp);
  EXPECT_EQ(reduced(*third).at[kReturn], -8);
}

TEST(FrameProgram, RemembersAndRestoresRows) {
  const Code code = {DW_CFA_offset | 3,     2,  DW_CFA_remember_state,  DW_CFA_advance_loc | 1, DW_CFA_restore | 3,
                     DW_CFA_def_cfa_offset, 99, DW_CFA_advance_loc | 1, DW_CFA_restore_state};
  EXPECT_EQ(rowOf(code, 0)->registers[kBx].kind, Kind::kAt);
  EXPECT_EQ(rowOf(code, 1)->registers[kBx].kind, Kind::kSame);
  EXPECT_EQ(rowOf(code, 1)->cfa.offset, 99);
  EXPECT_EQ(rowOf(code, 2)->registers[kBx].kind, Kind::kAt);
  EXPECT_EQ(rowOf(code, 2)->cfa.offset, 8);
}

TEST(FrameProgram, StepsOverRegistersThatNobodyAsksFor) {
  // Register 2^30 - 1: a table of all up to it would take gigabytes.
  const Code huge = {DW_CFA_offset_extended, 0xFF, 0xFF, 0xFF, 0xFF, 0x03, 1, DW_CFA_offset | 3, 3};
  const auto row = rowOf(huge, 0);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->registers[kBx].offset, -24);
}

TEST(FrameProgram, WhatIsDamagedSaysNothing) {
  EXPECT_FALSE(rowOf({DW_CFA_def_cfa_offset}, 0)) << "it ends in the middle";
  EXPECT_FALSE(rowOf({DW_CFA_restore_state}, 0)) << "nothing was remembered";
  EXPECT_FALSE(rowOf({0x3F, 0}, 0)) << "no such instruction";
  EXPECT_FALSE(rowOf({DW_CFA_def_cfa_expression, 100, 0}, 0)) << "longer than there is";
  EXPECT_FALSE(rowOf(Code(1000, DW_CFA_remember_state), 0));
  EXPECT_FALSE(rowOf(Code((1u << 20) + 1, DW_CFA_nop), 0));
  EXPECT_TRUE(rowOf({DW_CFA_advance_loc | 1, 0x3F}, 0)) << "what is about another address does not matter";
}

/// Registers by their number, words by their address.
struct Machine final : Evaluation {
  std::map<std::uint64_t, std::uint64_t> registers, words;
  std::optional<std::uint64_t> dwarfRegister(std::uint64_t number) const override { return in(registers, number); }
  std::optional<std::uint64_t> memory(std::uint64_t address) const override { return in(words, address); }

 private:
  static std::optional<std::uint64_t> in(const std::map<std::uint64_t, std::uint64_t>& all, std::uint64_t key) {
    const auto found = all.find(key);
    return found != all.end() ? std::optional(found->second) : std::nullopt;
  }
};

TEST(Expression, OfThePltComesToOneWordMoreBehindThePush) {
  const Code code = {DW_OP_breg7, 8,        DW_OP_breg16, 0,         DW_OP_lit15, DW_OP_and,
                     DW_OP_lit11, DW_OP_ge, DW_OP_lit3,   DW_OP_shl, DW_OP_plus};
  Machine machine;
  machine.registers = {{7, 0x1000}, {16, 0x400020}};
  EXPECT_EQ(evaluate(code, std::nullopt, machine), 0x1008);
  machine.registers[16] = 0x40002B;
  EXPECT_EQ(evaluate(code, std::nullopt, machine), 0x1010);
}

TEST(Expression, ReadsTheStackOfASignal) {
  Machine machine;
  machine.registers = {{7, 0x1000}};
  machine.words = {{0x10A0, 0x7000}};
  EXPECT_EQ(evaluate(Code{DW_OP_breg7, 0xA0, 0x01, DW_OP_deref}, std::nullopt, machine), 0x7000);
  EXPECT_EQ(evaluate(Code{DW_OP_plus_uconst, 8}, 0x10, machine), 0x18) << "with the CFA on its stack";
}

TEST(Expression, BranchesAndCounts) {
  const Machine machine;
  EXPECT_EQ(evaluate(Code{DW_OP_lit1, DW_OP_bra, 1, 0, DW_OP_lit5, DW_OP_lit7}, std::nullopt, machine), 7);
  EXPECT_EQ(evaluate(Code{DW_OP_const1s, 0xFF, DW_OP_lit2, DW_OP_lt}, std::nullopt, machine), 1);
  EXPECT_EQ(evaluate(Code{DW_OP_lit9, DW_OP_lit4, DW_OP_swap, DW_OP_minus}, std::nullopt, machine), UINT64_MAX - 4);
}

TEST(Expression, WhatIsDamagedOrNeverEndsComesToNothing) {
  const Machine machine;
  const auto result = [&](const Code& code) { return evaluate(code, std::nullopt, machine); };
  EXPECT_FALSE(result({}));
  EXPECT_FALSE(result({DW_OP_plus}));
  EXPECT_FALSE(result({DW_OP_lit0, DW_OP_deref})) << "memory that is not there";
  EXPECT_FALSE(result({DW_OP_breg3, 0})) << "a register that is not known";
  EXPECT_FALSE(result({DW_OP_lit0, DW_OP_skip, 0xFC, 0xFF})) << "for ever";
  EXPECT_FALSE(result({DW_OP_lit0, DW_OP_skip, 0xFF, 0x7F})) << "to beyond the end";
  EXPECT_FALSE(result({DW_OP_skip, 0x00, 0x80})) << "to before the beginning";
  EXPECT_FALSE(result(Code(100, DW_OP_lit0)));
  EXPECT_FALSE(result({DW_OP_lit0, 0xFF}));
}

}  // namespace
}  // namespace lanescope::unwind
