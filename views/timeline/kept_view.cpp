// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/kept_view.h"

#include <QJsonArray>
#include <algorithm>
#include <array>
#include <cmath>

#include "views/text.h"
#include "views/timeline/filtering.h"
#include "views/timeline/kept_filter.h"
#include "views/timeline/marks.h"

namespace lanescope::views {
namespace {

using trace::kNone;
using trace::Ns;
using trace::TimeRange;

constexpr qsizetype kMostRows = 100'000;  // that a list of rows may name
constexpr std::size_t kNameBytes = 400;   // of an event's name, to know it again

QString text(const std::string& key) { return toQt(key); }

template <class Keys>
QJsonArray listOf(const Keys& keys) {
  QJsonArray list;
  for (const std::string& key : keys) list.append(text(key));
  return list;
}

std::vector<std::string> keysIn(const QJsonValue& value) {
  std::vector<std::string> keys;
  const QJsonArray list = value.toArray();
  for (qsizetype i = 0; i < std::min(list.size(), kMostRows); ++i)
    if (list[i].isString()) keys.push_back(list[i].toString().toStdString());
  return keys;
}

QJsonArray rangeOf(TimeRange range) { return {qint64{range.begin}, qint64{range.end}}; }

std::optional<TimeRange> rangeIn(const QJsonValue& value) {
  const QJsonArray pair = value.toArray();
  if (pair.size() != 2) return std::nullopt;
  constexpr qint64 kNoInteger = std::numeric_limits<qint64>::min();
  const TimeRange range{pair[0].toInteger(kNoInteger), pair[1].toInteger(kNoInteger)};
  if (range.begin < trace::kMinTime || range.end > trace::kMaxTime || range.begin > range.end) return std::nullopt;
  return range;
}

// --- rows ------------------------------------------------------------------------------------------------------------

QJsonObject writeRows(const ViewState& view, const QJsonObject& before) {
  const trace::Trace& trace = *view.trace();
  const RowArrangement& arrangement = view.arrangement();
  std::set<std::string> named(arrangement.pinned.begin(), arrangement.pinned.end());
  named.insert(arrangement.hidden.begin(), arrangement.hidden.end());
  QJsonObject order, open, heights, roles;
  for (const auto& [key, keys] : arrangement.order) {
    order[text(key)] = listOf(keys);
    named.insert(key);
    named.insert(keys.begin(), keys.end());
  }
  for (const auto& [key, isOpen] : view.expandedByKey()) {
    const std::uint32_t row = view.rowWithKey(key);
    if (row != kNone && trace.rows[row].expanded == isOpen) continue;
    open[text(key)] = isOpen;
    named.insert(key);
  }
  for (const auto& [key, scale] : view.scalesByKey()) {
    if (scale == 1) continue;
    heights[text(key)] = scale;
    named.insert(key);
  }
  const QJsonObject rolesBefore = before["roles"].toObject();
  const std::vector<std::string> known = rolesOf(trace);
  for (const std::string& key : named) {
    const std::uint32_t row = view.rowWithKey(key);
    if (row != kNone) roles[text(key)] = text(known[row]);
    else if (const QJsonValue role = rolesBefore[text(key)]; role.isString()) roles[text(key)] = role;
  }
  return {{"pinned", listOf(arrangement.pinned)},
          {"hidden", listOf(arrangement.hidden)},
          {"order", order},
          {"open", open},
          {"heights", heights},
          {"allHeights", view.allRowsScale()},
          {"roles", roles}};
}

void readRows(ViewState& view, const QJsonObject& section) {
  RowArrangement arrangement;
  for (const std::string& key : keysIn(section["pinned"]))
    if (arrangement.pinned.size() < RowArrangement::kMostPinned &&
        std::find(arrangement.pinned.begin(), arrangement.pinned.end(), key) == arrangement.pinned.end())
      arrangement.pinned.push_back(key);
  const auto hidden = keysIn(section["hidden"]);
  arrangement.hidden = {hidden.begin(), hidden.end()};
  const QJsonObject order = section["order"].toObject(), open = section["open"].toObject(),
                    heights = section["heights"].toObject();
  for (auto it = order.begin(); it != order.end(); ++it) arrangement.order[it.key().toStdString()] = keysIn(it.value());
  std::unordered_map<std::string, bool> expanded;
  for (auto it = open.begin(); it != open.end(); ++it)
    if (it->isBool()) expanded[it.key().toStdString()] = it->toBool();
  std::unordered_map<std::string, double> scales;
  for (auto it = heights.begin(); it != heights.end(); ++it)
    if (it->isDouble() && it->toDouble() > 0) scales[it.key().toStdString()] = it->toDouble();
  view.setByKey(std::move(expanded), std::move(scales));
  view.setAllRowsScale(section["allHeights"].toDouble(1));
  view.setArrangement(std::move(arrangement));
}

// --- marks -----------------------------------------------------------------------------------------------------------

QJsonObject writeMarks(const ViewState& view, const QJsonObject&) {
  QJsonArray list;
  for (const Mark& mark : view.marks().all())
    list.append(QJsonObject{{"time", rangeOf(mark.time)}, {"name", mark.name}, {"note", mark.note}});
  return {{"list", list}};
}

void readMarks(ViewState& view, const QJsonObject& section) {
  std::vector<Mark> marks;
  const QJsonArray list = section["list"].toArray();
  for (qsizetype i = 0; i < std::min<qsizetype>(list.size(), Marks::kMost); ++i) {
    const QJsonObject mark = list[i].toObject();
    if (const auto time = rangeIn(mark["time"]))
      marks.push_back({*time, mark["name"].toString(), mark["note"].toString()});
  }
  view.marks().set(std::move(marks));
}

// --- filter and colours ----------------------------------------------------------------------------------------------

QJsonObject writeFilterOf(const ViewState& view, const QJsonObject& before) {
  const Filtering* filtering = Filtering::find(view);
  const analysis::Filter filter = filtering ? filtering->filter() : analysis::Filter();
  const QJsonArray known = before["conditions"].toArray();
  // As long as it is the same, so are the roles, which a trace that still loads does not know.
  return {
      {"conditions", filter == readFilter(known) ? known : writeFilter(filter, *view.trace(), rolesOf(*view.trace()))},
      {"countAll", view.countsAll()},
      {"dim", view.dimsRest()}};
}

void readFilterInto(ViewState& view, const QJsonObject& section) {
  Filtering::of(view).setFilter(readFilter(section["conditions"].toArray()));
  view.setCountsAll(section["countAll"].toBool());
  view.setDimsRest(section["dim"].toBool());
}

QJsonObject writeColours(const ViewState& view, const QJsonObject&) {
  if (!view.colourBy()) return {};
  return {{"by", toQt(Colouring::word(*view.colourBy()))}};
}

void readColours(ViewState& view, const QJsonObject& section) {
  view.setColourBy(Colouring::byWord(section["by"].toString().toStdString()));
}

// --- time ------------------------------------------------------------------------------------------------------------

QString nameOf(const trace::Trace& trace, trace::EventRef event) {
  return toQt((*trace.names)[trace.name(event)].text, kNameBytes);
}

QJsonObject writeTime(const ViewState& view, const QJsonObject&) {
  const trace::Trace& trace = *view.trace();
  QJsonObject section{{"visible", rangeOf(view.visible())}};
  if (view.selection()) section["selection"] = rangeOf(*view.selection());
  if (view.currentRow() != kNone) section["row"] = text(trace.rows[view.currentRow()].key);
  std::vector<std::string> selected;
  for (const std::uint32_t row : view.selectedRows()) selected.push_back(trace.rows[row].key);
  if (!selected.empty()) section["selectedRows"] = listOf(selected);
  if (const auto event = view.current())
    section["event"] = QJsonObject{
        {"lane", qint64{event->lane}}, {"time", rangeOf(trace.time(*event))}, {"name", nameOf(trace, *event)}};
  return section;
}

/// Of several alike the first.
std::optional<trace::EventRef> eventIn(const trace::Trace& trace, const QJsonObject& event) {
  const auto time = rangeIn(event["time"]);
  const qint64 id = event["lane"].toInteger(-1);
  if (!time || id < 0 || id >= static_cast<qint64>(trace.lanes.size())) return std::nullopt;
  const auto lane = static_cast<trace::LaneId>(id);
  for (std::size_t i = trace.lanes[lane]->lowerBound(time->begin); i < trace.lanes[lane]->size(); ++i) {
    const trace::EventRef found{lane, static_cast<std::uint32_t>(i)};
    if (trace.time(found).begin != time->begin) break;
    if (trace.time(found) == *time && nameOf(trace, found) == event["name"].toString()) return found;
  }
  return std::nullopt;
}

void readTime(ViewState& view, const QJsonObject& section) {
  if (const auto visible = rangeIn(section["visible"]); visible && !visible->empty()) view.setVisible(*visible);
  if (const auto selection = rangeIn(section["selection"])) view.setSelection(*selection);
  view.setCurrentRow(view.rowWithKey(section["row"].toString().toStdString()));
  std::vector<std::uint32_t> selected;
  for (const std::string& key : keysIn(section["selectedRows"])) selected.push_back(view.rowWithKey(key));
  view.setSelectedRows(std::move(selected));
  if (const auto event = eventIn(*view.trace(), section["event"].toObject())) view.setCurrent(event);
}

// --- the table -------------------------------------------------------------------------------------------------------

struct Section {
  const char* name;
  int version;
  bool needsTrace;  // is restored when all of the trace is there
  QJsonObject (*write)(const ViewState&, const QJsonObject& before);
  void (*read)(ViewState&, const QJsonObject&);
};
constexpr std::array kSections{
    Section{"rows", 1, false, writeRows, readRows},
    Section{"marks", 1, false, writeMarks, readMarks},
    Section{"filter", 1, false, writeFilterOf, readFilterInto},
    Section{"colours", 1, false, writeColours, readColours},
    Section{"time", 1, true, writeTime, readTime},
};

void restore(ViewState& view, const QJsonObject& kept, bool withTrace) {
  for (const Section& section : kSections) {
    const QJsonObject value = kept[section.name].toObject();
    if (section.needsTrace == withTrace && value["version"].toInt() == section.version) section.read(view, value);
  }
}

}  // namespace

QJsonObject keptView(const ViewState& view, const QJsonObject& before) {
  QJsonObject kept = before;
  kept["lanescopeView"] = kKeptViewVersion;
  for (const Section& section : kSections) {
    QJsonObject value = section.write(view, before[section.name].toObject());
    value["version"] = section.version;
    kept[section.name] = value;
  }
  return kept;
}

QString mistakeIn(const QJsonObject& kept) {
  const int version = kept["lanescopeView"].toInt();
  if (version < 1) return QStringLiteral("it is no view that Lanescope kept");
  if (version > kKeptViewVersion) return QStringLiteral("a newer Lanescope wrote it");
  return {};
}

void restoreRows(ViewState& view, const QJsonObject& kept) { restore(view, kept, false); }

void restoreTime(ViewState& view, const QJsonObject& kept) { restore(view, kept, true); }

QStringList applyToOther(ViewState& view, const QJsonObject& kept) {
  const trace::Trace& trace = *view.trace();
  std::unordered_map<std::string, std::string> keyOfRole;
  const std::vector<std::string> roles = rolesOf(trace);
  for (std::uint32_t row = 0; row < trace.rows.size(); ++row) keyOfRole.emplace(roles[row], trace.rows[row].key);
  const QJsonObject rows = kept["rows"].toObject(), rolesThere = rows["roles"].toObject();
  QStringList missing;
  const auto here = [&](const QString& key) {
    const std::string role = rolesThere[key].toString().toStdString();
    const auto found = keyOfRole.find(role);
    return found == keyOfRole.end() ? key : text(found->second);  // one that is not there waits under its old name
  };
  const auto listHere = [&](const QJsonValue& keys, bool tellMissing) {
    QJsonArray list;
    for (const std::string& key : keysIn(keys)) {
      const QString found = here(text(key));
      if (tellMissing && view.rowWithKey(found.toStdString()) == kNone)
        missing += rolesThere[text(key)].toString(text(key));
      list.append(found);
    }
    return list;
  };
  const auto objectHere = [&](const QJsonObject& object, bool ofLists) {
    QJsonObject translated;
    for (auto it = object.begin(); it != object.end(); ++it)
      translated[it.key().isEmpty() ? it.key() : here(it.key())] =
          ofLists ? QJsonValue(listHere(it.value(), false)) : it.value();
    return translated;
  };
  QJsonObject translated = rows;
  translated["pinned"] = listHere(rows["pinned"], true);
  translated["hidden"] = listHere(rows["hidden"], true);
  translated["order"] = objectHere(rows["order"].toObject(), true);
  translated["open"] = objectHere(rows["open"].toObject(), false);
  translated["heights"] = objectHere(rows["heights"].toObject(), false);
  restore(view, {{"rows", translated}, {"colours", kept["colours"]}}, false);
  if (const QJsonValue filter = kept["filter"]["conditions"]; filter.isArray())
    Filtering::of(view).setFilter(filterByRoles(filter.toArray(), trace, roles, missing));
  return missing;
}

std::vector<std::string> rolesOf(const trace::Trace& trace) {
  std::vector<std::string> roles(trace.rows.size());
  std::unordered_map<std::string, int> uses;
  for (std::uint32_t row = 0; row < trace.rows.size(); ++row) {  // parents stand before children
    const trace::Row& each = trace.rows[row];
    const std::string above = each.parent == kNone ? "" : trace.rows[each.parent].key + "/";
    std::string name = each.key.starts_with(above) ? each.key.substr(above.size()) : each.key;
    // What the system numbers anew in each run goes by its name.
    if (each.kind == trace::RowKind::kReport) name = "report";
    if (each.kind == trace::RowKind::kProcess) name = "process " + each.label.substr(0, each.label.rfind(" ["));
    if (each.kind == trace::RowKind::kThread) {
      const std::size_t space = each.label.find(' ');
      const bool named = !each.label.empty() && each.label.front() >= '0' && each.label.front() <= '9';
      name = named && space != std::string::npos ? "thread " + each.label.substr(space + 1) : "thread";
    }
    std::string& role = roles[row];
    role = (each.parent == kNone ? "" : roles[each.parent] + "/") + name;
    if (const int before = uses[role]++; before > 0) role += "#" + std::to_string(before + 1);
  }
  return roles;
}

}  // namespace lanescope::views
