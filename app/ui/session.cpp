// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/session.h"
#include "views/text.h"

#include <QCoreApplication>
#include <QPointer>

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
    : QObject(parent), path_(std::move(path)), loader_(std::move(loader)) {}

Session::~Session() = default;  // thread_ is stopped and joined first

QString Session::fileName() const { return QString::fromStdString(path_.filename().string()); }

void Session::load() {
  thread_ = {};  // stopped and waited for before another begins: one load at a time
  ++generation_;
  details_.reset();
  detailsSource_ = std::make_shared<DetailsSource>(path_);
  setPhase(Phase::kLoading);

  const Mailbox mailbox{this, generation_};
  thread_ = std::jthread([path = path_, loader = loader_, mailbox](std::stop_token stop) {
    const auto report = [mailbox, shown = -1.0](double fraction, std::string_view step) mutable {
      if (fraction - shown < 0.005 && fraction >= shown) return;  // a loader may count every thousand rows
      shown = fraction;
      mailbox.post([fraction, words = views::toQt(step)](Session& session, int generation) {
        if (generation == session.generation_) emit session.progressed(fraction, words);
      });
    };
    const auto publish = [mailbox](trace::TracePtr trace) {
      mailbox.post([trace = std::move(trace)](Session& session, int generation) mutable {
        session.takeSnapshot(generation, std::move(trace));
      });
    };
    auto result = loader(path, {.projections = true}, publish, Job(stop, report));
    mailbox.post([result = std::move(result)](Session& session, int generation) mutable {
      session.takeResult(generation, std::move(result));
    });
  });
}

void Session::cancel() { thread_.request_stop(); }

void Session::takeSnapshot(int generation, trace::TracePtr trace) {
  if (generation == generation_) view_.setTrace(std::move(trace));
}

void Session::takeResult(int generation, Result<trace::TracePtr> result) {
  if (generation != generation_) return;
  if (!result) {
    error_ = result.error();
    setPhase(Phase::kFailed);
    return;
  }
  if (view_.trace() != *result) view_.setTrace(std::move(*result));
  setPhase(Phase::kReady);
}

void Session::setPhase(Phase phase) {
  phase_ = phase;
  emit phaseChanged();
}

Result<report::Details>& Session::details() {
  if (!details_) details_ = report::Details::open(path_);
  return *details_;
}

Result<std::vector<report::Field>> Session::fields(trace::EventRef event) {
  if (!details()) return tl::unexpected(details().error());
  return details()->of(*view_.trace(), event);
}

std::vector<report::Diagnostic> Session::diagnostics() const {
  const auto database = report::Database::open(path_);
  return database ? report::diagnostics(*database) : std::vector<report::Diagnostic>{};
}

}  // namespace lanescope::ui
