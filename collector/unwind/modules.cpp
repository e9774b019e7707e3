// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/modules.h"

#include "collector/unwind/elf_file.h"

namespace lanescope::unwind {

namespace fs = std::filesystem;

Module::Module() = default;
Module::~Module() = default;
Modules::Modules(fs::path root) : root_(std::move(root)) {}
Modules::~Modules() = default;

Module& Modules::of(const Mapping& mapping) {
  if (mapping.number >= byMapping_.size()) byMapping_.resize(mapping.number + 64);
  Module*& known = byMapping_[mapping.number];
  if (known != nullptr && mapping.number != 0) return *known;
  auto [named, isNew] = byName_.try_emplace({mapping.path, mapping.buildId}, nullptr);
  if (isNew) {
    std::unique_ptr<Module> opened = open(mapping);
    if (opened->file != nullptr) ++files_;
    opened->number = static_cast<std::uint32_t>(modules_.size() + 1);
    named->second = modules_.emplace_back(std::move(opened)).get();
  }
  known = named->second;
  return *known;
}

std::unique_ptr<Module> Modules::open(const Mapping& mapping) const {
  auto module = std::make_unique<Module>();
  module->path = mapping.path;
  module->buildId = mapping.buildId;
  if (files_ >= kMostFiles) return module;
  if (mapping.path == "[vdso]") module->file = ElfFile::vdso();
  else if (mapping.path.starts_with('/') && !mapping.path.starts_with("//"))
    module->file = ElfFile::open(root_.empty() ? fs::path(mapping.path) : root_ / mapping.path.substr(1));
  if (module->file == nullptr) return module;
  if (module->buildId.empty()) module->buildId = module->file->buildId();
  if (module->buildId != module->file->buildId()) module->wasReplaced = true, module->file.reset();
  return module;
}

std::uint64_t Modules::addressIn(const Module& module, const Mapping& mapping, std::uint64_t address) {
  const std::uint64_t offset = address - mapping.start + mapping.offset;
  return module.file != nullptr ? module.file->addressOf(offset).value_or(offset) : offset;
}

}  // namespace lanescope::unwind
