// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/sample.h"

#include <QCoreApplication>

namespace lanescope::ui {

std::optional<std::filesystem::path> sampleReport() {
  namespace fs = std::filesystem;
  const fs::path name = "overlap_bad.rep";
  const fs::path program = QCoreApplication::applicationDirPath().toStdString();
  std::error_code ignored;
  if (const fs::path installed = program / "../share/lanescope/samples" / name; fs::exists(installed, ignored)) {
    return installed;
  }
  // A build folder lies a few levels below the source tree.
  fs::path folder = program;
  for (int level = 0; level < 4; ++level, folder = folder.parent_path()) {
    if (const fs::path built = folder / "resources/samples" / name; fs::exists(built, ignored)) return built;
  }
  return std::nullopt;
}

}  // namespace lanescope::ui
