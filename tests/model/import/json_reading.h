// SPDX-License-Identifier: Apache-2.0
// A JSON text read whole, for the tests of the reader.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/import/json_reader.h"
#include "tests/support/files.h"

namespace lanescope::imported {

/// An event that outlives the reader's buffers.
struct KeptEvent {
  std::uint64_t ordinal = 0;
  char phase = 0;
  std::string name, category, scope, bind, frame, args;
  JsonId pid, tid, id;  ///< without their texts
  std::string pidText, tidText, idText;
  bool idIsLocal = false, badTime = false;
  std::optional<trace::Ns> ts, duration;
  JsonEvent::OfGpu gpu;
};

class KeepingVisitor : public JsonVisitor {
 public:
  void beginDocument(const JsonDocument& document) override { documents.push_back(document); }
  void endDocument(const JsonDocument& document) override { documents.back() = document; }
  void entry(const JsonEvent& e) override {
    const auto idOf = [](JsonId id, std::string& text) {
      text = id.text;
      id.text = {};
      return id;
    };
    KeptEvent& kept = events.emplace_back();
    kept = {e.ordinal,
            e.phase,
            std::string(e.name),
            std::string(e.category),
            std::string(e.scope),
            std::string(e.bind),
            std::string(e.stackFrame),
            std::string(e.args)};
    kept.pid = idOf(e.pid, kept.pidText);
    kept.tid = idOf(e.tid, kept.tidText);
    kept.id = idOf(e.id, kept.idText);
    kept.idIsLocal = e.idIsLocal;
    kept.badTime = e.badTime;
    kept.ts = e.ts;
    kept.duration = e.duration;
    kept.gpu = e.gpu;
  }
  std::vector<JsonDocument> documents;
  std::vector<KeptEvent> events;
};

struct JsonReading {
  std::vector<JsonDocument> documents;
  std::vector<KeptEvent> events;
  std::vector<trace::Issue> issues;
  Positions positions;
  std::optional<Error> error;

  std::string names() const {
    std::string all;
    for (const KeptEvent& event : events) all += (all.empty() ? "" : " ") + event.name;
    return all;
  }
  /// "kind count", in their order.
  std::vector<std::string> damage() const {
    std::vector<std::string> all;
    for (const trace::Issue& issue : issues) all.push_back(issue.kind + " " + std::to_string(issue.count));
    return all;
  }
};

inline JsonReading readJsonFile(const std::filesystem::path& path, bool timesAreNanoseconds = false) {
  KeepingVisitor visitor;
  const auto result = readJson(path, timesAreNanoseconds, visitor, Job());
  JsonReading reading{std::move(visitor.documents), std::move(visitor.events)};
  if (!result) reading.error = result.error();
  else reading.issues = result->issues, reading.positions = result->positions;
  return reading;
}

inline JsonReading readJsonText(std::string_view text, bool timesAreNanoseconds = false) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "trace.json", text);
  return readJsonFile(folder / "trace.json", timesAreNanoseconds);
}

}  // namespace lanescope::imported
