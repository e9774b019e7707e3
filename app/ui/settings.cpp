// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/settings.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include "views/text.h"

namespace lanescope::ui {
namespace {

using views::Theme;

constexpr char kTheme[] = "theme";
constexpr char kFontScale[] = "fontScale";
constexpr char kColourBy[] = "colours/by";
constexpr char kColourBlind[] = "colours/colourBlind";
constexpr char kColourRules[] = "colours/rules";
constexpr char kGeometry[] = "window/geometry";
constexpr char kLayout[] = "window/layout";
constexpr char kRecent[] = "recentFiles";
constexpr char kRecorded[] = "recordings";
constexpr char kBeside[] = "compare/beside";
constexpr char kHosts[] = "recentHosts";

/// Where it stood before it does not any more.
QStringList withNewest(QStringList list, const QString& newest, int most) {
  list.removeAll(newest);
  list.prepend(newest);
  return list.mid(0, most);
}

}  // namespace

Settings Settings::ofUser() {
  const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
  return Settings(
      std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("lanescope"), "viewer"),
      data.isEmpty() ? QString() : data + "/lanescope/views");
}

Settings::Settings(const QString& iniFile)
    : store_(std::make_unique<QSettings>(iniFile, QSettings::IniFormat)),
      viewsFolder_(QFileInfo(iniFile).absoluteDir().filePath("views")) {}

Theme::Mode Settings::theme() const {
  const QString word = read(kTheme).toString();
  if (word == "light") return Theme::Mode::kLight;
  if (word == "dark") return Theme::Mode::kDark;
  return Theme::Mode::kFollowDesktop;
}

void Settings::setTheme(Theme::Mode mode) {
  write(kTheme, mode == Theme::Mode::kLight ? "light" : mode == Theme::Mode::kDark ? "dark" : "desktop");
}

double Settings::fontScale() const {
  bool isNumber = false;
  const double scale = read(kFontScale).toDouble(&isNumber);
  return isNumber ? scale : 1;
}

void Settings::setFontScale(double scale) { write(kFontScale, scale); }

views::Colouring Settings::colouring() const {
  views::Colouring colouring;
  colouring.by = views::Colouring::byWord(read(kColourBy).toString().toStdString()).value_or(colouring.by);
  colouring.colourBlind = read(kColourBlind).toBool();
  colouring.rules = views::parseRules(rulesText().toStdString()).value_or(std::vector<views::Colouring::Rule>());
  return colouring;
}

void Settings::setColouring(const views::Colouring& colouring) {
  write(kColourBy, views::toQt(views::Colouring::word(colouring.by)));
  write(kColourBlind, colouring.colourBlind);
}

QString Settings::rulesText() const { return read(kColourRules).toString(); }

void Settings::setRulesText(const QString& text) { write(kColourRules, text); }

Settings::Window Settings::window() const { return {read(kGeometry).toByteArray(), read(kLayout).toByteArray()}; }

void Settings::setWindow(const Window& window) {
  write(kGeometry, window.geometry);
  write(kLayout, window.layout);
}

QStringList Settings::recentFiles() const { return read(kRecent).toStringList(); }

QString Settings::recentFolder() const {
  const QString folder = recentFiles().isEmpty() ? QString() : QFileInfo(recentFiles().front()).absolutePath();
  return QFileInfo(folder).isDir() ? folder : QString();
}

void Settings::addRecentFile(const QString& path) { write(kRecent, withNewest(recentFiles(), path, kRecentFiles)); }

void Settings::removeRecentFile(const QString& path) {
  QStringList files = recentFiles();
  files.removeAll(path);
  write(kRecent, files);
}

void Settings::clearRecentFiles() { write(kRecent, QStringList()); }

QList<QStringList> Settings::recordings() const {
  QList<QStringList> all;
  for (const QVariant& one : read(kRecorded).toList()) all += one.toStringList();
  return all;
}

void Settings::addRecording(const QStringList& recording) {
  QVariantList all = {recording};
  for (const QStringList& one : recordings()) {
    if (one.value(0) != recording.value(0) && all.size() < Settings::kRecordings) all += QVariant(one);
  }
  write(kRecorded, all);
}

bool Settings::comparesBeside() const { return read(kBeside).toBool(); }

void Settings::setComparesBeside(bool beside) { write(kBeside, beside); }

QStringList Settings::recentHosts() const { return read(kHosts).toStringList(); }

void Settings::addRecentHost(const QString& host) { write(kHosts, withNewest(recentHosts(), host, kRecentHosts)); }

}  // namespace lanescope::ui
