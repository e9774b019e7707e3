// SPDX-License-Identifier: Apache-2.0
// NVTX of a process as rows. Pushes and pops pair up per thread and domain, starts and ends by their id across threads;
// what is still open at the end has no end, a pop or end without a beginning is counted. Ranges by which a library tells
// of its calls become calls, where they were asked for. Memory: open ranges.
// Private to finish*.cpp.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/launch/finish_process.h"
#include "collector/launch/libraries.h"

namespace lanescope::launch {

class NvtxRows {
 public:
  NvtxRows(Process& process, report::Writer& writer, const AskedLibraries& libraries);

  /// True if it was a record of this kind.
  bool take(const Chunk& chunk, const Record& record);
  /// Records of this ring are missing: what is open there cannot be paired any more.
  void gap(std::uint32_t slot);
  void finish();

  std::uint64_t calls() const { return calls_; }  ///< of pushes, pops and so on that were seen, recorded or not

 private:
  struct Event {
    wire::NvtxEvent fields;
    std::uint32_t tid = 0;
    std::string payload;  ///< as the export keeps it: a header and bytes, again and again
  };
  struct Ended {
    Event event;
    std::int64_t type = 0;
    report::OptionalId end = {};
    report::OptionalId endTid = {};
    bool isInner = false;  ///< of a library, inside another call of it
  };
  struct Schema {
    std::uint32_t domain = 0;
    wire::NvtxSchema fields;
    std::vector<wire::NvtxSchemaEntry> entries;
  };
  /// What one thread has under way.
  struct Thread {
    std::uint32_t tid = 0;
    std::unordered_map<std::uint32_t, std::vector<Event>> stacks;  ///< by domain
    std::optional<Ended> held;  ///< complete, but a payload may follow
    Event* last = nullptr;  ///< open, and a payload may follow
    std::uint64_t lastStart = 0;  ///< likewise, a range of starts_
    std::optional<Schema> schema;
    std::optional<std::uint64_t> ended;  ///< when it did, if it left ranges open
  };
  struct EndOnly {
    wire::NvtxEnd fields;
    std::uint32_t tid = 0;
  };

  /// Ends that an earlier recording missed would pair with ranges of a later one.
  template <class Fields>
  bool isEarlier(const Record& record) const {
    return process_.time(record.as<Fields>().time) < process_.begins;
  }

  Thread& threadOf(const Chunk& chunk);
  void release(Thread& thread);
  void push(Thread& thread, const Record& record);
  void pop(Thread& thread, const Record& record);
  void start(Thread& thread, const Record& record);
  void end(Thread& thread, const Record& record);
  void payload(Thread& thread, const Record& record);
  void named(Thread& thread, const Record& record, std::int64_t type);
  void closeSchema(Thread& thread);
  void writeSchema(const Schema& schema);
  void writeEnumeration(const Schema& schema);
  void write(const Ended& ended);
  /// True if this range is a library's call, which is then written or left out as was asked for.
  bool writeCall(const Ended& ended, trace::Ns start);
  const Library* libraryOf(std::uint32_t domain) const;
  /// Whether another call of the library of this domain is under way.
  bool isInsideLibrary(const Thread& thread, std::uint32_t domain) const;
  void writeOpen(Thread& thread);

  std::uint64_t calls_ = 0;
  Process& process_;
  report::Writer& writer_;
  std::unordered_map<std::uint32_t, AskedLibraries::Asked> libraryOfDomain_;
  std::unordered_map<std::uint32_t, Thread> threads_;  ///< by slot
  std::unordered_map<std::uint64_t, Event> starts_;  ///< by range
  std::unordered_map<std::uint64_t, EndOnly> ends_;  ///< whose start stands in a part not read yet
};

}  // namespace lanescope::launch
