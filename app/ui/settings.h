// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the viewer remembers from one run to the next, and the only place that knows QSettings: theme, window,
// recent files, and where views of reports are kept. A Settings without a file remembers nothing, for pictures and tests. GUI thread only.
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <memory>

#include "views/theme.h"

namespace lanescope::ui {

class Settings {
 public:
  /// The user's own.
  static Settings ofUser();
  static Settings none() { return Settings(std::unique_ptr<QSettings>()); }
  explicit Settings(const QString& iniFile);

  views::Theme::Mode theme() const;
  void setTheme(views::Theme::Mode mode);

  double fontScale() const;  ///< 1 where none was chosen
  void setFontScale(double scale);

  views::Colouring colouring() const;  ///< with the rules of rulesText()
  void setColouring(const views::Colouring& colouring);  ///< all but the rules
  QString rulesText() const;  ///< as it was typed: views::parseRules()
  void setRulesText(const QString& text);

  struct Window {
    QByteArray geometry;
    QByteArray layout;  ///< docks and toolbar, as QMainWindow::saveState() gives them
  };
  Window window() const;
  void setWindow(const Window& window);

  bool comparesBeside() const;  ///< two compared reports stand side by side
  void setComparesBeside(bool beside);

  /// Where the views of reports are kept; empty where nothing is remembered.
  QString viewsFolder() const { return viewsFolder_; }

  static constexpr int kRecentFiles = 12;
  QStringList recentFiles() const;  ///< newest first, whether they exist or not
  QString recentFolder() const;  ///< that of the newest; empty where there is none
  void addRecentFile(const QString& path);
  void removeRecentFile(const QString& path);
  void clearRecentFiles();

  /// What was recorded from the dialog, newest first and each program once: its line, then what the recorder keeps of it.
  static constexpr int kRecordings = 30;
  QList<QStringList> recordings() const;
  void addRecording(const QStringList& recording);

  static constexpr int kRecentHosts = 20;
  QStringList recentHosts() const;  ///< newest first, as they were named
  void addRecentHost(const QString& host);

 private:
  explicit Settings(std::unique_ptr<QSettings> store, QString viewsFolder = {})
      : store_(std::move(store)), viewsFolder_(std::move(viewsFolder)) {}
  QVariant read(const char* key) const { return store_ ? store_->value(key) : QVariant(); }
  void write(const char* key, const QVariant& value) {
    if (store_) store_->setValue(key, value);
  }
  std::unique_ptr<QSettings> store_;  // null: remembers nothing
  QString viewsFolder_;
};

}  // namespace lanescope::ui
