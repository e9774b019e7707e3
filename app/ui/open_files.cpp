// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/open_files.h"

#include "app/ui/main_window.h"
#include "app/ui/remote_files.h"

namespace lanescope::ui {
namespace {

void showRange(ReportTab* tab, const std::optional<trace::TimeRange>& range) {
  if (!range) return;
  QObject::connect(&tab->session(), &Session::phaseChanged, tab, [tab, range = *range] {
    if (tab->session().phase() == Session::Phase::kReady) tab->view().setVisible(range);
  });
}

/// On the terminal, if ssh has to ask.
Result<std::shared_ptr<const remote::Fetched>> fetchNow(const std::string& address) {
  const auto target = remote::parseSshTarget(address);
  if (!target) return tl::unexpected(target.error());
  auto fetched = remote::fetch(remote::Ssh::fromEnvironment(), *target, {}, Job());
  if (!fetched) return tl::unexpected(fetched.error());
  return std::make_shared<const remote::Fetched>(std::move(*fetched));
}

Result<void> openOnOneTimeline(MainWindow& window, const Options& options) {
  ReportTab* tab = window.tabs().openTogether(options.files);
  if (!tab)
    return tl::unexpected(Error{ErrorCode::kNotFound, options.files.front().string(), "there is no report in it"});
  showRange(tab, options.range);
  return {};
}

}  // namespace

Result<void> openFiles(MainWindow& window, const Options& options) {
  if (options.together) return openOnOneTimeline(window, options);
  QStringList addresses;
  for (const auto& file : options.files) {
    if (!remote::isSshAddress(file.string())) {
      showRange(window.tabs().open(file), options.range);
    } else if (options.screenshot) {
      auto fetched = fetchNow(file.string());
      if (!fetched) return tl::unexpected(fetched.error());
      showRange(window.tabs().open(std::move(*fetched)), options.range);
    } else {
      addresses += QString::fromStdString(file.string());
    }
  }
  window.tabs().setCurrentIndex(0);
  if (addresses.isEmpty()) return {};
  // The next so many that come are these.
  QObject::connect(&window.remote(), &RemoteFiles::opened, &window,
                   [range = options.range, left = addresses.size()](ReportTab* tab) mutable {
                     if (left-- > 0) showRange(tab, range);
                   });
  window.remote().open(addresses);
  return {};
}

}  // namespace lanescope::ui
