// SPDX-License-Identifier: Apache-2.0
// The frame rules of all modules, read from the tables once an address. Open addressing; when it is full all begins anew, so that
// memory is bounded. Private to this folder; one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collector/unwind/frame_rule.h"
#include "collector/unwind/modules.h"
#include "collector/unwind/unwinder.h"

namespace lanescope::unwind {

struct KnownRule {
  std::uint32_t module = 0;  ///< 0: no entry
  Method method = Method::kNone;
  std::uint64_t address = 0;  ///< in the module
  FrameRule rule;
};

class Unwinder::Rules {
 public:
  static constexpr std::size_t kMost = 1u << 19, kMostRows = 1u << 16;

  explicit Rules(Modules& modules);
  ~Rules();

  Modules& modules() { return modules_; }
  /// Good until the next one is asked for.
  const KnownRule& of(const Module& module, std::uint64_t address);
  const FrameRow& row(const FrameRule& rule) const { return rows_[rule.row]; }
  std::uint64_t asked() const { return asked_; }

 private:
  struct Tables;
  Tables& tablesOf(const Module& module);
  KnownRule ask(const Module& module, std::uint64_t address);
  std::size_t slotOf(std::uint32_t module, std::uint64_t address) const;
  void grow();

  Modules& modules_;
  std::vector<KnownRule> known_;
  std::size_t count_ = 0;
  std::vector<FrameRow> rows_;
  std::vector<std::unique_ptr<Tables>> tables_;  // by module
  std::uint64_t asked_ = 0;
};

}  // namespace lanescope::unwind
