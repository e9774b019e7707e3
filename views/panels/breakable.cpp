// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/breakable.h"

namespace lanescope::views {
namespace {

constexpr QChar kBreak(0x200B);  // a space without width
constexpr int kLongestRun = 16;

bool mayBreakAfter(QChar c) { return QStringLiteral(",<:(_/-=.").contains(c); }

}  // namespace

QString breakable(const QString& text) {
  QString result;
  result.reserve(text.size() + text.size() / 8);
  int run = 0;
  for (const QChar c : text) {
    result += c;
    run = c.isSpace() ? 0 : run + 1;
    // Numbers stay whole: "92.386" is one word.
    const bool place = mayBreakAfter(c) && run > 4;
    if ((place || run >= kLongestRun) && !c.isHighSurrogate()) {
      result += kBreak;
      run = 0;
    }
  }
  return result;
}

}  // namespace lanescope::views
