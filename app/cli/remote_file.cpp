// SPDX-License-Identifier: Apache-2.0
#include "app/cli/remote_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <list>
#include <map>
#include <set>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/recording_lines.h"
#include "app/version.h"
#include "model/import/kept_reports.h"
#include "model/remote/fetch.h"
#include "model/utf8.h"

namespace lanescope::cli {
namespace {

using remote::Sftp;
using remote::SshTarget;

/// Of a command that runThere() of another machine runs here: this machine's address, as the user has it.
constexpr const char* kCalled = "LANESCOPE_CALLED";

std::vector<std::string> commandWords;
std::map<std::string, remote::Fetched> copies;  // by their path here
std::map<std::string, std::string> askedFromAfar;  // addresses of files of this machine, by their path
std::list<Sftp> connections;
bool timesAreNanoseconds = false;

/// A report that was made of another tool's file, by its path.
struct Import {
  std::string file;
  imported::ReportOf report;
};
std::map<std::string, Import> imports;

remote::Ssh ssh() {
  remote::Ssh how = remote::Ssh::fromEnvironment();
  if (isatty(STDERR_FILENO)) how.onNotice = [](std::string_view line) { say(repairUtf8(std::string(line))); };
  return how;
}

bool isOfHost(const SshTarget& target, const SshTarget& host) { return target.at("") == host.at(""); }

/// One for each host, as long as it holds.
Result<Sftp*> connected(const SshTarget& target) {
  const auto known = std::ranges::find_if(connections, [&](const Sftp& each) { return isOfHost(target, each.host()); });
  if (known != connections.end()) return &*known;
  auto sftp = Sftp::connect(ssh(), target.at(""), Job());
  if (!sftp) {
    sftp.error().subject = target.address();
    return tl::unexpected(sftp.error());
  }
  return &connections.emplace_back(std::move(*sftp));
}

void disconnect(const Sftp* sftp) {
  connections.remove_if([&](const Sftp& each) { return &each == sftp; });
}

/// What fails on a connection is of the file, and the next file gets a new one.
template <class T>
Result<T> ofFile(Result<T> result, const SshTarget& target, const Sftp* sftp) {
  if (result) return result;
  if (result.error().subject == target.at("").address()) result.error().subject = target.address();
  if (result.error().code == ErrorCode::kConnectionLost) disconnect(sftp);
  return result;
}

std::function<void(const remote::Transfer&)> progressOf(const std::string& name) {
  if (!isatty(STDERR_FILENO)) return {};
  return [name, pace = remote::Pace(), shown = std::int64_t{}](const remote::Transfer& transfer) mutable {
    constexpr std::int64_t kBetween = 100'000'000;
    const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
    if (now - shown < kBetween && transfer.done < transfer.whole) return;
    shown = now;
    const std::string text = pace.text(transfer, now);
    showForNow(transfer.done < transfer.whole ? repairUtf8("fetching " + name + ", " + text) : "");
  };
}

Result<std::string> fetched(const SshTarget& target) {
  const Result<Sftp*> sftp = connected(target);
  if (!sftp) return tl::unexpected(sftp.error());
  const auto identity = ofFile(remote::identify(**sftp, target.path), target, *sftp);
  if (!identity) return tl::unexpected(identity.error());
  auto come = ofFile(remote::fetch(**sftp, *identity, remote::RemoteCache(), progressOf(target.fileName()), Job()),
                     target, *sftp);
  showForNow("");
  if (!come) return tl::unexpected(come.error());
  if (!come->remark.empty()) say(repairUtf8(come->address + ": " + come->remark));
  const std::string path = come->copy.file;
  copies.emplace(path, std::move(*come));
  return path;
}

/// The report to work on for a file that lies here.
Result<std::string> reportOf(const std::string& file) {
  const Job job = isatty(STDERR_FILENO) ? showProgress("importing") : Job();
  auto report =
      imported::KeptReports(LANESCOPE_VERSION).reportOf(file, {.timesAreNanoseconds = timesAreNanoseconds}, job);
  showForNow("");
  if (!report) return tl::unexpected(report.error());
  const std::string path = report->path;
  if (report->isImported) imports.emplace(path, Import{file, std::move(*report)});
  return path;
}

/// Servers' commands read no JSON, and most of what is packed is.
bool mayBeJson(const SshTarget& target) {
  static const std::set<std::string> kEndings = {".json", ".gz", ".zst", ".xz", ".bz2", ".lz4", ".zip", ".tar", ".tgz"};
  return kEndings.contains(std::filesystem::path(target.path).extension().string());
}

/// The path as a word of a command there, which begins in the home.
std::string wordOf(const SshTarget& target) { return target.path.starts_with('-') ? "./" + target.path : target.path; }

void rememberWhoAsks(const std::string& file) {
  const char* called = std::getenv(kCalled);
  const auto host = remote::parseSshHost(called != nullptr ? called : "");
  if (!host) return;
  const bool isMarked = file.starts_with("./-");  // by wordOf()
  askedFromAfar.emplace(file, host->at(isMarked ? file.substr(2) : file).address());
}

/// All of them, if they lie on one server.
std::optional<std::vector<SshTarget>> onOneServer(const std::vector<std::string>& files) {
  std::vector<SshTarget> targets;
  for (const std::string& file : files) {
    const auto target = remote::parseSshTarget(file);
    if (!target || (!targets.empty() && !isOfHost(*target, targets.front()))) return std::nullopt;
    targets.push_back(*target);
  }
  return targets.empty() ? std::nullopt : std::optional(targets);
}

}  // namespace

void setCommandWords(std::vector<std::string> words) { commandWords = std::move(words); }

Result<std::string> localFile(const std::string& file) {
  if (!remote::isSshAddress(file)) {
    rememberWhoAsks(file);
    return reportOf(file);
  }
  const auto target = remote::parseSshTarget(file);
  if (!target) return tl::unexpected(target.error());
  const Result<std::string> copy = fetched(*target);
  return copy ? reportOf(*copy) : copy;
}

int withLocal(const std::string& file, const std::function<int(const std::string& local)>& work) {
  const Result<std::string> local = localFile(file);
  return local ? work(*local) : complain(local.error());
}

int localFiles(const std::vector<std::string>& files, std::vector<std::string>& paths) {
  int status = 0;
  for (const std::string& file : files)
    status = std::max(status, withLocal(file, [&](const std::string& local) {
                        paths.push_back(local);
                        return 0;
                      }));
  return status;
}

void addFileOptions(CLI::App& command, bool& strict) {
  command.add_flag("--strict", strict, "A damaged event is an error");
  command
      .add_option_function<std::string>(
          "--time-unit", [](const std::string& unit) { timesAreNanoseconds = unit == "ns"; },
          "us or ns: what times in JSON are in; us if not given, as the format has it")
      ->check(CLI::IsMember({"us", "ns"}));
}

std::string shownName(const std::string& local) {
  if (const auto import = imports.find(local); import != imports.end()) return shownName(import->second.file);
  if (const auto copy = copies.find(local); copy != copies.end()) return copy->second.address;
  const auto asked = askedFromAfar.find(local);
  return asked == askedFromAfar.end() ? local : asked->second;
}

Error shownError(Error error) {
  if (const auto import = imports.find(error.subject); import != imports.end()) error.subject = import->second.file;
  if (askedFromAfar.contains(error.subject)) {
    if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kGoneThere;
    if (error.code == ErrorCode::kNoPermission || error.code == ErrorCode::kUnreadable)
      error.code = ErrorCode::kUnreadableThere;
  }
  error.subject = shownName(error.subject);
  return error;
}

std::string namesake(const std::string& local) {
  if (const auto import = imports.find(local); import != imports.end()) return namesake(import->second.file);
  return copies.contains(local) ? std::filesystem::path(local).filename().string() : local;
}

std::optional<int> runThere(const std::vector<std::string>& files, bool writesFiles) {
  const auto targets = onOneServer(files);
  if (!targets || writesFiles || std::ranges::any_of(*targets, mayBeJson)) return std::nullopt;
  const Result<Sftp*> sftp = connected(targets->front());
  if (!sftp) return complain(sftp.error());
  bool allHere = true;
  for (const SshTarget& target : *targets) {
    const auto identity = ofFile(remote::identify(**sftp, target.path), target, *sftp);
    if (!identity) return std::nullopt;  // each file on its own says so
    allHere = allHere && remote::RemoteCache().find(*identity);
  }
  if (allHere) return std::nullopt;

  constexpr int kNotThere = 120;
  std::vector<std::string> words = {"sh", "-c",
                                    "PATH=\"$PATH:$HOME/.local/bin:/usr/local/bin\"; "
                                    "test \"$(lanescope --version 2>/dev/null)\" = 'lanescope " LANESCOPE_VERSION
                                    "' || exit 120; "
                                    "LANESCOPE_CALLED=\"$1\"; export LANESCOPE_CALLED; shift; "
                                    "exec lanescope \"$@\"",
                                    "sh", targets->front().at("").address()};
  for (const std::string& word : commandWords) {
    const auto target = remote::parseSshTarget(word);
    words.push_back(target ? wordOf(*target) : word);
  }
  const auto status = remote::run(ssh(), targets->front(), words,
                                  {.onOutput = [](std::string_view bytes) { put(bytes); },
                                   .onErrors = [](std::string_view bytes) { fmt::print(stderr, "{}", bytes); }},
                                  Job());
  if (!status && status.error().code == ErrorCode::kServerRefused) return std::nullopt;  // it lets no command run
  if (!status) return complain(status.error());
  return *status == kNotThere ? std::nullopt : std::optional(*status);
}

}  // namespace lanescope::cli
