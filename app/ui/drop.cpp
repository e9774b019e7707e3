// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/drop.h"

#include <QMenu>
#include <QMimeData>
#include <QUrl>

#include "app/ui/compare_tab.h"
#include "app/ui/report_tabs.h"

namespace lanescope::ui {

std::vector<std::filesystem::path> droppedFiles(const QMimeData& data) {
  std::vector<std::filesystem::path> files;
  for (const QUrl& url : data.urls()) {
    if (url.isLocalFile()) files.emplace_back(url.toLocalFile().toStdString());
  }
  return files;
}

void takeDrop(ReportTabs& tabs, std::vector<std::filesystem::path> files, const QPoint& where) {
  const auto openAll = [&tabs, files] {
    for (const auto& file : files) tabs.open(file);
  };
  if (tabs.count() == 0 && files.size() == 1) {
    openAll();
    return;
  }
  auto* menu = new QMenu(&tabs);
  menu->setObjectName("dropMenu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const bool several = files.size() > 1;
  menu->addAction(several ? ReportTabs::tr("Open in tabs of their own") : ReportTabs::tr("Open in a new tab"), &tabs,
                  openAll);
  if (several) {
    menu->addAction(ReportTabs::tr("Open on one timeline"), &tabs, [&tabs, files] { tabs.openTogether(files); });
  } else if (tabs.current()) {
    const ReportTab& open = *tabs.current();
    const ReportSource before{open.session().file(), open.origin()}, after{files.front()};
    if (!open.session().isTogether())
      menu->addAction(ReportTabs::tr("Compare with %1").arg(open.title().replace('&', "&&")), &tabs,
                      [&tabs, before, after] { tabs.compare(before, after); });
    std::vector<std::filesystem::path> all = open.session().paths();
    all.insert(all.end(), files.begin(), files.end());
    menu->addAction(ReportTabs::tr("On one timeline with %1").arg(open.title().replace('&', "&&")), &tabs,
                    [&tabs, all] { tabs.openTogether(all); });
  }
  menu->popup(where);  // not exec(): the program we were dragged from waits for the drop to end
}

}  // namespace lanescope::ui
