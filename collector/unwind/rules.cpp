// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/rules.h"

#include <utility>

#include "collector/unwind/elf_file.h"

namespace lanescope::unwind {

/// What a module has of libdw's, made when it is first needed.
struct Unwinder::Rules::Tables {
  explicit Tables(Elf* from) : elf(from), ehFrame(dwarf_getcfi_elf(from)) {}
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;
  ~Tables() {
    dwarf_cfi_end(ehFrame);
    dwarf_end(dwarf);
  }
  Dwarf_CFI* debugFrame() {
    if (!std::exchange(wasAsked, true)) dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
    return dwarf != nullptr ? dwarf_getcfi(dwarf) : nullptr;
  }

  Elf* elf;
  Dwarf_CFI* ehFrame;
  Dwarf* dwarf = nullptr;
  bool wasAsked = false;
};

Unwinder::Rules::Rules(Modules& modules) : modules_(modules), known_(1u << 12), expressions_(1) {}
Unwinder::Rules::~Rules() = default;

Unwinder::Rules::Tables& Unwinder::Rules::tablesOf(const Module& module) {
  if (module.number >= tables_.size()) tables_.resize(module.number + 1);
  auto& tables = tables_[module.number];
  if (tables == nullptr) tables = std::make_unique<Tables>(module.file->elf());
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
  const bool isFull = known_.size() >= kMost * 2 || expressions_.size() >= kMostExpressions;
  std::vector<KnownRule> old(isFull ? known_.size() : known_.size() * 2);
  old.swap(known_);
  if (isFull) {
    expressions_.resize(1);
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
  Expressions expressions;
  found.rule = frameRule(tables.ehFrame, address, expressions);
  found.method = Method::kEhFrame;
  if (found.rule.cfa == FrameRule::Cfa::kNone) {
    found.rule = frameRule(tables.debugFrame(), address, expressions);
    found.method = Method::kDebugFrame;
  }
  if (found.rule.cfa == FrameRule::Cfa::kExpression) {
    found.rule.expressions = static_cast<std::uint32_t>(expressions_.size());
    expressions_.push_back(std::move(expressions));
  }
  return found;
}

const KnownRule& Unwinder::Rules::of(const Module& module, std::uint64_t address) {
  static const KnownRule kNone;
  if (module.file == nullptr) return kNone;
  std::size_t slot = slotOf(module.number, address);
  if (known_[slot].module != 0) return known_[slot];
  if ((count_ + 1) * 2 > known_.size() || expressions_.size() >= kMostExpressions) {
    grow();
    slot = slotOf(module.number, address);
  }
  ++count_;
  return known_[slot] = ask(module, address);
}

}  // namespace lanescope::unwind
