// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_capture.h"

#include <cstddef>
#include <cstring>

#include "collector/launch/input_file.h"
#include "collector/wire/session.h"

namespace lanescope::launch {

bool captureNeverOpened(const std::filesystem::path& session, const FactLines& options) {
  const std::string_view trigger = options.text("capture");
  if (trigger.empty() || trigger == "none") return false;
  const auto file = InputFile::open(session / "control");
  char bytes[sizeof(wire::ControlPage)] = {};
  if (!file || file->read(0, bytes, sizeof bytes) < offsetof(wire::ControlPage, wake)) return false;
  wire::ControlPage page;
  std::memcpy(&page, bytes, sizeof page);
  return page.magic == wire::ControlPage::kMagic && page.captures == 0;
}

}  // namespace lanescope::launch
