// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/screenshot.h"

#include <QPixmap>
#include <QSaveFile>
#include <QTimer>
#include <memory>

#include "app/ui/main_window.h"

namespace lanescope::ui {
namespace {

bool anyLoading(ReportTabs& tabs) {
  for (int i = 0; i < tabs.count(); ++i) {
    if (tabs.at(i)->session().phase() == Session::Phase::kLoading) return true;
  }
  return false;
}

const Error* firstFailure(ReportTabs& tabs) {
  for (int i = 0; i < tabs.count(); ++i) {
    const Session& session = tabs.at(i)->session();
    if (session.phase() == Session::Phase::kFailed) return &session.error();
  }
  return nullptr;
}

Result<void> write(const QPixmap& picture, const std::filesystem::path& file) {
  QSaveFile out(QString::fromStdString(file.string()));  // all of it or nothing
  if (out.open(QIODevice::WriteOnly) && picture.save(&out, "PNG") && out.commit()) return {};
  return tl::unexpected(Error{ErrorCode::kWriteFailed, file.string(), out.errorString().toStdString()});
}

}  // namespace

void takeScreenshot(MainWindow& window, std::filesystem::path file, std::function<void(Result<void>)> done) {
  // A later signal may arrive before the event loop ends: whoever comes first takes the work away.
  auto work = std::make_shared<std::function<void(Result<void>)>>(std::move(done));
  const auto look = [&window, file = std::move(file), work] {
    if (!*work || anyLoading(window.tabs())) return;
    const auto finish = std::exchange(*work, {});
    const Error* failed = firstFailure(window.tabs());
    finish(failed ? Result<void>(tl::unexpected(*failed)) : write(window.grab(), file));
  };
  // Queued, so that everybody who follows the same signal has followed it before the picture is taken.
  for (int i = 0; i < window.tabs().count(); ++i) {
    QObject::connect(&window.tabs().at(i)->session(), &Session::phaseChanged, &window, look, Qt::QueuedConnection);
  }
  QTimer::singleShot(0, &window, look);
}

}  // namespace lanescope::ui
