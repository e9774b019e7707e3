// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/perf_records.h"

#include <algorithm>

namespace lanescope::launch {
namespace {

/// Parts that follow each other in a record.
class Parts {
 public:
  explicit Parts(std::string_view rest) : rest_(rest) {}

  std::uint64_t number() {
    const auto value = numberAt<std::uint64_t>(rest_, 0);
    take(sizeof value);
    return value;
  }
  /// As many bytes as are there.
  std::string_view take(std::uint64_t bytes) {
    const std::string_view part = rest_.substr(0, bytes);
    rest_.remove_prefix(part.size());
    return part;
  }
  std::string_view numbers(std::uint64_t count, std::uint64_t each = 1) {
    const std::uint64_t size = each * sizeof(std::uint64_t);
    return take(std::min<std::uint64_t>(count, rest_.size() / size) * size);
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::string_view textAt(std::string_view body, std::size_t at) {
  const std::size_t end = body.size() - std::min(body.size(), sizeof(wire::PerfId));
  const std::string_view text = body.substr(std::min(at, end), end - std::min(at, end));
  return text.substr(0, text.find('\0'));
}

PerfSample readSample(const PerfRecord& record, const PerfFormat& format) {
  constexpr std::size_t kFront = sizeof(std::uint64_t) + sizeof(wire::PerfId);
  PerfSample sample;
  sample.ip = numberAt<std::uint64_t>(record.body, 0);
  sample.inKernel = (record.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
  Parts parts(record.body.substr(std::min(kFront, record.body.size())));
  if ((format.type & PERF_SAMPLE_CALLCHAIN) != 0) sample.chain = PerfNumbers(parts.numbers(parts.number()));
  if ((format.type & PERF_SAMPLE_BRANCH_STACK) != 0) sample.branches = PerfNumbers(parts.numbers(parts.number(), 3));
  if ((format.type & PERF_SAMPLE_REGS_USER) != 0 && parts.number() == PERF_SAMPLE_REGS_ABI_64) {
    const auto registers =
        PerfNumbers(parts.numbers(static_cast<std::uint64_t>(__builtin_popcountll(format.registers))));
    if (format.registers == wire::kPerfRegisters && registers.size() == wire::kPerfRegisterCount)
      sample.registers = registers;
  }
  if ((format.type & PERF_SAMPLE_STACK_USER) != 0) {
    const std::uint64_t size = parts.number();
    sample.stack = parts.take(size);
    if (size > 0) sample.stack = sample.stack.substr(0, parts.number());
  }
  return sample;
}

}  // namespace lanescope::launch
