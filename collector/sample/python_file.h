// SPDX-License-Identifier: Apache-2.0
// The file of Python samples in the session folder, python.samples: chunks of collector/wire/records.h. Texts and codes
// stand in it once, before what names them. Nothing throws. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "collector/sample/chunk_file.h"
#include "collector/sample/pending_records.h"
#include "collector/wire/records.h"

namespace lanescope::sample {

class PythonFile {
 public:
  /// False with errno if it cannot be made.
  bool create(const std::string& path) { return file_.create(path); }

  /// The id of a text, which is written where it is new.
  std::uint64_t text(std::string_view text) { return pending_.text(text); }
  void code(std::uint64_t id, std::string_view name, std::string_view source, std::int32_t line);
  /// No frames: those of this thread's last one.
  void stack(wire::PythonStack stack, std::span<const wire::PythonFrame> frames);
  /// For the user; severity 0 information, 1 warning, 2 error.
  void message(std::uint32_t severity, std::string_view text) { pending_.message(severity, text); }
  void facts(std::string_view lines);

  /// Writes what there is as a chunk. False if it found no room: then everything has to be defined anew.
  bool flush();
  void end();
  std::size_t pending() const { return pending_.bytes().size(); }

 private:
  ChunkFile file_;
  PendingRecords pending_;
};

}  // namespace lanescope::sample
