// SPDX-License-Identifier: Apache-2.0
#include "model/report/origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include "model/report/clock_error.h"
#include "model/report/nccl_calls.h"
#include "model/report/run_processes.h"
#include "model/report/source.h"
#include "model/report/table_scan.h"
#include "model/utf8.h"

namespace lanescope::report {
namespace {

constexpr int kMostRows = 4096;
constexpr std::size_t kLongest = 4096;

template <class Number>
std::optional<Number> numberIn(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<int> rankIn(std::string_view text) {
  return numberIn<int>(text).value_or(-1) >= 0 ? numberIn<int>(text) : std::nullopt;
}

std::optional<int> rankBehindWord(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::string_view kWord = "rank", kDigits = "0123456789";
  for (std::size_t at = name.rfind(kWord); at != std::string::npos; at = at == 0 ? at : name.rfind(kWord, at - 1)) {
    const std::size_t first = name.find_first_not_of("_-.= ", at + kWord.size());
    if (first != std::string::npos && kDigits.find(name[first]) != std::string_view::npos)
      return rankIn(std::string_view(name).substr(first, name.find_first_not_of(kDigits, first) - first));
    if (at == 0) break;
  }
  return std::nullopt;
}

/// What processes were told by their launchers, each once.
std::set<std::string> toldRanks(const Database& database) {
  std::set<std::string> ranks;
  for (const RunProcess& process : runProcesses(database))
    if (!process.rank.empty()) ranks.insert(process.rank);
  scanTable(database, "LANESCOPE_IDS", {"rank"}, [&](const TableRow& row) {
    if (!row.isNull(0)) ranks.insert(repairUtf8(row.text(0).substr(0, kLongest)));
    return ranks.size() < 2;
  });
  if (ranks.empty())
    scanTable(database, "MPI_RANKS", {"rank"}, [&](const TableRow& row) {
      if (row.isInteger(0)) ranks.insert(std::to_string(row.integer(0)));
      return ranks.size() < 2;
    });
  if (!database.has("META_DATA_CAPTURE", "name") || !database.has("META_DATA_CAPTURE", "value")) return ranks;
  for (const std::string_view variable : kRankVariables) {  // exports of Nsight Systems that kept the environment
    if (!ranks.empty()) break;
    auto rows =
        database.prepare(fmt::format("SELECT DISTINCT substr(value, {}) FROM META_DATA_CAPTURE WHERE name GLOB "
                                     "'PROCESS_*:ENVIRONMENT_VARIABLE' AND value GLOB '{}=*' LIMIT 2",
                                     variable.size() + 2, variable));
    while (rows && rows->step()) ranks.emplace(rows->text(0).substr(0, kLongest));
  }
  return ranks;
}

}  // namespace

std::optional<int> rankInName(const std::filesystem::path& path) {
  if (const auto rank = rankBehindWord(path.stem().string())) return rank;
  std::error_code ignored;
  return rankBehindWord(std::filesystem::absolute(path, ignored).parent_path().filename().string());
}

Result<Origin> originOf(const std::filesystem::path& path) {
  const Result<Database> database = Database::open(path);
  if (!database) return tl::unexpected(database.error());
  Origin origin;
  origin.path = path;

  constexpr const char* kFacts = "META_DATA_CAPTURE";
  std::map<std::string, std::string, std::less<>> facts;  // the first of each name
  if (database->has(kFacts, "name") && database->has(kFacts, "value")) {
    auto rows = database->prepare(
        "SELECT name, value FROM META_DATA_CAPTURE WHERE name IN ('LANESCOPE:HOST', 'LANESCOPE:BOOT_ID', "
        "'LANESCOPE:START_MONOTONIC', 'DEVICE_DISPLAY_NAME')");
    while (rows && rows->step())
      facts.try_emplace(std::string(rows->text(0)), repairUtf8(rows->text(1).substr(0, kLongest)));
  }
  const std::set<std::string> ranks = toldRanks(*database);
  if (ranks.size() == 1) origin.rank = rankIn(*ranks.begin());
  const bool mayGuess = ranks.empty();
  const auto source = sourceOf(*database);
  if (mayGuess) origin.rank = rankInName(source ? source->file : path);
  if (mayGuess && !origin.rank) origin.rank = ncclRank(*database);
  origin.host = facts["LANESCOPE:HOST"].empty() ? facts["DEVICE_DISPLAY_NAME"] : facts["LANESCOPE:HOST"];
  origin.bootId = facts["LANESCOPE:BOOT_ID"];
  origin.bootClock = numberIn<trace::Ns>(facts["LANESCOPE:START_MONOTONIC"]);
  if (origin.bootClock && (*origin.bootClock < 0 || *origin.bootClock > trace::kMaxTime)) origin.bootClock.reset();

  constexpr const char* kStart = "TARGET_INFO_SESSION_START_TIME";
  if (database->has(kStart, "utcEpochNs")) {
    auto rows = database->prepare(fmt::format("SELECT utcEpochNs FROM {} LIMIT 1", kStart));
    if (rows && rows->step() && rows->isInteger(0) && rows->integer(0) >= (source ? 0 : 1) &&
        rows->integer(0) <= trace::kMaxTime)
      origin.utcStart = rows->integer(0);
  }
  if (database->has("TARGET_INFO_GPU", "uuid")) {
    auto rows = database->prepare(fmt::format("SELECT uuid FROM TARGET_INFO_GPU LIMIT {}", kMostRows));
    constexpr std::string_view kUnknown = "0-";  // what a GPU that does not tell has
    while (rows && rows->step())
      if (rows->text(0).find_first_not_of(kUnknown) != std::string_view::npos)
        origin.gpus.emplace_back(rows->text(0).substr(0, kLongest));
    std::ranges::sort(origin.gpus);
  }
  if (const auto clocks = clockError(*database)) origin.clockError = clocks->error;
  return origin;
}

}  // namespace lanescope::report
