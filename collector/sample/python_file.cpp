// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/python_file.h"

namespace lanescope::sample {

void PythonFile::code(std::uint64_t id, std::string_view name, std::string_view source, std::int32_t line) {
  wire::PythonCode code;
  code.id = id;
  code.name = text(name);
  code.file = text(source);
  code.line = static_cast<std::uint32_t>(line > 0 ? line : 0);
  pending_.add(wire::RecordType::kPythonCode, code, 0);
}

void PythonFile::stack(wire::PythonStack stack, std::span<const wire::PythonFrame> frames) {
  pending_.add(wire::RecordType::kPythonStack, stack, static_cast<std::uint32_t>(frames.size()),
               {reinterpret_cast<const char*>(frames.data()), frames.size_bytes()});
}

void PythonFile::facts(std::string_view lines) { file_.write(wire::ChunkType::kFacts, lines); }

bool PythonFile::flush() {
  if (pending_.bytes().empty()) return true;
  const bool isWritten = file_.write(wire::ChunkType::kPython, pending_.bytes());
  pending_.clear();
  if (!isWritten) pending_.forgetTexts();
  return isWritten;
}

void PythonFile::end() {
  if (file_.unwritten() > 0) {
    pending_.add(wire::RecordType::kLoss, wire::Loss{{}, file_.unwritten()},
                 static_cast<std::uint32_t>(wire::LossKind::kWriteFailed));
  }
  flush();
  file_.write(wire::ChunkType::kEnd, {});
}

}  // namespace lanescope::sample
