// SPDX-License-Identifier: Apache-2.0
// One page about a report, to send to a colleague: a value, written as HTML that needs nothing else (no script, nothing
// loaded, light and dark), or as Markdown. Texts in it are whatever a report holds; both writers make them harmless.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/analysis/table.h"
#include "model/page/picture.h"

namespace lanescope::page {

/// What it is, and its text.
using Facts = std::vector<std::pair<std::string, std::string>>;

struct Note {
  std::string text;
  bool isWarning = false;
};

struct TablePart {
  analysis::Table table;
  std::size_t most = 12;  ///< rows; how many more there are is said below
};

struct PicturePart {
  Picture picture;
  trace::TracePtr of;  ///< whose names they are
};

struct Section {
  std::string title;
  std::vector<std::variant<Facts, Note, TablePart, PicturePart>> parts;
};

struct Page {
  std::string title;
  std::string subtitle;
  std::vector<Section> sections;
};

std::string toHtml(const Page& page);
std::string toMarkdown(const Page& page);

/// A cell for a person: "1.23 ms", "64.0 MB", "12 345".
std::string cellText(const analysis::Cell& cell, analysis::ColumnKind kind);

}  // namespace lanescope::page
