// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <utility>

#include "model/report/loading.h"

namespace lanescope::report {

using trace::Event;
using trace::EventKind;
using trace::LaneInfo;

namespace {

enum Column { kStart, kEnd, kType, kText, kTextId, kGlobalTid, kDomain, kColor, kCategoryId, kEndGlobalTid };

// eventType, facts 4.5.
constexpr std::int64_t kCategory = 33, kMark = 34, kThreadName = 39, kPushPop = 59, kStartEnd = 60, kDomainCreate = 75;

struct NvtxLoader {
  Loading& loading;
  trace::TraceBuilder& builder = loading.builder;

  trace::NameId nameOf(const TableRow& row) {
    const auto argb = static_cast<std::uint32_t>(row.integer(kColor));
    if (const std::string_view text = row.text(kText); !text.empty()) return builder.names().intern(text, {}, argb);
    if (!row.isNull(kTextId)) return loading.strings.name(row.integer(kTextId), argb);
    return builder.names().intern("(unnamed)", {}, argb);
  }

  std::string textOf(const TableRow& row) {
    const std::string_view text = row.text(kText);
    return repairUtf8(text.empty() ? loading.strings.text(row.integer(kTextId)) : std::string(text));
  }

  void readThreadEnds() {
    constexpr std::size_t kMostEnds = 1u << 20;
    loading.forEach("LANESCOPE_THREAD_ENDS", {"globalTid", "end"}, [&](const TableRow& row) {
      if (threadEnds.size() < kMostEnds && row.isInteger(0) && row.isInteger(1))
        threadEnds.emplace(row.integer(0), row.integer(1));
    });
  }

  /// Of the thread that had this number at `start`; `start` if that is not known.
  trace::Ns endOfThread(std::int64_t globalTid, trace::Ns start) const {
    const auto found = threadEnds.lower_bound({globalTid, start});
    return found != threadEnds.end() && found->first == globalTid ? found->second : start;
  }

  void add(const TableRow& row, EventKind kind) {
    Event event{
        .start = row.integer(kStart), .end = row.integer(kEnd), .sourceRow = static_cast<std::uint64_t>(row.rowid())};
    if (kind == EventKind::kNvtxMark) {
      event.end = event.start;
      if (!builder.acceptInstant(event.start, kind)) return;
    } else if (row.isNull(kEnd)) {
      event.unfinished = true;
      event.end = kind == EventKind::kNvtxRange ? endOfThread(row.integer(kGlobalTid), event.start) : event.start;
      if (!builder.acceptInstant(event.start, kind)) return;
    } else if (!builder.accept(event.start, event.end, kind)) {
      return;
    }
    event.name = nameOf(row);

    const std::int64_t tid = row.integer(kGlobalTid);
    const std::int64_t domain = row.integer(kDomain);
    if (!last || kind != lastKind || tid != lastTid || domain != lastDomain) {
      lastKind = kind, lastTid = tid, lastDomain = domain;
      LaneInfo info;
      info.kind = kind;
      info.table = builder.table("NVTX_EVENTS");
      info.process = builder.process(tid);
      if (kind != EventKind::kNvtxStartEnd) info.thread = builder.thread(tid);
      info.domain = builder.domain(info.process, domain);
      last = &builder.sequence(info);
    }
    // Its thread, where it is of one. Such ranges share lanes all the same: they may overlap as they like.
    if (kind == EventKind::kNvtxStartEnd && row.isInteger(kEndGlobalTid) && row.integer(kEndGlobalTid) == tid)
      event.correlation = std::int64_t{builder.thread(tid)} + 1;
    last->add(event);
  }

  std::set<std::pair<std::int64_t, trace::Ns>> threadEnds = {};
  trace::Sequence* last = nullptr;
  EventKind lastKind = EventKind::kNvtxRange;
  std::int64_t lastTid = 0, lastDomain = 0;
};

}  // namespace

void loadNvtx(Loading& loading) {
  if (!loading.wants(EventKind::kNvtxRange)) return;  // its kinds stand in one table
  NvtxLoader nvtx{loading};
  nvtx.readThreadEnds();
  trace::TraceBuilder& builder = loading.builder;
  loading.forEach(
      "NVTX_EVENTS",
      {"start", "end", "eventType", "text", "textId", "globalTid", "domainId", "color", "category", "endGlobalTid"},
      [&](const TableRow& row) {
        switch (row.isNull(kType) ? kPushPop : row.integer(kType)) {
          case kPushPop:
          case kStartEnd:
            if (row.isInteger(kStart) && (row.isInteger(kEnd) || row.isNull(kEnd)))
              nvtx.add(row, row.integer(kType) == kStartEnd ? EventKind::kNvtxStartEnd : EventKind::kNvtxRange);
            else ++loading.notNumbers;
            break;
          case kMark:
            if (loading.hasTimes(row, kStart, kStart)) nvtx.add(row, EventKind::kNvtxMark);
            break;
          case kDomainCreate:
            builder.draft()
                .domains[builder.domain(builder.process(row.integer(kGlobalTid)), row.integer(kDomain))]
                .name = nvtx.textOf(row);
            break;
          case kCategory:
            builder.nameCategory(builder.domain(builder.process(row.integer(kGlobalTid)), row.integer(kDomain)),
                                 row.integer(kCategoryId), nvtx.textOf(row));
            break;
          case kThreadName:
            if (auto& name = builder.draft().threads[builder.thread(row.integer(kGlobalTid))].name; name.empty())
              name = nvtx.textOf(row);
            break;
          default:  // what says nothing of its own: the end of a domain, kinds that other tools add
            break;
        }
      });
  builder.finish();
}

}  // namespace lanescope::report
