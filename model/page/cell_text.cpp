// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "model/format.h"
#include "model/page/page.h"
#include "model/utf8.h"

namespace lanescope::page {
namespace {

constexpr std::size_t kLongestCell = 240;

std::int64_t whole(double value) { return std::abs(value) < 9e18 ? std::llround(value) : 0; }

std::string signedText(std::int64_t value, std::string (*text)(std::uint64_t)) {
  const auto magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  return (value < 0 ? "−" : "") + text(magnitude);
}

}  // namespace

std::string cellText(const analysis::Cell& cell, analysis::ColumnKind kind) {
  using analysis::ColumnKind;
  if (const auto text = analysis::textOf(cell)) return shownText(*text, kLongestCell);
  const auto* const integer = std::get_if<std::int64_t>(&cell);
  const auto* const real = std::get_if<double>(&cell);
  if (integer == nullptr && real == nullptr) return {};
  const std::int64_t rounded = integer != nullptr ? *integer : whole(*real);
  switch (kind) {
    case ColumnKind::kTime:
      return formatDuration(rounded);
    case ColumnKind::kShare:
      return fmt::format("{:.1f} %", integer != nullptr ? static_cast<double>(*integer) : *real);
    case ColumnKind::kMean:
      return fmt::format("{:.1f}", integer != nullptr ? static_cast<double>(*integer) : *real);
    case ColumnKind::kRatio:
      return fmt::format("{:.3f}", integer != nullptr ? static_cast<double>(*integer) : *real);
    case ColumnKind::kProbability:
      return fmt::format("{:.2g}", integer != nullptr ? static_cast<double>(*integer) : *real);
    case ColumnKind::kSize:
    case ColumnKind::kBytes:
      return signedText(rounded, formatBytes);
    case ColumnKind::kRate:
      return signedText(rounded, formatBytes) + "/s";
    case ColumnKind::kId:
      if (integer != nullptr) return std::to_string(*integer);
      break;
    case ColumnKind::kCount:
    case ColumnKind::kText:
      break;
  }
  return integer != nullptr ? signedText(*integer, formatCount) : fmt::format("{:.3g}", *real);
}

}  // namespace lanescope::page
