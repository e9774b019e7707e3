// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/rules.h"

#include <optional>

#include "collector/unwind/elf_file.h"
#include "collector/unwind/frame_table.h"

namespace lanescope::unwind {

/// What a module has, found when it is first needed; .debug_frame where .eh_frame does not speak of an address.
struct Unwinder::Rules::Tables {
  explicit Tables(const ElfFile& from) : file(from), ehFrame(FrameTable::ehFrame(from)) {}
  std::optional<FrameRow> inDebugFrame(std::uint64_t address) {
    if (!debugFrame) debugFrame = FrameTable::debugFrame(file);
    return debugFrame->at(address);
  }

  const ElfFile& file;
  FrameTable ehFrame;
  std::optional<FrameTable> debugFrame;
};

Unwinder::Rules::Rules(Modules& modules) : modules_(modules), known_(1u << 12), rows_(1) {}
Unwinder::Rules::~Rules() = default;

Unwinder::Rules::Tables& Unwinder::Rules::tablesOf(const Module& module) {
  if (module.number >= tables_.size()) tables_.resize(module.number + 1);
  auto& tables = tables_[module.number];
  if (tables == nullptr) tables = std::make_unique<Tables>(*module.file);
  return *tables;
}

std::size_t Unwinder::Rules::slotOf(std::uint32_t module, std::uint64_t address) const {
  const std::uint64_t mixed = (address ^ (std::uint64_t{module} << 40)) * 0x9E3779B97F4A7C15ull;
  std::size_t slot = (mixed >> 32) & (known_.size() - 1);
  while (known_[slot].module != 0 && (known_[slot].module != module || known_[slot].address != address))
    slot = (slot + 1) & (known_.size() - 1);
  return slot;
}

void Unwinder::Rules::grow() {
  const bool isFull = known_.size() >= kMost * 2 || rows_.size() >= kMostRows;
  std::vector<KnownRule> old(isFull ? known_.size() : known_.size() * 2);
  old.swap(known_);
  if (isFull) {
    rows_.resize(1);
    count_ = 0;
    return;
  }
  for (const KnownRule& each : old)
    if (each.module != 0) known_[slotOf(each.module, each.address)] = each;
}

KnownRule Unwinder::Rules::ask(const Module& module, std::uint64_t address) {
  ++asked_;
  KnownRule found;
  found.module = module.number, found.address = address;
  Tables& tables = tablesOf(module);
  std::optional<FrameRow> row = tables.ehFrame.at(address);
  found.method = row ? Method::kEhFrame : Method::kDebugFrame;
  if (!row) row = tables.inDebugFrame(address);
  if (!row) return found;
  found.rule = reduced(*row);
  if (found.rule.cfa == FrameRule::Cfa::kRow) {
    found.rule.row = static_cast<std::uint32_t>(rows_.size());
    rows_.push_back(*row);
  }
  return found;
}

const KnownRule& Unwinder::Rules::of(const Module& module, std::uint64_t address) {
  static const KnownRule kNone;
  if (module.file == nullptr) return kNone;
  std::size_t slot = slotOf(module.number, address);
  if (known_[slot].module != 0) return known_[slot];
  if ((count_ + 1) * 2 > known_.size() || rows_.size() >= kMostRows) {
    grow();
    slot = slotOf(module.number, address);
  }
  ++count_;
  return known_[slot] = ask(module, address);
}

}  // namespace lanescope::unwind
