// SPDX-License-Identifier: GPL-3.0-or-later
// What a report says of itself: the run, when its time 0 was, GPUs, machine, options, versions, environment, as a list
// that can be searched and copied. Read away from the GUI thread, when it is first seen. GUI thread only.
#pragma once

#include <QWidget>
#include <filesystem>
#include <memory>

#include "model/analysis/report_times.h"
#include "model/report/summary.h"
#include "views/latest_job.h"

class QLabel;
class QLineEdit;

namespace lanescope::views {

class CopyableTree;

class SummaryPanel : public QWidget {
  Q_OBJECT

 public:
  explicit SummaryPanel(QWidget* parent = nullptr);

  /// `times` stand before what the file says. An empty path: none.
  void setReport(std::filesystem::path file, std::vector<analysis::NamedTime> times = {});
  CopyableTree& list() { return *list_; }
  bool working() const { return job_.running(); }

  QSize sizeHint() const override { return {600, 180}; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void showLines(const Result<std::vector<report::SummaryLine>>& lines);
  void filter(const QString& text);

  std::filesystem::path file_;
  std::vector<analysis::NamedTime> times_;
  bool read_ = false;
  QLineEdit* search_;
  QLabel* message_;
  CopyableTree* list_;
  LatestJob job_{this};
};

}  // namespace lanescope::views
