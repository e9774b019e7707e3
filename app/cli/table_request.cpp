// SPDX-License-Identifier: Apache-2.0
#include "app/cli/table_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace lanescope::cli {
namespace {

using Refused = tl::unexpected<std::string>;

const std::string& paired(const std::vector<std::string>& list, std::size_t i) {
  return list[std::min(i, list.size() - 1)];
}

/// An unset variable of a shell must not give the figures of everything.
std::string notEmpty(const std::string& text) { return text.empty() ? "it is empty" : ""; }

std::string digitsOnly(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? std::string() : "“" + text + "” is no number of iterations: 0, 1, 2, …";
}

}  // namespace

void addPartOptions(CLI::App& command, TableOptions& options, const char* aboutTime, const char* aboutNvtx) {
  addTimeUnit(command, options.timeUnit);
  for (const auto& [name, text, about] :
       {std::tuple("--filter-time", &options.filterTime, aboutTime), {"--filter-nvtx", &options.filterNvtx, aboutNvtx}})
    command.add_option(name, *text, about)->check(CLI::Validator(notEmpty, ""));
  command.add_option("--iteration", options.iteration,
                     "The NVTX range whose instances are iterations; the outermost that repeats if not given");
  command.add_option("--skip-warmup", options.skipWarmup, "Leave out so many iterations at the beginning")
      ->check(digitsOnly);
}

void addTimeUnit(CLI::App& command, std::string& unit) {
  command.add_option("--timeunit", unit, "nsec, usec, msec, sec")->capture_default_str();
}

tl::expected<analysis::TimeUnit, std::string> timeUnitOf(const std::string& typed) {
  if (const auto unit = analysis::findTimeUnit(typed)) return *unit;
  return Refused("--timeunit " + typed + ": no such unit of time; there are: nsec, usec, msec, sec");
}

void addList(CLI::App& command, const char* names, std::vector<std::string>& words, const char* about) {
  command.add_option(names, words, about)->delimiter(',')->allow_extra_args(false);
}

tl::expected<TableRequest, std::string> tableRequestOf(const TableOptions& options) {
  TableRequest request;
  const auto unit = timeUnitOf(options.timeUnit);
  if (!unit) return Refused(unit.error());
  request.unit = *unit;
  if (!options.filterTime.empty()) {
    auto time = analysis::parseTimeFilter(options.filterTime);
    if (!time) return Refused(sentence(time.error()));
    request.scope.time = std::move(*time);
  }
  if (!options.filterNvtx.empty()) {
    auto nvtx = analysis::parseNvtxFilter(options.filterNvtx);
    if (!nvtx) return Refused(sentence(nvtx.error()));
    request.scope.nvtx = std::move(*nvtx);
    request.suffix = "_nvtx=" + options.filterNvtx;
  }
  request.scope.skip = options.skipWarmup;
  request.scope.iteration = options.iteration;
  return request;
}

tl::expected<void, std::string> checkLists(const TableOptions& options, std::size_t tables, const char* what) {
  for (const auto& [list, option] : {std::pair(&options.outputs, "-o"), {&options.formats, "-f"}})
    if (list->size() > tables)
      return Refused(fmt::format("{} {}: more of them than {} ({})", option, list->back(), what, tables));
  return {};
}

void addPerRank(CLI::App& command, TableOptions& options, const char* about) {
  command.add_flag("--per-rank", options.perRank, about);
}

bool isOneTable(const TableOptions& options) {
  const bool isBeside = std::ranges::find(options.outputs, ".") != options.outputs.end();
  return options.perRank || (options.files.size() > 1 && !isBeside);
}

tl::expected<Destination, std::string> destinationOf(const TableOptions& options, std::size_t i, bool oneTable) {
  const Destination to(options.outputs.empty() ? "-" : paired(options.outputs, i));
  if (to.isNowhere()) return Refused(fmt::format("-o \"{}\": name a file, or a command behind the @", to.text()));
  if (oneTable && to.text() == ".")
    return Refused("-o .: with --per-rank one table is of all files; write -o and a name for it");
  if (to.isOneFile() && !oneTable && options.files.size() > 1)
    return Refused("-o " + to.text() + ": one name for several files; write -o . to name each after its file");
  return to;
}

const std::string* formatOf(const TableOptions& options, std::size_t i) {
  return options.formats.empty() ? nullptr : &paired(options.formats, i);
}

tl::expected<std::optional<analysis::TableStyle>, std::string> styleOf(const std::string* format,
                                                                       const Destination& to) {
  if (format == nullptr) {
    if (to.isConsole()) return std::nullopt;
    return analysis::TableStyle(analysis::TableFormat::kCsv);
  }
  auto style = analysis::findTableStyle(*format);
  if (!style) return Refused(analysis::whyNoStyle(*format));
  return style;
}

}  // namespace lanescope::cli
