// SPDX-License-Identifier: Apache-2.0
// Where an export is written to: a file that appears under its name when it is whole, or standard output, a FIFO or a
// device, which take it as it comes. Text is added to text() and goes out a megabyte at a time. The first error sticks; finish() returns it. One thread.
#pragma once

#include <filesystem>
#include <string>

#include "model/error.h"
#include "model/report/new_file.h"

namespace lanescope::exporting {

class OutFile {
 public:
  /// "-" is standard output. Waits for who reads a FIFO.
  static Result<OutFile> create(const std::filesystem::path& destination, report::IfExists ifExists);
  OutFile(OutFile&& other) noexcept;
  OutFile& operator=(OutFile&&) = delete;
  ~OutFile();  ///< leaves nothing of what is not finished

  std::string& text() { return text_; }

  /// To be called now and then; false once something could not be written.
  bool flow() {
    if (text_.size() >= kFull) flush();
    return error_ == 0;
  }

  Result<void> finish();

 private:
  static constexpr std::size_t kFull = 1 << 20;
  OutFile() = default;
  void flush();

  std::filesystem::path destination_, temporary_;
  report::IfExists ifExists_ = report::IfExists::kRefuse;
  std::string text_;
  int file_ = -1;
  int error_ = 0;  // errno of the first write that failed
};

}  // namespace lanescope::exporting
