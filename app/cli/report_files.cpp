// SPDX-License-Identifier: Apache-2.0
#include "app/cli/report_files.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include "app/cli/remote_file.h"
#include "model/import/import.h"
#include "model/utf8.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// A text whose order by bytes is that of people: before each number stands how many digits it has.
std::string naturally(std::string_view text) {
  std::string key;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && isDigit(text[end])) ++end;
    if (end == i) {
      key += text[i++];
      continue;
    }
    while (i + 1 < end && text[i] == '0') ++i;
    key += static_cast<char>('0' + std::min<std::size_t>(end - i, 9));
    key += text.substr(i, end - i);
    i = end;
  }
  return key;
}

Result<std::vector<std::string>> reportsIn(const std::string& folder) {
  std::set<fs::path> there;
  std::error_code error;
  for (fs::directory_iterator each(folder, error); !error && each != fs::directory_iterator(); each.increment(error))
    if (std::error_code ignored; !each->is_directory(ignored)) there.insert(each->path());
  if (error) return tl::unexpected(Error{ErrorCode::kUnreadable, folder, error.message()});
  std::vector<std::string> reports;
  for (const fs::path& path : there) {
    const bool isExport = path.extension() != ".rep" && there.contains(fs::path(path).replace_extension(".rep"));
    if (imported::hasKnownEnding(path) && !isExport) reports.push_back(path.string());
  }
  if (reports.empty())
    return tl::unexpected(Error{ErrorCode::kNotFound, folder, "no report and no trace in this folder"});
  std::ranges::stable_sort(reports, {}, naturally);
  return reports;
}

/// The number behind the last "rank" of a path that has one.
std::string rankIn(std::string_view path) {
  constexpr std::string_view kRank = "rank";
  for (std::size_t at = path.rfind(kRank); at != std::string_view::npos; at = path.rfind(kRank, at - 1)) {
    std::size_t begin = at + kRank.size();
    if (begin < path.size() && std::string_view("._-=").find(path[begin]) != std::string_view::npos) ++begin;
    std::size_t end = begin;
    while (end < path.size() && isDigit(path[end])) ++end;
    if (end > begin) return std::string(path.substr(begin, end - begin));
    if (at == 0) break;
  }
  return {};
}

bool areDistinct(const std::vector<std::string>& texts) {
  return std::set<std::string_view>(texts.begin(), texts.end()).size() == texts.size();
}

}  // namespace

Result<std::vector<std::string>> reportFiles(const std::vector<std::string>& typed) {
  std::vector<std::string> files;
  for (const std::string& each : typed) {
    std::error_code ignored;
    if (!fs::is_directory(each, ignored)) {
      files.push_back(each);
      continue;
    }
    const auto reports = reportsIn(each);
    if (!reports) return tl::unexpected(reports.error());
    files.insert(files.end(), reports->begin(), reports->end());
  }
  return files;
}

Result<OpenReport> openReport(const std::string& path, const report::LoadOptions& load,
                              const analysis::ScopeRequest& scope) {
  Result<trace::TracePtr> trace = report::load(path, load, {}, Job());
  if (!trace) return tl::unexpected(trace.error());
  Result<report::RowValues> values = report::RowValues::open(path);
  if (!values) return tl::unexpected(values.error());
  const Result<analysis::Scope> resolved = resolve(scope, **trace, *values, path);
  if (!resolved) return tl::unexpected(resolved.error());
  return OpenReport{std::move(*trace), std::move(*values), *resolved};
}

std::string rankOf(const trace::Trace& trace, std::string_view path) {
  std::set<std::string_view> recorded;
  for (const trace::Process& process : trace.processes)
    if (!process.rank.empty()) recorded.insert(process.rank);
  if (recorded.size() > 1) return {};
  return recorded.empty() ? rankIn(path) : std::string(*recorded.begin());
}

FileLabels labelsOf(const std::vector<std::string>& paths, const std::vector<std::string>& ranks) {
  FileLabels result{"Rank", ranks, std::vector<std::size_t>(paths.size())};
  std::iota(result.order.begin(), result.order.end(), std::size_t{0});
  if (std::ranges::none_of(ranks, &std::string::empty) && areDistinct(ranks)) {
    std::ranges::stable_sort(result.order, {}, [&](std::size_t i) { return naturally(ranks[i]); });
    return result;
  }
  result.title = "File";
  std::vector<std::string> names;
  names.reserve(paths.size());
  for (const std::string& path : paths) names.push_back(repairUtf8(fs::path(shownName(path)).filename().string()));
  if (!areDistinct(names))
    std::ranges::transform(paths, names.begin(), [](const std::string& path) { return repairUtf8(shownName(path)); });
  result.labels = std::move(names);
  return result;
}

}  // namespace lanescope::cli
