// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/screenshot.h"

#include <QPixmap>
#include <QSaveFile>
#include <QTimer>
#include <algorithm>

#include "app/ui/main_window.h"
#include "views/latest_job.h"

namespace lanescope::ui {
namespace {

constexpr int kLookAgain = 10;  // ms

bool anyLoading(ReportTabs& tabs) {
  const auto reports = tabs.findChildren<ReportTab*>();
  return std::any_of(reports.begin(), reports.end(),
                     [](ReportTab* report) { return report->session().phase() == Session::Phase::kLoading; });
}

/// Whether a panel of the window still waits for its figures.
bool anyWorking(const MainWindow& window) {
  const auto jobs = window.findChildren<views::LatestJob*>();
  return std::any_of(jobs.begin(), jobs.end(), [](const views::LatestJob* job) { return job->running(); });
}

const Error* firstFailure(ReportTabs& tabs) {
  for (ReportTab* report : tabs.findChildren<ReportTab*>()) {
    const Session& session = report->session();
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
  // Looks again and again: who waits for whom (reports, then panels) is nothing a picture has to know.
  auto* look = new QTimer(&window);
  QObject::connect(look, &QTimer::timeout, &window, [&window, look, file = std::move(file), done = std::move(done)] {
    if (anyLoading(window.tabs()) || anyWorking(window)) return;
    look->stop();
    look->deleteLater();
    const Error* failed = firstFailure(window.tabs());
    done(failed ? Result<void>(tl::unexpected(*failed)) : write(window.grab(), file));
  });
  look->start(kLookAgain);
}

}  // namespace lanescope::ui
