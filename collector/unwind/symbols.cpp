// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/symbols.h"

#include <fmt/format.h>

#include <algorithm>

#include "collector/unwind/elf_file.h"
#include "collector/unwind/symbol_table.h"
#include "model/demangle/demangle.h"

namespace lanescope::unwind {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kKernelBegins = 0xFFFF800000000000ull;

// What a place is of, where it is not a module: keys of modules are their numbers.
constexpr std::uint64_t kOfMapping = 1ull << 40, kOfKernel = 1ull << 41, kOfNothing = 1ull << 42, kOfMade = 1ull << 63;

std::string hexadecimalOf(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t each : bytes) text += fmt::format("{:02x}", each);
  return text;
}

/// For people: without the version that the linker adds, demangled.
std::string readable(std::string_view name) { return kernelName(name.substr(0, name.find('@', 1))).demangled; }

Place nameless(std::uint64_t address, std::uint64_t start, std::string module, std::string buildId = {}) {
  return {.function = fmt::format("{:#x}", address),
          .linkerName = {},
          .module = std::move(module),
          .buildId = std::move(buildId),
          .start = start};
}

}  // namespace

Symbols::Symbols(Modules& modules, SymbolSettings settings) : modules_(modules), settings_(std::move(settings)) {}
Symbols::~Symbols() = default;

const Place& Symbols::keep(const Key& asked, const Key& place, Place made) {
  if (places_.size() >= kMostPlaces || byAddress_.size() >= kMostPlaces) {
    byAddress_.clear();
    places_.clear();
  }
  auto& kept = places_[place];
  if (kept == nullptr) {
    made.number = ++numbers_;
    kept = std::make_unique<Place>(std::move(made));
  }
  byAddress_[asked] = kept.get();
  return *kept;
}

const Place& Symbols::of(const AddressSpace& space, std::uint64_t address, trace::Ns time) {
  if (address >= kKernelBegins) return ofKernel(address);
  const Mapping* mapping = space.at(address, time);
  const Module* module = mapping != nullptr ? &modules_.of(*mapping) : nullptr;
  if (module != nullptr && module->file != nullptr) return ofModule(*module, *mapping, address);

  // A mapping's number tells processes apart, and so does who named its own code, of which not all need be mapped for us
  // to see; what else is not mapped is nowhere in all of them.
  const bool hasNames = settings_.resolve && space.made != nullptr;
  const Key asked{address, hasNames             ? kOfMade | reinterpret_cast<std::uintptr_t>(space.made.get())
                           : mapping != nullptr ? kOfMapping | mapping->number
                                                : kOfNothing};
  if (const auto known = byAddress_.find(asked); known != byAddress_.end()) return *known->second;
  const auto made = hasNames ? space.made->at(address) : std::nullopt;
  if (made)
    return keep(asked, {made->start, asked.in},
                {.function = readable(made->name),
                 .linkerName = std::string(made->name),
                 .module = module != nullptr ? module->path : "//anon",
                 .buildId = {},
                 .start = made->start,
                 .isResolved = true});
  if (module == nullptr) return keep(asked, asked, nameless(address, address, "[unknown]"));
  return keep(
      asked, asked,
      nameless(address, Modules::addressIn(*module, *mapping, address), module->path, hexadecimalOf(module->buildId)));
}

const Place& Symbols::ofModule(const Module& module, const Mapping& mapping, std::uint64_t address) {
  const std::uint64_t inFile = Modules::addressIn(module, mapping, address);
  const Key asked{inFile, module.number};
  if (const auto known = byAddress_.find(asked); known != byAddress_.end()) return *known->second;
  const Key here{address, mapping.number | kOfMapping};  // an address without a name is another in each process
  if (const auto known = byAddress_.find(here); known != byAddress_.end()) return *known->second;

  auto function = settings_.resolve ? tableOf(module, SymbolKind::kFunction).at(inFile) : std::nullopt;
  std::string name = function ? readable(function->name) : std::string();
  if (!function && settings_.resolve) {
    function = pltEntry(*module.file, inFile);
    if (function) name = readable(function->name) + "@plt";
  }
  if (!function) {
    // To be resolved later it has to be the file's own: the process is gone then.
    const std::uint64_t said = settings_.resolve ? address : inFile;
    return keep(here, here, nameless(said, inFile, module.path, hexadecimalOf(module.buildId)));
  }
  return keep(asked, {function->start, module.number},
              {.function = std::move(name),
               .linkerName = std::string(function->name),
               .module = module.path,
               .buildId = hexadecimalOf(module.buildId),
               .start = function->start,
               .isResolved = true});
}

const Place& Symbols::ofKernel(std::uint64_t address) {
  constexpr const char* kModule = "[kernel.kallsyms]";
  const Key asked{address, kOfKernel};
  if (const auto known = byAddress_.find(asked); known != byAddress_.end()) return *known->second;
  if (!kernel_) kernel_ = settings_.resolve ? NamedRanges::kernel(settings_.kallsyms) : NamedRanges();
  if (settings_.resolve && kernel_->empty()) {  // the kernel keeps its addresses to itself
    Place place{.function = kModule, .linkerName = {}, .module = kModule, .buildId = {}, .isKernel = true};
    return keep(asked, {0, kOfKernel}, std::move(place));
  }
  const auto found = kernel_->at(address);
  Place place = found ? Place{.function = std::string(found->name),
                              .linkerName = std::string(found->name),
                              .module = kModule,
                              .buildId = {},
                              .start = found->start,
                              .isResolved = true}
                      : nameless(address, address, kModule);
  place.isKernel = true;
  return keep(asked, {found ? found->start : address, found ? kOfKernel | kOfMade : kOfKernel}, std::move(place));
}

const SymbolTable& Symbols::tableOf(const Module& module, SymbolKind kind) {
  Tables& tables = kind == SymbolKind::kFunction ? functions_ : variables_;
  if (module.number >= tables.size()) tables.resize(module.number + 1);
  auto& table = tables[module.number];
  if (table == nullptr) {
    const bool isWhole = module.file->section(std::uint32_t{SHT_SYMTAB}).has_value();
    table = std::make_unique<SymbolTable>(*module.file, isWhole ? nullptr : debugFileOf(module), kind);
  }
  return *table;
}

std::unique_ptr<ElfFile> Symbols::debugFileOf(const Module& module) const {
  const std::string id = hexadecimalOf(module.buildId);
  if (id.size() < 4) return nullptr;
  const auto sound = [&](const fs::path& path) {
    auto file = ElfFile::open(path);
    return file != nullptr && file->buildId() == module.buildId ? std::move(file) : nullptr;
  };
  const fs::path byId = fs::path(".build-id") / id.substr(0, 2) / (id.substr(2) + ".debug");
  const std::string name = fs::path(module.path).filename();
  for (const fs::path& folder : settings_.debugFolders) {
    for (const fs::path& each : {byId, fs::path(name + ".debug"), fs::path(name)}) {
      if (auto file = sound(folder / each)) return file;
    }
  }
  return sound("/usr/lib/debug" / byId);
}

std::optional<std::string> Symbols::variableOf(const AddressSpace& space, std::uint64_t address, trace::Ns time) {
  const Mapping* mapping = settings_.resolve ? space.at(address, time) : nullptr;
  const Module* module = mapping != nullptr ? &modules_.of(*mapping) : nullptr;
  if (module == nullptr || module->file == nullptr) return std::nullopt;
  const auto inFile = module->file->variableAddress(mapping->offset, address - mapping->start);
  const auto found = inFile ? tableOf(*module, SymbolKind::kVariable).at(*inFile) : std::nullopt;
  return found ? std::optional(readable(found->name)) : std::nullopt;
}

std::string Symbols::functionOf(const fs::path& file, std::uint64_t base, std::uint64_t address) {
  const Module& module = modules_.of({.path = file});
  if (module.file == nullptr) return {};
  const auto function = tableOf(module, SymbolKind::kFunction).at(address - base + module.file->firstPage());
  return function ? readable(function->name) : std::string();
}

std::optional<Symbols::Extent> Symbols::find(const Mapping& mapping, std::string_view name) {
  const Module& module = modules_.of(mapping);
  const auto found = module.file != nullptr ? findSymbol(*module.file, name) : std::nullopt;
  if (!found) return std::nullopt;
  const std::uint64_t moved = mapping.start - Modules::addressIn(module, mapping, mapping.start);
  return Extent{found->start + moved, found->end + moved};
}

}  // namespace lanescope::unwind
