// SPDX-License-Identifier: Apache-2.0
// What an entry of a Chrome or Kineto file is, by its category: the one table. Who wrote the file does not matter.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/import/gpu_words.h"
#include "model/trace/trace.h"

namespace lanescope::imported {

enum class Subject : std::uint8_t {
  // of a thread
  kSlice,       ///< an operator, or any category that says nothing to us
  kPython,
  kAnnotation,  ///< what the user marked in the program
  kCall,        ///< of CUDA's or HIP's API
  kOsCall,
  kOverhead,
  kSample,
  kPythonSample,
  kCpuFault,
  // of a GPU
  kKernel,
  kCopy,
  kMemset,
  kGraph,
  kWait,  ///< in host time
  kGpuFault,
  kGpuAnnotation,
};

constexpr bool isOfGpu(Subject subject) { return subject >= Subject::kKernel; }
trace::EventKind kindOf(Subject subject);

struct Category {
  Subject subject = Subject::kSlice;
  bool isKinetos = false;  ///< no other writer has it
  bool isLaunch = false;   ///< of flows: from a call to its GPU work
  bool isMemory = false;   ///< of instants: memory in use
};

/// The category with this text, whatever its case.
Category categoryOf(std::string_view text);

/// categoryOf() that remembers: a file has few categories and many events.
class Categories {
 public:
  Category of(std::string_view text);

 private:
  struct Known {
    std::string text;
    Category category;
    bool isFilled = false;
  };
  std::array<Known, 64> known_;
};

/// CUPTI's kinds of memory (facts 4.5, the export's numbers) on both sides of "(Pageable -> Device)"; -1: not told.
struct CopySides {
  std::int64_t source = -1, destination = -1;
};
CopySides copySidesOf(std::string_view name);

}  // namespace lanescope::imported
