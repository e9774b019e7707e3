// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/open_files.h"

#include "app/ui/compare_tab.h"
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

/// From a server now, wherever it is asked from: there is nothing to compare before both are here.
Result<ReportSource> sourceOf(const std::filesystem::path& file) {
  if (!remote::isSshAddress(file.string())) return ReportSource{file};
  auto fetched = fetchNow(file.string());
  if (!fetched) return tl::unexpected(fetched.error());
  return ReportSource{(*fetched)->copy.file, std::move(*fetched)};
}

Result<void> openCompared(MainWindow& window, const Options& options) {
  const Result<ReportSource> a = sourceOf(options.compared.front());
  if (!a) return tl::unexpected(a.error());
  const Result<ReportSource> b = sourceOf(options.compared.back());
  if (!b) return tl::unexpected(b.error());
  const CompareTab* tab = window.tabs().compare(*a, *b);
  showRange(&tab->side(views::kA), options.range);
  return {};
}

}  // namespace

Result<void> openFiles(MainWindow& window, const Options& options) {
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
  if (!options.compared.empty())
    if (const auto opened = openCompared(window, options); !opened) return opened;
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
