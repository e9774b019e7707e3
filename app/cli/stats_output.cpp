// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stats_output.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "model/export/out_file.h"

namespace lanescope::cli {

std::filesystem::path Destination::path(const std::string& input, const std::string& report,
                                        std::string_view extension) const {
  const std::filesystem::path base =
      text_ == "." ? std::filesystem::path(input).replace_extension() : std::filesystem::path(text_);
  std::string name = report;
  std::replace(name.begin(), name.end(), ':', '_');
  std::replace(name.begin(), name.end(), '/', '-');
  return fmt::format("{}_{}.{}", base.string(), name, extension);
}

std::optional<Error> writeFile(const std::filesystem::path& path, const std::string& text, bool overwrite) {
  auto out = exporting::OutFile::create(path, overwrite ? report::IfExists::kReplace : report::IfExists::kRefuse);
  if (!out) return out.error();
  out->text() = text;
  const Result<void> written = out->finish();
  return written ? std::nullopt : std::optional(written.error());
}

std::optional<Error> pipeInto(const std::string& command, const std::string& text) {
  Error failed{ErrorCode::kWriteFailed, "the command “" + command + "”", {}};
  std::fflush(stdout);  // what was printed before comes before
  auto* const before = std::signal(SIGPIPE, SIG_IGN);  // a command may have read enough
  std::FILE* const pipe = popen(command.c_str(), "w");
  int status = -1;
  if (pipe) {
    std::setvbuf(pipe, nullptr, _IONBF, 0);  // else what nobody read would make pclose() fail
    std::fwrite(text.data(), 1, text.size(), pipe);
    status = pclose(pipe);
  }
  std::signal(SIGPIPE, before);
  if (status == 0) return std::nullopt;
  if (status == -1) failed.detail = "it could not be started";
  else if (WIFSIGNALED(status)) failed.detail = fmt::format("it was ended by signal {}", WTERMSIG(status));
  else failed.detail = fmt::format("it ended with {}", WEXITSTATUS(status));
  return failed;
}

}  // namespace lanescope::cli
