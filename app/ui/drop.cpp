// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/drop.h"

#include <QMenu>
#include <QMimeData>
#include <QUrl>

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
  const auto openAll = [&tabs, files = std::move(files)] {
    for (const auto& file : files) tabs.open(file);
  };
  if (tabs.count() == 0) {
    openAll();
    return;
  }
  auto* menu = new QMenu(&tabs);
  menu->setObjectName("dropMenu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(ReportTabs::tr("Open in a new tab"), &tabs, openAll);
  menu->popup(where);  // not exec(): the program we were dragged from waits for the drop to end
}

}  // namespace lanescope::ui
