// SPDX-License-Identifier: GPL-3.0-or-later
// One open report: its file, the thread that loads it, what is looked at, and the details of its events.
//
// The loading thread holds a mailbox, never the session: each result is posted to the GUI thread with the generation
// of the load it belongs to, and dropped there if the session is gone or has started another. Ending a session stops
// the thread and waits for it, which takes as long as the loader needs to look at its job. GUI thread only.
#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "app/ui/event_details.h"
#include "app/ui/viewer_load.h"
#include "model/report/details.h"
#include "model/report/diagnostics.h"
#include "model/report/load.h"
#include "views/timeline/view_state.h"

namespace lanescope::ui {

using Loader = std::function<Result<trace::TracePtr>(const std::filesystem::path&, const report::LoadOptions&,
                                                     const report::Publish&, const Job&)>;

class Session : public QObject {
  Q_OBJECT

 public:
  enum class Phase { kLoading, kReady, kFailed };

  explicit Session(std::filesystem::path path, Loader loader = loadForViewer, QObject* parent = nullptr);
  ~Session() override;

  const std::filesystem::path& path() const { return path_; }
  QString fileName() const;
  Phase phase() const { return phase_; }
  /// Why it failed; kCancelled if the user stopped it.
  const Error& error() const { return error_; }
  views::ViewState& view() { return view_; }

  /// Starts loading, or loads anew; an earlier load that still runs is stopped and its results are dropped.
  void load();
  void cancel();

  /// What the file knows about an event, at once, for a tooltip; opens the file a second time when first asked.
  Result<std::vector<report::Field>> fields(trace::EventRef event);
  /// The same and more for somebody who can wait; another one for each load.
  std::shared_ptr<DetailsSource> detailsSource() const { return detailsSource_; }
  /// What the profiler said while it recorded; empty if the file cannot be read any more.
  std::vector<report::Diagnostic> diagnostics() const;

 signals:
  void progressed(double fraction, const QString& step);
  /// Ready, failed, or loading again.
  void phaseChanged();

 private:
  struct Mailbox;
  void takeSnapshot(int generation, trace::TracePtr trace);
  void takeResult(int generation, Result<trace::TracePtr> result);
  void setPhase(Phase phase);
  Result<report::Details>& details();

  std::filesystem::path path_;
  Loader loader_;
  views::ViewState view_;
  std::optional<Result<report::Details>> details_;
  std::shared_ptr<DetailsSource> detailsSource_;
  Phase phase_ = Phase::kLoading;
  Error error_{};
  int generation_ = 0;
  std::jthread thread_;
};

}  // namespace lanescope::ui
