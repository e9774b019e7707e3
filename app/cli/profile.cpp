// SPDX-License-Identifier: Apache-2.0
// `lanescope profile` and what it shares with `launch` and `recover`: lines on stderr, progress on a terminal, and what is
// to be done with a new report.
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/recording_lines.h"
#include "app/version.h"
#include "collector/launch/options.h"
#include "collector/launch/recording.h"
#include "model/export/export.h"

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

/// --stats and --export, of a report that was just written.
void makeUseOf(const std::filesystem::path& report, const launch::Options& options) {
  for (const std::string& format : options.exports) {
    if (!exporting::findFormat(format)) continue;
    std::vector<std::string> words{"lanescope", "export", "-t", format, report.string()};
    if (options.overwrite) words.emplace_back("--force-overwrite");
    runOurselves(std::move(words));
  }
  if (options.stats) {
    runOurselves({"lanescope", "stats", "-r",
                  "nvtx_sum,osrt_sum,cuda_api_sum,cuda_gpu_kern_sum,cuda_gpu_mem_time_sum,cuda_gpu_mem_size_sum",
                  report.string()});
  }
}

/// Types that nsys knows and this program does not write.
std::vector<std::string> unknownExports(const launch::Options& options) {
  std::vector<std::string> warnings;
  for (const std::string& format : options.exports)
    if (!exporting::findFormat(format))
      warnings.push_back(fmt::format("--export={}: is not written; there are: {}", format, exporting::formatNames()));
  return warnings;
}

/// Whether the line that counts up stands on the terminal.
std::atomic<bool> progressShown{false};

constexpr const char* kClearLine = "\r\033[K";

}  // namespace

void say(const std::string& line) {
  // One write: lines of several processes stay whole.
  const std::string text = fmt::format("{}lanescope: {}\n", progressShown.exchange(false) ? kClearLine : "", line);
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

void warn(const launch::CommandLine& line) {
  for (const std::string& warning : line.warnings) say("warning: " + warning);
  for (const std::string& warning : unknownExports(line.options)) say("warning: " + warning);
}

launch::Audience audience(Job job) {
  return {.say = say, .reportReady = makeUseOf, .job = std::move(job), .version = LANESCOPE_VERSION};
}

void showForNow(const std::string& text) {
  fmt::print(stderr, "{}", progressShown ? kClearLine : "");
  progressShown = !text.empty();
  if (progressShown) fmt::print(stderr, "lanescope: {}", text);
  std::fflush(stderr);
}

Job showProgress(std::string doing) {
  if (!isatty(STDERR_FILENO)) return Job();
  const auto shown = std::make_shared<int>(-1);
  return Job({}, [shown, doing = std::move(doing)](double fraction, std::string_view) {
    const int percent = static_cast<int>(fraction * 100);
    if (percent == *shown) return;
    *shown = percent;
    showForNow(percent < 100 ? fmt::format("{}, {} %", doing, percent) : "");
  });
}

int profile(const std::vector<std::string>& words) {
  const auto line = launch::readCommandLine(words);
  if (!line) {
    say(line.error());
    return 2;
  }
  if (!line->answer.empty()) {
    put(line->answer);
    return 0;
  }
  warn(*line);
  return launch::record(line->options, audience(showProgress()));
}

}  // namespace lanescope::cli
