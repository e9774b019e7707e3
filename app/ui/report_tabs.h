// SPDX-License-Identifier: GPL-3.0-or-later
// The open reports, one a tab. A file is open at most once; what opens well is remembered as recent.
// GUI thread only.
#pragma once

#include <QTabWidget>
#include <filesystem>

#include "app/ui/report_tab.h"
#include "app/ui/settings.h"

namespace lanescope::ui {

class CompareTab;

/// A file, and where it came from if that is a server.
struct ReportSource {
  std::filesystem::path path;
  std::shared_ptr<const remote::Fetched> origin = nullptr;
};

class ReportTabs : public QTabWidget {
  Q_OBJECT

 public:
  ReportTabs(Settings& settings, Loader loader, QWidget* parent = nullptr);
  ~ReportTabs() override;

  /// The report that is looked at; of two compared ones the one with the keyboard.
  ReportTab* current() const;
  /// Null: that tab compares two.
  ReportTab* at(int index) const;
  CompareTab* comparison() const;  ///< that is looked at; null: none
  /// What tells a report from the others: its title, and its folder where several have one title.
  QString nameOf(ReportTab* tab) const;

  QString currentName() const;  ///< of what is looked at

  /// Opens the file in a new tab and goes there; goes to its tab if it is open already.
  ReportTab* open(const std::filesystem::path& path);
  /// Likewise a file that came from a server.
  ReportTab* open(std::shared_ptr<const remote::Fetched> fetched);
  /// Opens files, and those in folders, on one timeline in a new tab; goes to the tab that has them already. One alone is
  /// opened as ever. Null if there are none.
  ReportTab* openTogether(const std::vector<std::filesystem::path>& places);
  /// Opens a tab that compares two; they may be open, and may be the same.
  CompareTab* compare(const ReportSource& a, const ReportSource& b);
  /// A path, or an address on a server, which asks for remoteWanted().
  void openNamed(const QString& name);
  /// What a dialog offers to open: "Reports and traces (*.rep …);;All files (*)".
  static QString fileFilter();
  /// Asks which files to open.
  void choose();
  void chooseTogether();
  void close(int index);
  /// Goes `steps` tabs to the right, round the end.
  void step(int steps);

 signals:
  void currentReportChanged(lanescope::ui::ReportTab* tab);  ///< null when the last one is closed
  void namesChanged();
  void recentFilesChanged();
  void remoteWanted(const QStringList& addresses);  ///< none: to be chosen
  void diagnosticsWanted();  ///< of the current report

 private:
  ReportTab* openFrom(const std::filesystem::path& path, std::shared_ptr<const remote::Fetched> origin);
  ReportTab* add(std::vector<std::filesystem::path> files, std::shared_ptr<const remote::Fetched> origin);
  QStringList askForFiles(const QString& title);
  Loader loaderOf(const std::filesystem::path& file) const;
  void nameTabs();

  Settings& settings_;
  Loader loader_;
};

/// The path of a file the same way however it was named, for the user to read and to compare.
std::filesystem::path absolutePath(const std::filesystem::path& path);

}  // namespace lanescope::ui
