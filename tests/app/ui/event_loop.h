// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the event loop until something is so. Waits for events and for nothing else; the deadline is for a test that
// would hang.
#pragma once

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QDeadlineTimer>

namespace lanescope::test {

template <class Condition>
[[nodiscard]] bool runUntil(Condition condition) {
  constexpr int kHangs = 30'000, kSlice = 100;
  const QDeadlineTimer deadline(kHangs);
  while (!condition() && !deadline.hasExpired()) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, kSlice);
  }
  return condition();
}

}  // namespace lanescope::test
