// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/failure_page.h"

#include <gtest/gtest.h>

#include <QLabel>

namespace lanescope::ui {
namespace {

TEST(FailurePage, GivesTheRemedyItsOwnLineAlsoWhenTheFileHasASemicolon) {
  FailurePage page;
  page.setError({ErrorCode::kNotFound, "runs; old/a.rep", {}});
  const auto lines = page.findChildren<QLabel*>();
  const auto holds = [&](const QString& text) {
    return std::ranges::count_if(lines, [&](const QLabel* line) { return line->text().contains(text); });
  };
  EXPECT_EQ(holds("runs; old/a.rep"), 1);
}

}  // namespace
}  // namespace lanescope::ui
