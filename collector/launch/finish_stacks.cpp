// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_stacks.h"

#include <fmt/format.h>

#include "model/utf8.h"

namespace lanescope::launch {
namespace {

unwind::SymbolSettings settingsOf(const FactLines& options) {
  unwind::SymbolSettings settings;
  settings.resolve = options.text("resolve-symbols") != "0";
  std::string_view folders = options.text("debug-symbols");
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
    if (!folder.empty()) settings.debugFolders.emplace_back(folder);
  }
  return settings;
}

}  // namespace

bool isOurs(const unwind::Mapping* mapping) {
  if (mapping == nullptr) return false;
  const std::string_view name = std::string_view(mapping->path).substr(mapping->path.rfind('/') + 1);
  return name == "liblanescope-preload.so" || name == "liblanescope-inject.so";
}

unwind::AddressSpace loadedInto(Process& process) {
  constexpr trace::Ns kSeenLate = 1'000'000'000;  // the recorder looks some times a second what is loaded
  // A child in which nobody looked has what its parent had.
  Process* from = &process;
  for (int i = 0; from->modules.empty() && from->forkedFrom != nullptr && i < 16; ++i) from = from->forkedFrom;
  unwind::AddressSpace space;
  for (const wire::Module& module : from->modules) {
    const auto bytes = std::min<std::size_t>(module.header.aux, sizeof module.buildId);
    space.map({.start = module.start,
               .end = module.end,
               .offset = module.offset,
               .path = std::string(from->text(module.path).value_or("")),
               .buildId = {module.buildId, module.buildId + bytes},
               .time = minus(asTime(module.time), kSeenLate)});
  }
  return space;
}

StackNames::StackNames(report::Writer& writer, const FactLines& options)
    : writer_(writer), symbols_(modules_, settingsOf(options)) {}

StackNames::Names StackNames::namesOf(const unwind::AddressSpace& space, const unwind::Frame& frame, trace::Ns time) {
  const unwind::Place& place = symbols_.of(space, frame.lookup(), time);
  const auto known = known_.find(place.number);
  if (known != known_.end()) return known->second;
  const std::string function = place.isResolved ? repairUtf8(place.function) : fmt::format("{:#x}", frame.address);
  const Names names{writer_.string(function), writer_.string(repairUtf8(place.module)), place.isResolved,
                    place.isKernel, place.linkerName.starts_with("_PyEval_EvalFrameDefault")};
  if (known_.size() >= unwind::Symbols::kMostPlaces) known_.clear();
  if (place.isResolved) known_.emplace(place.number, names);
  if (!place.buildId.empty() && builds_.emplace(names.module, place.buildId).second)
    writer_.add(report::ModuleRow{.module = names.module, .buildId = place.buildId});
  return names;
}

}  // namespace lanescope::launch
