// SPDX-License-Identifier: Apache-2.0
// Goes through one JSON text: finds its arrays of entries, hands out the entries, keeps what stands beside them, and gets
// over what is damaged: entry by entry, never more than a window in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/import/json_cut.h"
#include "model/import/json_entry.h"
#include "model/import/json_reader.h"
#include "model/import/json_text.h"
#include "model/import/json_troubles.h"
#include "model/import/json_walk.h"

namespace lanescope::imported {

/// What goes on from one document to the next.
struct JsonProgress {
  std::uint64_t ordinal = 0;  ///< of the next entry
  std::uint64_t base = 0;  ///< where the document begins
  Positions& positions;
  std::uint64_t lastEntry = 0;  ///< where it ends, or the begin of all
  std::size_t window = TextWindow::kFirstWindow;
  /// After so much text without an entry the rest is not read: who packs that packs no trace.
  std::uint64_t mostIdle = std::uint64_t{1} << 30;
  bool gaveUp = false;
};

class DocumentReader {
 public:
  DocumentReader(TextSource& source, EntryParser& parser, JsonVisitor& visitor, JsonTroubles& troubles,
                 JsonProgress& progress, JsonDocument& document, const Job& job);

  /// To the end of the text; or of the job, when it was cancelled.
  void read();
  /// Only the entries from the begin of the text on, up to the end of their array.
  void readEntries();

  /// It has a list of events, even an empty one.
  bool isTrace() const { return isTrace_ || sawPhase_; }
  /// What a text that is no trace is instead, where that can be told.
  std::string whatElse() const;

 private:
  bool more();
  int peek();
  void object();
  bool member();
  bool isBareEntry();
  bool parse(std::string text);
  bool walk(Walked& walked);
  bool findEventsFurtherOn();
  bool entries();
  bool handOutCut();
  bool slowEntry();
  void cutOff();
  bool handOut(std::uint64_t position);
  void count(std::uint64_t position);
  void skipEntry(JsonTroubles::Cause cause);
  bool search(std::size_t end, std::size_t behind);
  bool resynchronise();

  TextWindow window_;
  TextSource& source_;
  EntryParser& parser_;
  JsonVisitor& visitor_;
  JsonTroubles& troubles_;
  JsonProgress& progress_;
  JsonDocument& document_;
  Job job_;
  std::size_t at_ = 0;  // in the window
  bool isTrace_ = false;
  std::size_t topBytes_ = 0;
  bool begun_ = false;  // told the visitor
  bool sawPhase_ = false;
  bool ended_ = false, cutOff_ = false;
  std::string head_;  // the first bytes
  bool arrayEnded_ = false;
  bool foundEnd_ = false;  // of the array, while searching
  std::uint64_t searched_ = 0;
  std::optional<std::uint64_t> unfinished_;  // an entry that the text does not end
  bool searching_ = false;  // behind damage, until an entry with a phase
  JsonEvent event_;
  std::string mended_;  // what event_ was read from, if not from the window
  std::vector<CutEntry> cut_;
};

}  // namespace lanescope::imported
