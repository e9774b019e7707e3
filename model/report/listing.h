// SPDX-License-Identifier: Apache-2.0
// The fields of one event while they are being found: the event, its row, and ways to add what a column holds. Private
// to model/report; details.cpp says in which order the parts come. One thread.
#pragma once

#include "model/report/details.h"
#include "model/report/record.h"

namespace lanescope::report {

struct Listing {
  Listing(const Database& file, const trace::Trace& whole, trace::EventRef which);

  const Database& database;
  const trace::Trace& trace;
  trace::EventRef event;
  const trace::LaneInfo& info;
  Record record;
  std::vector<Field> fields;
  FieldGroup group = FieldGroup::kEvent;  ///< of the fields that are added now

  /// Every field comes through here: texts are repaired, a value is cut to a megabyte and a label to 256 bytes, which
  /// then say so; behind 500 fields nothing is added, and the last one says that.
  void add(std::string_view label, std::string_view value, bool main = false);
  /// A main field whose value names another event.
  void addEvent(std::string_view label, trace::EventRef other, std::string_view value);
  void addNumber(const char* label, const char* column, bool main = false);
  /// Where there is one and it is not 0, which stands for none.
  void addIfAny(const char* label, const char* column);
  void addBytes(const char* label, const char* column, bool main = false);  ///< where there are any
  void addAddress(const char* label, const char* column, bool main = false);
  void addString(const char* label, const char* column);  ///< the text in StringIds
  /// The label that the catalogue or the file's own ENUM table gives the value.
  void addLabel(const char* label, const char* column, const char* enumeration, bool main = false);
  void addSize(const char* label, const char* x, const char* y, const char* z);  ///< "16 × 1 × 1"

  /// "cudaLaunchKernel on worker (5)"
  std::string eventText(trace::EventRef other) const;
  /// "worker (5)", empty if there is none.
  std::string threadText(std::uint32_t index) const;
};

// A function a kind of event, or a part that several have.
void listKernel(Listing& listing);
void listCopy(Listing& listing);
void listMemset(Listing& listing);
void listGraphLaunch(Listing& listing);
void listSync(Listing& listing);
void listPageFault(Listing& listing);
void listNvtx(Listing& listing);
void listCall(Listing& listing);
void listScheduling(Listing& listing);
void listPython(Listing& listing);

}  // namespace lanescope::report
