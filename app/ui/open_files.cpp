// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/open_files.h"

#include <algorithm>
#include <array>

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

Result<void> openOnOneTimeline(MainWindow& window, const Options& options) {
  ReportTab* tab = window.tabs().openTogether(options.files);
  if (!tab)
    return tl::unexpected(Error{ErrorCode::kNotFound, options.files.front().string(), "there is no report in it"});
  showRange(tab, options.range);
  return {};
}

using Sources = std::array<std::optional<ReportSource>, 2>;

void compareNow(MainWindow& window, const Sources& sources, const std::optional<trace::TimeRange>& range) {
  showRange(&window.tabs().compare(*sources.front(), *sources.back())->side(views::kA), range);
}

/// Those of servers are fetched first: for a picture at once, else they come as tabs of their own.
Result<void> openCompared(MainWindow& window, const Options& options) {
  Sources sources;
  QStringList addresses;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::filesystem::path& file = options.compared[i];
    if (!remote::isSshAddress(file.string())) {
      sources[i] = ReportSource{file};
    } else if (options.screenshot) {
      auto fetched = fetchNow(file.string());
      if (!fetched) return tl::unexpected(fetched.error());
      sources[i] = ReportSource{(*fetched)->copy.file, *fetched};
    } else {
      addresses += QString::fromStdString(file.string());
    }
  }
  if (addresses.isEmpty()) {
    compareNow(window, sources, options.range);
    return {};
  }
  addresses.removeDuplicates();
  QObject::connect(&window.remote(), &RemoteFiles::opened, &window,
                   [&window, sources, range = options.range, left = addresses.size()](ReportTab* tab) mutable {
                     if (left == 0) return;
                     const ReportSource source{tab->session().file(), tab->origin()};
                     const auto empty = std::ranges::find_if(sources, [](const auto& each) { return !each; });
                     if (empty != sources.end()) *empty = source;
                     if (--left > 0) return;
                     for (auto& each : sources) each = each.value_or(source);  // one file, asked for twice
                     compareNow(window, sources, range);
                   });
  window.remote().open(addresses);
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
