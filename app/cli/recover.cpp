// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/recording_lines.h"
#include "app/version.h"
#include "collector/launch/recording.h"

namespace lanescope::cli {
namespace {

struct Options {
  std::string folder, output;
  bool overwrite = false;
};

}  // namespace

void addRecover(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* recover = app.add_subcommand("recover", "Finish a recording that was cut off");
  recover->add_option("DIR", options->folder, "The folder that it left, .NAME.PID.recording")->required();
  recover->add_option("-o,--output", options->output, "The report; by default the name it was to have");
  recover->add_flag("-f,--force-overwrite", options->overwrite, "Overwrite a report of that name");
  recover->callback([options, &status] {
    status = launch::recover(options->folder, options->output, options->overwrite,
                             {.say = say,
                              .reportReady = [](const auto&, const auto&) {},
                              .job = showProgress(),
                              .version = LANESCOPE_VERSION});
  });
}

}  // namespace lanescope::cli
