// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/python_file.h"

#include "collector/wire/checksum.h"

namespace lanescope::sample {

template <class T>
void PythonFile::record(wire::RecordType type, T fields, std::uint32_t aux, std::string_view behind) {
  fields.header = {type, static_cast<std::uint16_t>(sizeof fields + (behind.size() + 7) / 8 * 8), aux};
  pending_.append(reinterpret_cast<const char*>(&fields), sizeof fields).append(behind);
  pending_.resize((pending_.size() + 7) / 8 * 8);
}

std::uint64_t PythonFile::text(std::string_view text) {
  constexpr std::size_t kLongest = 16u << 10;
  text = text.substr(0, kLongest);
  if (text.empty()) return 0;
  const std::uint64_t id = wire::hash64(text.data(), text.size());
  if (known_.insert(id).second) {
    record(wire::RecordType::kString, wire::String{{}, id}, static_cast<std::uint32_t>(text.size()), text);
  }
  return id;
}

void PythonFile::code(std::uint64_t id, std::string_view name, std::string_view source, std::int32_t line) {
  wire::PythonCode code;
  code.id = id;
  code.name = text(name);
  code.file = text(source);
  code.line = static_cast<std::uint32_t>(line > 0 ? line : 0);
  record(wire::RecordType::kPythonCode, code, 0);
}

void PythonFile::stack(wire::PythonStack stack, std::span<const wire::PythonFrame> frames) {
  record(wire::RecordType::kPythonStack, stack, static_cast<std::uint32_t>(frames.size()),
         {reinterpret_cast<const char*>(frames.data()), frames.size_bytes()});
}

void PythonFile::message(std::uint32_t severity, std::string_view words) {
  const std::uint64_t id = text(words);
  record(wire::RecordType::kMessage, wire::Message{{}, readClock(CLOCK_MONOTONIC), id}, severity);
}

void PythonFile::facts(std::string_view lines) { file_.write(wire::ChunkType::kFacts, lines); }

bool PythonFile::flush() {
  if (pending_.empty()) return true;
  const bool isWritten = file_.write(wire::ChunkType::kPython, pending_);
  pending_.clear();
  if (!isWritten) known_.clear();
  return isWritten;
}

void PythonFile::end() {
  if (file_.unwritten() > 0) {
    record(wire::RecordType::kLoss, wire::Loss{{}, file_.unwritten()},
           static_cast<std::uint32_t>(wire::LossKind::kWriteFailed));
  }
  flush();
  file_.write(wire::ChunkType::kEnd, {});
}

}  // namespace lanescope::sample
