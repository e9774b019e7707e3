// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <clocale>
#include <csignal>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/remote_file.h"
#include "app/version.h"
#include "collector/launch/option_table.h"
#include "collector/launch/sampler_process.h"
#include "model/trace/names.h"

namespace {

int usage(std::string what, const std::string& command = {}) {
  std::replace(what.begin(), what.end(), '\n', ' ');
  return lanescope::cli::badUsage(what + "; see: lanescope " + (command.empty() ? "" : command + " ") + "--help");
}

/// The word where a command belongs, if it is none of ours.
std::string unknownCommand(const CLI::App& app, int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  const auto isWord = [&](const CLI::App* command) { return command->get_name() == word; };
  return word.starts_with('-') || !app.get_subcommands(isWord).empty() ? "" : word;
}

/// The words behind the program's name, last first, as CLI11 takes them. "-f true", as nsys has it, becomes one word.
std::vector<std::string> wordsOf(int argc, char** argv) {
  std::vector<std::string> words;
  const bool hasFormats = std::string_view(argv[1]) == "stats";  // whose -f is another
  const bool hasSides = std::string_view(argv[1]) == "diff";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i], before = argv[i - 1];
    const bool isValue =
        (word == "true" || word == "false") && (before == "--force-overwrite" || (before == "-f" && !hasFormats));
    if (hasSides && word == "--") words.emplace_back(lanescope::cli::kBehindDashes);
    else if (isValue) words.back() = fmt::format("--force-overwrite={}", word);
    else words.emplace_back(word);
  }
  std::ranges::reverse(words);
  return words;
}

}  // namespace

int lanescope::cli::complain(const Error& error) {
  const Error shown = shownError(error);
  fmt::print(stderr, "lanescope: {}\n", sentence(shown));
  return exitStatus(shown);
}

int lanescope::cli::badUsage(const std::string& what) {
  constexpr int kBadUsage = 2;
  fmt::print(stderr, "lanescope: {}\n", repairUtf8(what));
  return kBadUsage;
}

int main(int argc, char** argv) {
  CLI::App app("Lanescope: what a CUDA program does on CPU and GPU, over time", "lanescope");
  app.set_version_flag("--version", "lanescope " LANESCOPE_VERSION);
  app.require_subcommand(1);
  int status = 0;
  app.add_subcommand("profile", "Record a program; see: lanescope profile --help");
  lanescope::cli::addSessions(app, status);
  lanescope::cli::addRecordings(app, status);
  lanescope::cli::addRecover(app, status);
  lanescope::cli::addStatus(app, status);
  lanescope::cli::addInfo(app, status);
  lanescope::cli::addStats(app, status);
  lanescope::cli::addExport(app, status);
  lanescope::cli::addReport(app, status);
  lanescope::cli::addAnalyze(app, status);
  lanescope::cli::addDiff(app, status);
  lanescope::cli::addManual(app, status);

  if (argc < 2) return usage("no command given");
  if (std::string_view(argv[1]) == "profile") return lanescope::cli::profile({argv + 2, argv + argc});
  if (std::string_view(argv[1]) == "launch") return lanescope::cli::launchProgram({argv + 2, argv + argc});
  if (argc > 3 && std::string_view(argv[1]) == "recordings" && std::string_view(argv[2]) == "begin") {
    return lanescope::cli::beginRecording({argv + 3, argv + argc});
  }
  // Not for users: `profile` starts it beside the program.
  if (std::string_view(argv[1]) == "sample-gpu") return lanescope::launch::sampleGpus({argv + 2, argv + argc});
  if (const std::string word = unknownCommand(app, argc, argv); !word.empty()) {
    // Refused as `profile --pid` is, with the reason and what to do.
    if (word.starts_with("attach")) return lanescope::cli::badUsage(lanescope::launch::unknownOption(word));
    return usage(word + ": unknown command");
  }
  // A limit on file sizes is an error of the write. No SIG_IGN, which programs that are started would inherit.
  std::signal(SIGXFSZ, [](int) {});
  lanescope::cli::setCommandWords({argv + 1, argv + argc});
  try {
    app.parse(wordsOf(argc, argv));
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    const auto commands = app.get_subcommands();
    return usage(error.what(), commands.empty() ? "" : commands.front()->get_name());
  }
  return std::max(status, lanescope::cli::finishOutput());
}
