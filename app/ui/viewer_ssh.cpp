// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/viewer_ssh.h"

#include <signal.h>
#include <sys/prctl.h>

#include <QApplication>
#include <cstdio>
#include <string_view>

#include "model/remote/config_hosts.h"
#include "views/dialogs/ask_pass.h"

namespace lanescope::ui {

namespace {

constexpr const char* kTheme = "LANESCOPE_ASKPASS_THEME";

}  // namespace

remote::Ssh viewerSsh() {
  remote::Ssh ssh = remote::Ssh::fromEnvironment();
  ssh.askpass = QCoreApplication::applicationFilePath().toStdString();
  lookAlike(ssh);
  return ssh;
}

void lookAlike(remote::Ssh& ssh) {
  ssh.forAskpass = {std::string(kTheme) + (views::Theme::instance().isDark() ? "=dark" : "=light")};
}

views::Theme::Mode askingTheme(const Settings& settings) {
  const QByteArray told = qgetenv(kTheme);
  if (told == "dark") return views::Theme::Mode::kDark;
  return told == "light" ? views::Theme::Mode::kLight : settings.theme();
}

QStringList knownHosts(const Settings& settings) {
  QStringList hosts = settings.recentHosts();
  for (const std::string& host : remote::configuredHosts()) hosts += QString::fromStdString(host);
  hosts.removeDuplicates();
  return hosts;
}

std::optional<std::string> askedBySsh(int argc, const char* const* argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--askpass") return argc > 2 ? argv[2] : "";
  if (qEnvironmentVariableIsEmpty("LANESCOPE_ASKPASS")) return std::nullopt;
  return argc > 1 ? argv[1] : "";
}

int askForSsh(const std::string& question) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // a question of which nobody waits for the answer goes
  const QString text = QString::fromStdString(question);
  views::AskPass dialog(text, views::AskPass::kindOf(text, qEnvironmentVariable("SSH_ASKPASS_PROMPT")));
  if (dialog.exec() != QDialog::Accepted) return 1;
  std::printf("%s\n", dialog.answer().toUtf8().constData());
  return 0;
}

}  // namespace lanescope::ui
