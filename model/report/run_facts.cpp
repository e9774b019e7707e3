// SPDX-License-Identifier: Apache-2.0
#include "model/report/run_facts.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "model/format.h"
#include "model/report/clock_error.h"
#include "model/report/ncu_command.h"
#include "model/report/source.h"
#include "model/shell_words.h"
#include "model/utf8.h"

namespace lanescope::report {
namespace {

constexpr int kMostRows = 4096;
constexpr std::size_t kLongest = 4096;

using Pairs = std::map<std::string, std::string>;

std::string readable(std::string_view text) { return repairUtf8(text.substr(0, kLongest)); }

/// The first row of each name counts.
Pairs readPairs(const Database& database, std::string_view table, std::string_view condition = "1") {
  Pairs pairs;
  if (!database.has(table, "name") || !database.has(table, "value")) return pairs;
  auto rows =
      database.prepare(fmt::format("SELECT name, value FROM {} WHERE {} LIMIT {}", table, condition, kMostRows));
  while (rows && rows->step()) pairs.try_emplace(std::string(rows->text(0)), readable(rows->text(1)));
  return pairs;
}

std::string valueOf(const Pairs& pairs, const std::string& name) {
  const auto found = pairs.find(name);
  return found != pairs.end() ? found->second : "";
}

std::optional<int> numberOf(const Pairs& pairs, const std::string& name) {
  const std::string text = valueOf(pairs, name);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(number)
                                                                                   : std::nullopt;
}

std::string programOf(const Database& database) { return readable(shellLine(recordedProgram(database))); }

std::string startOf(const Database& database) {
  constexpr const char* kTable = "TARGET_INFO_SESSION_START_TIME";
  if (!database.has(kTable, "utcTime") || sourceOf(database)) return {};  // clocks of other tools began at boot or 1970
  auto rows = database.prepare(fmt::format("SELECT utcTime FROM {} LIMIT 1", kTable));
  return rows && rows->step() && !rows->isNull(0) ? readable(rows->text(0)) + " UTC" : "";
}

std::string endOf(const Pairs& facts) {
  std::string text;
  if (const auto signal = numberOf(facts, "LANESCOPE:SIGNAL")) {
    text = fmt::format("by signal {}", *signal);
  } else if (const auto code = numberOf(facts, "LANESCOPE:EXIT_CODE")) {
    text = fmt::format("with exit code {}", *code);
  }
  const std::string stop = valueOf(facts, "LANESCOPE:STOPPED_BY");
  if (stop.empty() || stop == "program") return text;
  return text.empty() ? fmt::format("the recording, by {}, before the program", stop)
                      : fmt::format("{}; the recording by {}", text, stop);
}

/// "2 × NVIDIA H100 80GB HBM3".
std::string gpusOf(const Database& database) {
  if (!database.has("TARGET_INFO_GPU", "name")) return {};
  std::map<std::string, int> models;
  auto rows = database.prepare(fmt::format("SELECT name FROM TARGET_INFO_GPU LIMIT {}", kMostRows));
  while (rows && rows->step()) ++models[readable(rows->text(0))];
  std::string text;
  for (const auto& [name, count] : models) {
    text += text.empty() ? "" : ", ";
    text += count > 1 ? fmt::format("{} × {}", count, name) : name;
    if (text.size() > kLongest) break;
  }
  return text;
}

/// 13000 is 13.0, as cuDriverGetVersion() gives it.
std::string cudaVersion(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string versionsOf(const Pairs& machine, const Pairs& facts) {
  std::string text = valueOf(machine, "NvDriverVersion");
  if (const auto cuda = numberOf(machine, "CudaDriverVersion"); cuda && *cuda > 0) {
    text += fmt::format("{}CUDA {}", text.empty() ? "" : ", ", cudaVersion(*cuda));
  }
  if (const std::string cupti = valueOf(facts, "LANESCOPE:PROCESS_0:CUPTI_VERSION"); !cupti.empty()) {
    text += fmt::format("{}CUPTI {}", text.empty() ? "" : ", ", cupti);
  }
  return text;
}

/// Which rank this was and what it was given: the variables that the recorder keeps.
std::string variablesOf(const Pairs& facts) {
  std::string text;
  for (const char* name : {"RANK", "LOCAL_RANK", "WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID",
                           "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_MAX_CONNECTIONS"}) {
    const auto value = facts.find(std::string("LANESCOPE:PROCESS_0:") + name);
    if (value != facts.end()) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value->second);
  }
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> runFacts(const Database& database) {
  const Pairs facts = readPairs(database, "META_DATA_CAPTURE",
                                "name GLOB 'LANESCOPE:PROCESS_0:*' OR name GLOB 'LANESCOPE:*' AND name NOT GLOB "
                                "'LANESCOPE:PROCESS_*' OR name = 'DEVICE_DISPLAY_NAME'");
  const Pairs machine = readPairs(database, "TARGET_INFO_SYSTEM_ENV");
  std::vector<std::pair<std::string, std::string>> lines;
  const auto add = [&](const char* label, std::string text) {
    if (!text.empty()) lines.emplace_back(label, std::move(text));
  };
  add("Program", programOf(database));
  add("Recorded", startOf(database));
  std::string host = valueOf(facts, "LANESCOPE:HOST");
  add("Host", host.empty() ? valueOf(facts, "DEVICE_DISPLAY_NAME") : std::move(host));
  add("Options", valueOf(facts, "LANESCOPE:OPTIONS"));
  add("Ended", endOf(facts));
  add("GPU models", gpusOf(database));
  add("Driver", versionsOf(machine, facts));
  if (const auto clocks = clockError(database); clocks && clocks->isOfGpu) add("Clocks", sentence(*clocks));
  if (valueOf(facts, "LANESCOPE:NVTX_CALLS") == "0") add("NVTX", "0 NVTX calls seen");
  add("Environment", variablesOf(facts));
  return lines;
}

}  // namespace lanescope::report
