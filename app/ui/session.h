// SPDX-License-Identifier: GPL-3.0-or-later
// One open report, or several on one timeline: the files, the thread that loads them, what is looked at, and the details
// of events. What is asked of a file is asked through ownView(), which shows one report as if it were alone.
//
// The loading thread holds a mailbox, never the session: each result is posted to the GUI thread with the generation
// of the load it belongs to, and dropped there if the session is gone or has started another. Ending a session stops
// the thread and waits for it, which takes as long as the loader needs to look at its job. GUI thread only.
#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/ui/event_details.h"
#include "app/ui/load_together.h"
#include "app/ui/own_view.h"
#include "app/ui/viewer_load.h"
#include "model/report/details.h"
#include "model/report/diagnostics.h"
#include "model/report/load.h"
#include "views/latest_job.h"
#include "views/timeline/view_state.h"

namespace lanescope::ui {

class Session : public QObject {
  Q_OBJECT

 public:
  enum class Phase { kLoading, kReady, kFailed };

  explicit Session(std::filesystem::path path, Loader loader = loadForViewer, QObject* parent = nullptr);
  /// Several on one timeline, unless it is only one.
  explicit Session(std::vector<std::filesystem::path> paths, Loader loader = loadForViewer, QObject* parent = nullptr);
  ~Session() override;

  const std::vector<std::filesystem::path>& paths() const { return paths_; }  ///< as they were opened
  bool isTogether() const { return paths_.size() > 1; }
  /// The report that is asked for what only a file says: of several that which ownView() shows; of another tool's file
  /// the one made of it. An empty path while that is not there yet.
  std::filesystem::path path() const;
  /// The file that this was opened as.
  std::filesystem::path file() const;
  /// Another tool's file of which no report is made yet: its trace may be shown already.
  bool isImporting() const { return importing_; }
  QString fileName() const;  ///< "3 reports" of several
  Phase phase() const { return phase_; }
  /// Why it failed; kCancelled if the user stopped it.
  const Error& error() const { return error_; }
  views::ViewState& view() { return view_; }

  // --- several reports -----------------------------------------------------------------------------------------
  /// None for one report, and until several are loaded.
  const std::optional<OneTimeline>& oneTimeline() const { return timeline_; }
  /// Those that could not be read; the others are shown.
  const std::vector<Error>& leftOut() const { return leftOut_; }
  /// Moves one of them in time, in the background. What is looked at stays.
  void moveReport(std::uint32_t report, trace::Ns offset);
  /// Where their clocks say they belong.
  void resetPlacement();
  /// Those that were moved, by the keys of their rows; to be brought back at any time, also before they are loaded.
  std::map<std::string, trace::Ns> movedByHand() const;
  void moveByHand(std::map<std::string, trace::Ns> offsets);
  /// Which report is asked for what only its file says: that of the current row, until another is chosen.
  std::uint32_t chosenReport() const { return chosen_; }
  void chooseReport(std::uint32_t report);
  /// The view of that report alone, in its own times; moving in it moves view(). Of one report view() itself.
  views::ViewState& ownView() { return own_ ? own_->view() : view_; }

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
  void placed();  ///< the reports stand at other times
  void reportChosen();  ///< ownView() is another

 private:
  struct Mailbox;
  void takeSnapshot(int generation, trace::TracePtr trace);
  void takeResult(int generation, Result<Opened> result);
  void takeTogether(int generation, Result<LoadedTogether> result);
  bool wantAsKept();
  void place();
  void show(OneTimeline timeline);
  void followRow();
  void showOwn();
  void setPhase(Phase phase);
  Result<report::Details>& details(std::uint32_t report);

  std::vector<std::filesystem::path> paths_;
  Loader loader_;
  views::ViewState view_;
  std::optional<OneTimeline> timeline_;
  std::vector<together::Placement> found_;  // as loading placed them
  std::vector<together::Placement> wanted_;
  std::map<std::string, trace::Ns> kept_;  // how they were moved when they were looked at before
  std::vector<Error> leftOut_;
  std::uint32_t chosen_ = 0;
  std::unique_ptr<OwnView> own_;  // null: one report, or not loaded
  std::vector<std::optional<Result<report::Details>>> details_;  // by report
  std::shared_ptr<DetailsSource> detailsSource_;
  bool importing_ = false;
  std::map<std::filesystem::path, std::pair<std::filesystem::path, ReportPtr>> imported_;  // by report: the file opened
  Phase phase_ = Phase::kLoading;
  Error error_{};
  int generation_ = 0;
  views::LatestJob placing_{this};
  std::jthread thread_;
};

}  // namespace lanescope::ui
