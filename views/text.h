// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the model as Qt has them.
#pragma once

#include <QString>
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "model/format.h"

namespace lanescope::views {

/// Of a text longer than `most` bytes the begin.
inline QString toQt(std::string_view utf8, std::size_t most = std::string_view::npos) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(std::min(utf8.size(), most)));
}

/// "1 234 567"
inline QString numberText(std::uint64_t count) { return QString::fromStdString(formatCount(count)); }

}  // namespace lanescope::views
