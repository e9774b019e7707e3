// SPDX-License-Identifier: Apache-2.0
// `lanescope profile` and what it shares with `lanescope recover`: lines on stderr, progress on a terminal, and what is
// to be done with a new report.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/recording_lines.h"
#include "app/version.h"
#include "collector/launch/options.h"
#include "collector/launch/recording.h"

namespace lanescope::cli {
namespace {

/// Runs another command of this program and waits for it.
void runOurselves(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGPIPE, SIG_DFL);
    execv("/proc/self/exe", arguments.data());
    _exit(127);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

bool hasCommand(const CLI::App& app, const std::string& name) {
  return !app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; }).empty();
}

/// --stats and --export, of a report that was just written.
void makeUseOf(const std::filesystem::path& report, const launch::Options& options, const CLI::App& app) {
  for (const std::string& format : options.exports) {
    if (hasCommand(app, "export")) runOurselves({"lanescope", "export", "-t", format, report.string()});
  }
  if (options.stats && hasCommand(app, "stats")) {
    runOurselves({"lanescope", "stats", "-r",
                  "nvtx_sum,osrt_sum,cuda_api_sum,cuda_gpu_kern_sum,cuda_gpu_mem_time_sum,cuda_gpu_mem_size_sum",
                  report.string()});
  }
}

/// What the command line asks for that this version cannot do with a report.
std::vector<std::string> missingCommands(const launch::Options& options, const CLI::App& app) {
  std::vector<std::string> warnings;
  if (options.stats && !hasCommand(app, "stats")) {
    warnings.push_back("--stats: there are no statistics yet; the report is written all the same");
  }
  for (const std::string& format : options.exports) {
    if (hasCommand(app, "export")) break;
    warnings.push_back(format == "sqlite" ? "--export=sqlite: not needed, a .rep is an SQLite file itself"
                                          : fmt::format("--export={}: not written yet; the report itself is", format));
  }
  return warnings;
}

/// Whether the line that counts up stands on the terminal.
bool progressShown = false;

constexpr const char* kClearLine = "\r\033[K";

}  // namespace

void say(const std::string& line) {
  // One write: lines of several processes stay whole.
  const std::string text = fmt::format("{}lanescope: {}\n", progressShown ? kClearLine : "", line);
  progressShown = false;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

Job showProgress(std::string doing) {
  if (!isatty(STDERR_FILENO)) return Job();
  const auto shown = std::make_shared<int>(-1);
  return Job({}, [shown, doing = std::move(doing)](double fraction, std::string_view) {
    const int percent = static_cast<int>(fraction * 100);
    if (percent == *shown) return;
    *shown = percent;
    fmt::print(stderr, "{}", progressShown ? kClearLine : "");
    progressShown = percent < 100;
    if (progressShown) fmt::print(stderr, "lanescope: {}, {} %", doing, percent);
    std::fflush(stderr);
  });
}

int profile(const std::vector<std::string>& words, const CLI::App& app) {
  const auto line = launch::readCommandLine(words);
  if (!line) {
    say(line.error());
    return 2;
  }
  if (!line->answer.empty()) {
    put(line->answer);
    return 0;
  }
  for (const std::string& warning : line->warnings) say("warning: " + warning);
  for (const std::string& warning : missingCommands(line->options, app)) say("warning: " + warning);
  return launch::record(line->options,
                        {.say = say,
                         .reportReady = [&](const auto& report) { makeUseOf(report, line->options, app); },
                         .job = showProgress(),
                         .version = LANESCOPE_VERSION});
}

}  // namespace lanescope::cli
