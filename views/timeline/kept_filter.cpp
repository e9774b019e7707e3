// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/kept_filter.h"

#include <QJsonObject>
#include <algorithm>
#include <array>
#include <limits>

#include "views/text.h"

namespace lanescope::views {
namespace {

using analysis::Condition;
using trace::kNone;
using trace::RowKind;

constexpr qsizetype kMostConditions = 1000;

/// By the index of Condition::what.
constexpr std::array<const char*, std::variant_size_v<decltype(Condition::what)>> kWords = {
    "words", "name", "row", "stream", "thread", "process", "device", "time"};

qint64 number(const QJsonObject& object, const char* key) { return object[key].toInteger(); }
std::string text(const QJsonObject& object, const char* key) { return object[key].toString().toStdString(); }

struct Write {
  QJsonObject operator()(const Condition::Words& words) const {
    return {{"text", toQt(words.text)}, {"regex", words.regex}};
  }
  QJsonObject operator()(const Condition::Name& name) const { return {{"text", toQt(name.text)}}; }
  QJsonObject operator()(const Condition::Row& row) const { return {{"key", toQt(row.key)}}; }
  QJsonObject operator()(const Condition::Stream& stream) const {
    return {{"globalPid", qint64{stream.globalPid}},
            {"device", qint64{stream.device}},
            {"context", qint64{stream.context}},
            {"stream", qint64{stream.stream}}};
  }
  QJsonObject operator()(const Condition::Thread& thread) const { return {{"globalTid", qint64{thread.globalTid}}}; }
  QJsonObject operator()(const Condition::Process& process) const { return {{"globalPid", qint64{process.globalPid}}}; }
  QJsonObject operator()(const Condition::Device& device) const {
    return {{"bus", toQt(device.bus)}, {"device", qint64{device.device}}};
  }
  QJsonObject operator()(const Condition::Time& time) const {
    return {{"begin", qint64{time.range.begin}}, {"end", qint64{time.range.end}}};
  }
};

std::optional<Condition> readCondition(const QJsonObject& kept) {
  const QString is = kept["is"].toString();
  const bool hide = kept["hide"].toBool();
  Condition condition{.what = Condition::Name{}, .hide = hide, .label = text(kept, "label")};
  if (is == "words") {
    auto words = Condition::words(text(kept, "text"), kept["regex"].toBool(), hide);
    return words ? std::optional(*std::move(words)) : std::nullopt;
  }
  if (is == "name") {
    condition.what = Condition::Name{text(kept, "text")};
  } else if (is == "row") {
    condition.what = Condition::Row{text(kept, "key")};
  } else if (is == "stream") {
    condition.what = Condition::Stream{number(kept, "globalPid"), number(kept, "device"), number(kept, "context"),
                                       number(kept, "stream")};
  } else if (is == "thread") {
    condition.what = Condition::Thread{number(kept, "globalTid")};
  } else if (is == "process") {
    condition.what = Condition::Process{number(kept, "globalPid")};
  } else if (is == "device") {
    condition.what = Condition::Device{text(kept, "bus"), number(kept, "device")};
  } else if (is == "time") {
    constexpr qint64 kNoInteger = std::numeric_limits<qint64>::min();
    const trace::TimeRange range{kept["begin"].toInteger(kNoInteger), kept["end"].toInteger(kNoInteger)};
    if (range.begin < trace::kMinTime || range.end > trace::kMaxTime || range.begin > range.end) return std::nullopt;
    return Condition::time(range, hide);
  } else {
    return std::nullopt;
  }
  return condition;
}

/// The row that is what the condition names; kNone for one that is of no row, or of none of these.
std::uint32_t rowOf(const Condition& condition, const trace::Trace& trace) {
  if (const auto* row = std::get_if<Condition::Row>(&condition.what)) {
    const auto found = std::ranges::find(trace.rows, row->key, &trace::Row::key);
    return found == trace.rows.end() ? kNone : static_cast<std::uint32_t>(found - trace.rows.begin());
  }
  const auto isRowOf = [&](RowKind kind) {
    return (kind == RowKind::kStream && std::holds_alternative<Condition::Stream>(condition.what)) ||
           (kind == RowKind::kThread && std::holds_alternative<Condition::Thread>(condition.what)) ||
           (kind == RowKind::kProcess && std::holds_alternative<Condition::Process>(condition.what)) ||
           (kind == RowKind::kGpu && std::holds_alternative<Condition::Device>(condition.what));
  };
  for (std::uint32_t row = 0; row < trace.rows.size(); ++row) {
    if (!isRowOf(trace.rows[row].kind)) continue;
    const auto all = analysis::conditionsOf(trace, row);
    if (std::ranges::find(all, condition.what, &Condition::what) != all.end()) return row;
  }
  return kNone;
}

/// What kind of thing a condition names does not depend on the report.
bool holdsEverywhere(const Condition& condition) {
  return std::holds_alternative<Condition::Words>(condition.what) ||
         std::holds_alternative<Condition::Name>(condition.what);
}

}  // namespace

QJsonArray writeFilter(const analysis::Filter& filter, const trace::Trace& trace,
                       const std::vector<std::string>& roles) {
  QJsonArray list;
  for (const Condition& condition : filter) {
    QJsonObject kept = std::visit(Write(), condition.what);
    kept["is"] = kWords[condition.what.index()];
    kept["hide"] = condition.hide;
    kept["label"] = toQt(condition.label);
    if (const std::uint32_t row = rowOf(condition, trace); row != kNone) kept["role"] = toQt(roles[row]);
    list.append(kept);
  }
  return list;
}

analysis::Filter readFilter(const QJsonArray& conditions) {
  analysis::Filter filter;
  for (qsizetype i = 0; i < std::min(conditions.size(), kMostConditions); ++i)
    if (auto condition = readCondition(conditions[i].toObject())) filter.push_back(*std::move(condition));
  return filter;
}

analysis::Filter filterByRoles(const QJsonArray& conditions, const trace::Trace& trace,
                               const std::vector<std::string>& roles, QStringList& missing) {
  analysis::Filter filter;
  for (qsizetype i = 0; i < std::min(conditions.size(), kMostConditions); ++i) {
    const QJsonObject kept = conditions[i].toObject();
    const auto condition = readCondition(kept);
    if (!condition || std::holds_alternative<Condition::Time>(condition->what)) continue;
    if (holdsEverywhere(*condition)) {
      filter.push_back(*condition);
      continue;
    }
    const auto row = std::ranges::find(roles, text(kept, "role"));
    std::vector<Condition> here;
    if (row != roles.end()) here = analysis::conditionsOf(trace, static_cast<std::uint32_t>(row - roles.begin()));
    const auto same =
        std::ranges::find(here, condition->what.index(), [](const Condition& c) { return c.what.index(); });
    if (same == here.end()) {
      missing += toQt(condition->label);
      continue;
    }
    same->hide = condition->hide;
    filter.push_back(*same);
  }
  return filter;
}

}  // namespace lanescope::views
