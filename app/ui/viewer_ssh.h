// SPDX-License-Identifier: GPL-3.0-or-later
// ssh for the viewer: it asks through this very program, which then is only a question in a window.
#pragma once

#include <optional>

#include "app/ui/settings.h"
#include "model/remote/ssh_process.h"

namespace lanescope::ui {

/// GUI thread, once there is an application.
remote::Ssh viewerSsh();
/// Its questions look as this window does now, whatever the settings say. GUI thread.
void lookAlike(remote::Ssh& ssh);
/// Of the question: as the window that started ssh looked, else as the settings say.
views::Theme::Mode askingTheme(const Settings& settings);

/// Hosts to offer: those used before, newest first, then those of ~/.ssh/config.
QStringList knownHosts(const Settings& settings);

/// The question, if ssh started this program to ask it, or the user did with --askpass QUESTION.
std::optional<std::string> askedBySsh(int argc, const char* const* argv);

/// Asks it; prints the answer. The exit status: 0, or 1 where the user gives none. Ends when ssh does.
int askForSsh(const std::string& question);

}  // namespace lanescope::ui
