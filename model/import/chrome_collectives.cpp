// SPDX-License-Identifier: Apache-2.0
#include "model/import/chrome_collectives.h"

#include <algorithm>
#include <array>

#include "model/fnv.h"
#include "model/import/json_reader.h"

namespace lanescope::imported {
namespace {

struct ElementType {
  std::string_view name;  // as c10::toString() gives it
  std::int64_t bytes;
};
constexpr std::array<ElementType, 22> kTypes = {{{"Byte", 1},
                                                 {"Char", 1},
                                                 {"Bool", 1},
                                                 {"QInt8", 1},
                                                 {"QUInt8", 1},
                                                 {"Float8_e5m2", 1},
                                                 {"Float8_e4m3fn", 1},
                                                 {"Float8_e5m2fnuz", 1},
                                                 {"Float8_e4m3fnuz", 1},
                                                 {"Float8_e8m0fnu", 1},
                                                 {"Short", 2},
                                                 {"UInt16", 2},
                                                 {"Half", 2},
                                                 {"BFloat16", 2},
                                                 {"Int", 4},
                                                 {"UInt32", 4},
                                                 {"Float", 4},
                                                 {"ComplexHalf", 4},
                                                 {"Long", 8},
                                                 {"UInt64", 8},
                                                 {"Double", 8},
                                                 {"ComplexFloat", 8}}};

/// The same for the same group in every file of a job: from its text.
std::int64_t groupOf(std::string_view name, std::string_view ranks) {
  return static_cast<std::int64_t>(fnv1a(ranks, fnv1a("\n", fnv1a(name))) >> 1);
}

}  // namespace

std::optional<CollectiveCall> collectiveOf(const JsonEvent& entry) {
  if (entry.name != "record_param_comms") return std::nullopt;
  const JsonArguments args(entry.args);
  const std::string type = args.text("dtype");
  const auto known = std::ranges::find(kTypes, type, &ElementType::name);
  // What one rank passes of an operation that gathers or scatters is the smaller side, else both are alike.
  const std::int64_t in = args.integer("In msg nelems").value_or(0), out = args.integer("Out msg nelems").value_or(0);
  const std::int64_t elements = in > 0 && out > 0 ? std::min(in, out) : std::max(in, out);
  CollectiveCall call;
  if (known == kTypes.end() || elements <= 0 || __builtin_mul_overflow(elements, known->bytes, &call.bytes))
    return std::nullopt;
  call.group = groupOf(args.text("Process Group Name"), args.text("Process Group Ranks"));
  call.ranks = std::max<std::int64_t>(0, args.integer("Group size").value_or(0));
  return call;
}

}  // namespace lanescope::imported
