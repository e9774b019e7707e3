// SPDX-License-Identifier: Apache-2.0
// A trace at a glance, for a page or a terminal: some rows of it, each a strip of columns that say how busy the row was
// and with what. Decided here, drawn as SVG or as a line of blocks. O(rows · columns) for long lanes, O(events) for
// short ones. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::page {

struct PictureColumn {
  std::uint16_t busy = 0;  ///< 0 nothing, 65535 all of its time; never 0 where there is an event
  trace::NameId name = 0;  ///< what filled most of it, and
  trace::EventKind kind = trace::EventKind::kKernel;
  std::uint8_t copyKind = 0;
};

struct Strip {
  std::string label;
  bool isHeading = false;  ///< a process, a GPU, a thread: no columns
  std::vector<PictureColumn> columns;
};

struct Picture {
  trace::TimeRange range;
  std::vector<Strip> strips;
  std::size_t leftOut = 0;  ///< rows of the same kinds that had to stay out
};

/// What fills the most: streams, NVTX ranges, CUDA calls, in the order of the row tree.
Picture makePicture(const trace::Trace& trace, trace::TimeRange range, std::size_t columns);

/// `<svg>` for a page: scales to its width, follows the page's colours, names things when pointed at.
std::string toSvg(const Picture& picture, const trace::NameTable& names);

/// A line a strip, at most a hundred characters that tell how busy.
std::string toBlocks(const Picture& picture);

}  // namespace lanescope::page
