// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QIcon>
#include <QScreen>
#include <cstdio>

#include "app/ui/main_window.h"
#include "app/ui/open_files.h"
#include "app/ui/screenshot.h"
#include "app/ui/viewer_load.h"
#include "app/ui/viewer_ssh.h"
#include "app/version.h"

namespace {

using namespace lanescope;
using namespace lanescope::ui;

/// A script reads stderr: one line of ours, and not what Qt thinks of running without a display.
void dropQtWarnings(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type == QtCriticalMsg || type == QtFatalMsg) std::fprintf(stderr, "%s\n", qUtf8Printable(message));
}

int complain(const Error& error) {
  std::fprintf(stderr, "lanescope-ui: %s\n", sentence(error).c_str());
  return exitStatus(error);
}

int run(QApplication& application, const Options& options) {
  Settings settings = options.screenshot ? Settings::none() : Settings::ofUser();
  views::Theme::instance().setMode(options.theme.value_or(settings.theme()));
  views::Theme::instance().setFontScale(settings.fontScale());
  views::Theme::instance().setColouring(settings.colouring());
  MainWindow window(settings);
  if (options.screenshot || options.sizeGiven) window.resize(options.size);
  else window.resize(window.size().boundedTo(window.screen()->availableSize()));
  window.show();
  if (const auto opened = openFiles(window, options); !opened) return complain(opened.error());
  if (!options.screenshot) return application.exec();

  int status = 0;
  takeScreenshot(window, *options.screenshot, [&](Result<void> result) {
    if (!result) status = complain(result.error());
    application.exit();
  });
  application.exec();
  return status;
}

void nameApplication() {
  QApplication::setApplicationName("lanescope-ui");
  QApplication::setApplicationDisplayName("Lanescope");
  QApplication::setApplicationVersion(LANESCOPE_VERSION);
  QGuiApplication::setDesktopFileName("lanescope");
  QApplication::setWindowIcon(QIcon(":/icons/lanescope.svg"));
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto question = askedBySsh(argc, argv)) {
    QApplication application(argc, argv);
    nameApplication();
    const Settings settings = Settings::ofUser();
    views::Theme::instance().setMode(askingTheme(settings));
    views::Theme::instance().setFontScale(settings.fontScale());
    return askForSsh(*question);
  }
  const auto parsed = parseOptions(argc, argv);
  if (const auto* farewell = std::get_if<Farewell>(&parsed)) {
    const bool fine = farewell->status == 0;
    std::fprintf(fine ? stdout : stderr, fine ? "%s" : "%s\n", farewell->text.c_str());
    return farewell->status;
  }
  const auto& options = std::get<Options>(parsed);
  importWith({.timesAreNanoseconds = options.timesAreNanoseconds});
  // A picture needs no display, and takes the user's no attention if there is one.
  if (options.screenshot) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(dropQtWarnings);
  }

  QApplication application(argc, argv);
  nameApplication();
  return run(application, options);
}
