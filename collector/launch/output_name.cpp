// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/output_name.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "model/report/new_file.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

NameFacts factsOfThisMachine() {
  char host[HOST_NAME_MAX + 1] = {};
  if (gethostname(host, sizeof host - 1) != 0) host[0] = 0;
  return {host, [](const char* name) { return std::getenv(name); }};
}

tl::expected<OutputName, std::string> OutputName::read(std::string_view pattern, const NameFacts& facts) {
  OutputName name;
  const auto refuse = [&](std::string_view what, std::string_view why) {
    return tl::unexpected(fmt::format("--output: {}: {}", what, why));
  };
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c >= 0 && c < ' ') return refuse("the name", "has a control character in it");
    if (c == '#' && i + 1 == pattern.size()) {
      name.tellsApart_ = true;
      name.pattern_ += kNumber;
      continue;
    }
    if (c != '%') {
      name.pattern_ += c;
      continue;
    }
    const char macro = i + 1 < pattern.size() ? pattern[++i] : '\0';
    name.tellsApart_ |= macro == 'p' || macro == 'n' || macro == 'q';
    switch (macro) {
      case '%':
        name.pattern_ += '%';
        break;
      case 'p':
        name.pattern_ += kProcess;
        break;
      case 'n':
        name.pattern_ += kNumber;
        break;
      case 'h':
        name.pattern_ += facts.host;
        break;
      case 'q': {
        const std::size_t close = pattern.find('}', i);
        if (i + 1 >= pattern.size() || pattern[i + 1] != '{' || close == std::string_view::npos) {
          return refuse("%q", "is written %q{VARIABLE}");
        }
        const std::string variable(pattern.substr(i + 2, close - i - 2));
        const char* value = facts.environment(variable.c_str());
        if (!value) return refuse(fmt::format("%q{{{}}}", variable), "this environment variable is not set; set it");
        for (const char* v = value; *v; ++v) name.pattern_ += (*v >= 0 && *v < ' ') || *v == '/' ? '_' : *v;
        i = close;
        break;
      }
      default:
        return refuse(macro ? fmt::format("%{}", macro) : "%", "is none of %p %h %n %q{VARIABLE} %%; write %% for %");
    }
  }
  if (!name.pattern_.ends_with(".rep")) name.pattern_ += ".rep";
  return name;
}

void OutputName::addRank(std::string_view rank) {
  constexpr std::size_t kEnding = 4;  // ".rep"
  pattern_.insert(pattern_.size() - kEnding, fmt::format(".rank{}", rank));
  tellsApart_ = true;
}

std::string OutputName::filled(std::string_view process, std::string_view number) const {
  std::string text;
  for (const char c : pattern_) {
    if (c == kProcess) text += process;
    else if (c == kNumber) text += number;
    else text += c;
  }
  return text;
}

fs::path OutputName::folder() const {
  const fs::path parent = fs::path(filled("p", "n")).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

std::string OutputName::label() const { return fs::path(filled("p", "n")).filename().string(); }

Result<void> OutputName::check(bool overwrite) const {
  const auto refuse = [](ErrorCode code, const fs::path& subject, std::string detail = {}) {
    return tl::unexpected(Error{code, subject.string(), std::move(detail)});
  };
  std::error_code error;
  if (!fs::is_directory(folder(), error)) {
    return refuse(ErrorCode::kNotFound, folder(), fs::exists(folder(), error) ? "is not a folder" : "no such folder");
  }
  if (access(folder().c_str(), W_OK | X_OK) != 0) {
    return refuse(errno == EACCES ? ErrorCode::kNoPermission : ErrorCode::kWriteFailed, folder(), std::strerror(errno));
  }
  if (label() == ".rep") return refuse(ErrorCode::kIsFolder, folder());
  if (has(kProcess) || has(kNumber)) return {};
  const fs::path path = filled("", "");
  if (const auto good = report::checkPlace(path); !good) return good;
  if (!overwrite && fs::exists(fs::symlink_status(path, error))) return refuse(ErrorCode::kExists, path);
  return {};
}

fs::path OutputName::resolve(pid_t process) const {
  const std::string pid = std::to_string(process);
  if (!has(kNumber)) return filled(pid, "");
  for (unsigned number = 1;; ++number) {
    fs::path path = filled(pid, std::to_string(number));
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) return path;
  }
}

std::string inFolder(std::string_view pattern, const fs::path& folder) {
  if (pattern.starts_with('/')) return std::string(pattern);
  std::string text;
  for (const char c : folder.string()) text += c == '%' ? "%%" : std::string(1, c);
  return text + "/" + std::string(pattern);
}

std::optional<std::string> rankAmongSeveral(const NameFacts& facts) {
  // Slurm's batch script is rank 0 of its tasks without being a task: only those of a step count.
  constexpr std::pair<const char*, const char*> kVariables[] = {{"RANK", "WORLD_SIZE"},
                                                                {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                                {"PMI_RANK", "PMI_SIZE"},
                                                                {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  for (const auto& [rankName, sizeName] : kVariables) {
    const char *rank = facts.environment(rankName), *size = facts.environment(sizeName);
    const bool isNumber =
        rank && *rank && std::strspn(rank, "0123456789") == std::strlen(rank) && std::strlen(rank) < 10;
    if (isNumber && size && std::atoi(size) > 1) return rank;
  }
  return std::nullopt;
}

fs::path freeNameNear(const fs::path& path, std::string_view tag) {
  const fs::path stem = path.parent_path() / path.stem();
  fs::path near = path;
  std::error_code ignored;
  for (unsigned number = 1; fs::exists(fs::symlink_status(near, ignored)); ++number) {
    near = fmt::format("{}.{}{}.rep", stem.string(), tag, number == 1 ? "" : fmt::format("-{}", number));
  }
  return near;
}

}  // namespace lanescope::launch
