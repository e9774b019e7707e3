// SPDX-License-Identifier: GPL-3.0-or-later
// An application that times what its GUI thread does between two turns of its loop: while that lasts, nobody is answered.
#pragma once

#include <QApplication>
#include <algorithm>
#include <functional>
#include <string>

#include "tests/bench/measure.h"

namespace lanescope::bench {

class WatchedApplication : public QApplication {
 public:
  using QApplication::QApplication;
  static WatchedApplication& the() { return *static_cast<WatchedApplication*>(instance()); }

  bool notify(QObject* receiver, QEvent* event) override {
    if (deep_ > 0) return QApplication::notify(receiver, event);
    bool used = false;
    watch([&] { used = QApplication::notify(receiver, event); });
    return used;
  }

  /// As one thing that the GUI thread does.
  void watch(const std::function<void()>& thing) {
    ++deep_;
    const auto began = Clock::now();
    const double worked = cpuMilliseconds();
    thing();
    blocked_ = std::max(blocked_, secondsSince(began) * 1e3);
    worked_ = std::max(worked_, cpuMilliseconds() - worked);
    --deep_;
  }

  /// The longest since this was asked last, in ms: by the wall, and of a processor.
  std::string longest();

 private:
  int deep_ = 0;
  double blocked_ = 0, worked_ = 0;
};

}  // namespace lanescope::bench
