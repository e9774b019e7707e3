// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/session.h"
#include "views/text.h"

#include <QCoreApplication>
#include <QPointer>
#include <iterator>
#include <utility>

namespace lanescope::ui {

/// What a loading thread knows of the session it works for: where to leave things, not whether somebody still comes.
struct Session::Mailbox {
  QPointer<Session> session;
  int generation;

  /// Runs `act(session, generation)` on the GUI thread, if the session is there when its turn comes.
  template <class Act>
  void post(Act act) const {
    // The application lives longer than every session; posting to the session itself would race with its end.
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [to = session, of = generation, act = std::move(act)]() mutable {
          if (to) act(*to, of);
        },
        Qt::QueuedConnection);
  }
};

Session::Session(std::filesystem::path path, Loader loader, QObject* parent)
    : Session(std::vector{std::move(path)}, std::move(loader), parent) {}

Session::Session(std::vector<std::filesystem::path> paths, Loader loader, QObject* parent)
    : QObject(parent), paths_(std::move(paths)), loader_(std::move(loader)), details_(1) {
  if (!isTogether()) return;
  connect(&view_, &views::ViewState::currentRowChanged, this, &Session::followRow);
  connect(&view_, &views::ViewState::currentChanged, this, &Session::followRow);
}

Session::~Session() = default;  // thread_ is stopped and joined first

std::filesystem::path Session::path() const {
  if (isTogether()) return timeline_ ? timeline_->joined->parts[chosen_].identity.path : std::filesystem::path();
  if (importing_) return {};
  return imported_.empty() ? paths_.front() : imported_.begin()->first;
}

std::filesystem::path Session::file() const {
  if (!isTogether()) return paths_.front();
  return timeline_ ? timeline_->joined->parts[chosen_].identity.calledBy() : std::filesystem::path();
}

QString Session::fileName() const {
  if (isTogether()) return tr("%1 reports").arg(paths_.size());
  return QString::fromStdString(paths_.front().filename().string());
}

void Session::load() {
  thread_ = {};  // stopped and waited for before another begins: one load at a time
  ++generation_;
  placing_.cancel();
  details_.clear();
  details_.resize(1);
  detailsSource_ = std::make_shared<DetailsSource>(paths_.front());
  importing_ = false;
  imported_.clear();
  setPhase(Phase::kLoading);

  const Mailbox mailbox{this, generation_};
  thread_ = std::jthread([paths = paths_, loader = loader_, mailbox](std::stop_token stop) {
    const auto report = [mailbox, shown = -1.0](double fraction, std::string_view step) mutable {
      if (fraction - shown < 0.005 && fraction >= shown) return;  // a loader may count every thousand rows
      shown = fraction;
      mailbox.post([fraction, words = views::toQt(step)](Session& session, int generation) {
        if (generation == session.generation_) emit session.progressed(fraction, words);
      });
    };
    if (paths.size() > 1) {
      auto result = loadTogether(paths, loader, Job(stop, report));
      mailbox.post([result = std::move(result)](Session& session, int generation) mutable {
        session.takeTogether(generation, std::move(result));
      });
      return;
    }
    const auto publish = [mailbox](trace::TracePtr trace) {
      mailbox.post([trace = std::move(trace)](Session& session, int generation) mutable {
        session.takeSnapshot(generation, std::move(trace));
      });
    };
    const auto isImported = [mailbox] {
      mailbox.post([](Session& session, int generation) {
        if (generation == session.generation_) session.importing_ = true;
      });
    };
    auto result = open(paths.front(), loader, {.projections = true}, publish, isImported, Job(stop, report));
    mailbox.post([result = std::move(result)](Session& session, int generation) mutable {
      session.takeResult(generation, std::move(result));
    });
  });
}

void Session::cancel() { thread_.request_stop(); }

void Session::takeSnapshot(int generation, trace::TracePtr trace) {
  if (generation == generation_) view_.setTrace(std::move(trace));
}

void Session::takeResult(int generation, Result<Opened> result) {
  if (generation != generation_) return;
  importing_ = false;
  if (!result) {
    error_ = result.error();
    setPhase(Phase::kFailed);
    return;
  }
  if (result->report) {
    details_.front().reset();
    detailsSource_ = std::make_shared<DetailsSource>(result->report->path);
    imported_[result->report->path] = {paths_.front(), result->report};
  }
  if (view_.trace() != result->trace) view_.setTrace(std::move(result->trace));
  setPhase(Phase::kReady);
}

void Session::setPhase(Phase phase) {
  phase_ = phase;
  emit phaseChanged();
}

// --- several reports -----------------------------------------------------------------------------------------------

void Session::takeTogether(int generation, Result<LoadedTogether> result) {
  if (generation != generation_) return;
  if (!result) return takeResult(generation, tl::unexpected(result.error()));
  timeline_ = std::move(result->timeline);
  leftOut_ = std::move(result->leftOut);
  imported_ = std::move(result->imported);
  found_.clear();
  for (const auto& part : timeline_->joined->parts) found_.push_back(part.placement);
  wanted_ = found_;
  details_.clear();
  details_.resize(found_.size());
  detailsSource_ = std::make_shared<DetailsSource>(*timeline_->joined);
  chosen_ = 0;
  if (wantAsKept()) return place();
  show(*timeline_);
}

void Session::moveReport(std::uint32_t report, trace::Ns offset) {
  if (report >= wanted_.size()) return;
  wanted_[report] = {.offset = offset, .method = together::ClockMethod::kByHand, .sentence = "by hand"};
  place();
}

void Session::resetPlacement() {
  wanted_ = found_;
  place();
}

std::map<std::string, trace::Ns> Session::movedByHand() const {
  if (!timeline_) return kept_;
  std::map<std::string, trace::Ns> moved;
  for (std::size_t i = 0; i < wanted_.size(); ++i)
    if (wanted_[i].method == together::ClockMethod::kByHand) moved[timeline_->joined->keyOf(i)] = wanted_[i].offset;
  return moved;
}

void Session::moveByHand(std::map<std::string, trace::Ns> offsets) {
  kept_ = std::move(offsets);
  if (timeline_ && wantAsKept()) place();
}

/// True if that is elsewhere than they were found to be.
bool Session::wantAsKept() {
  bool other = false;
  for (std::uint32_t i = 0; i < wanted_.size(); ++i) {
    const auto kept = kept_.find(timeline_->joined->keyOf(i));
    if (kept == kept_.end() || wanted_[i].offset == kept->second) continue;
    wanted_[i] = {.offset = kept->second, .method = together::ClockMethod::kByHand, .sentence = "by hand"};
    other = true;
  }
  return other;
}

void Session::place() {
  placing_.start(
      [timeline = *timeline_, wanted = wanted_](const Job& job) { return ui::placed(timeline, wanted, job); },
      [this](OneTimeline timeline) { show(std::move(timeline)); });
}

/// What is looked at stays, though its events are at other times.
void Session::show(OneTimeline timeline) {
  timeline_ = std::move(timeline);
  const bool isFirst = phase_ != Phase::kReady;
  const auto event = view_.current();
  const auto visible = view_.visible();
  view_.setTrace(timeline_->joined->trace);
  if (isFirst) {
    showOwn();
    return setPhase(Phase::kReady);
  }
  view_.setVisible(visible);
  if (event) view_.setCurrent(event);
  own_->setPlaced(timeline_->joined);
  emit placed();
}

void Session::chooseReport(std::uint32_t report) {
  if (!timeline_ || report == chosen_ || report >= found_.size()) return;
  chosen_ = report;
  showOwn();
}

/// That of the current row, else of the current event.
void Session::followRow() {
  if (!timeline_ || view_.trace() != timeline_->joined->trace) return;
  const together::Joined& joined = *timeline_->joined;
  if (view_.currentRow() != trace::kNone) chooseReport(joined.reportOfRow(view_.currentRow()));
  else if (view_.current()) chooseReport(joined.reportOf(*view_.current()));
}

void Session::showOwn() {
  // The one before goes when all have turned to this one.
  const std::unique_ptr<OwnView> before =
      std::exchange(own_, std::make_unique<OwnView>(view_, timeline_->joined, chosen_));
  emit reportChosen();
}

// --- what files say ------------------------------------------------------------------------------------------------

Result<report::Details>& Session::details(std::uint32_t report) {
  auto& details = details_[report];
  if (!details) details = report::Details::open(timeline_ ? timeline_->joined->parts[report].identity.path : path());
  return *details;
}

Result<std::vector<report::Field>> Session::fields(trace::EventRef event) {
  if (importing_) return tl::unexpected(Error{ErrorCode::kStillRead, paths_.front().string(), {}});
  const together::Joined* joined = timeline_ ? timeline_->joined.get() : nullptr;
  const std::uint32_t report = joined ? joined->reportOf(event) : 0;
  auto& file = details(report);
  if (!file) return tl::unexpected(file.error());
  const trace::Trace& own = joined ? *joined->parts[report].trace : *view_.trace();
  const trace::EventRef ownEvent = joined ? joined->own(event) : event;
  std::vector<report::Field> fields = file->of(own, ownEvent);
  if (joined) fields = fieldsAmong(*timeline_, event, std::move(fields));
  std::vector<report::Field> stack = file->stackFields(own, ownEvent);
  fields.insert(fields.end(), std::make_move_iterator(stack.begin()), std::make_move_iterator(stack.end()));
  return fields;
}

std::vector<report::Diagnostic> Session::diagnostics() const {
  const auto database = report::Database::open(path());
  return database ? report::diagnostics(*database) : std::vector<report::Diagnostic>{};
}

}  // namespace lanescope::ui
