// SPDX-License-Identifier: Apache-2.0
// Function and module of an address, for people: demangled, from the symbols of the file, of its debug file where one lies in
// a folder that was named or in /usr/lib/debug, of the kernel, of a perf-PID.map. Nothing is ever asked of a network. A table
// is made when a module is first asked about. At most 2^20 places are kept. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collector/unwind/address_space.h"
#include "collector/unwind/modules.h"
#include "collector/unwind/named_ranges.h"

namespace lanescope::unwind {

class SymbolTable;
enum class SymbolKind : std::uint8_t;

/// What an address belongs to.
struct Place {
  std::string
      function;  ///< unresolved: the address, as 0x…, of the kernel without names "[kernel.kallsyms]"; not to be resolved: `start`, as 0x…
  std::string linkerName;  ///< as the file has it: to know functions by; empty if unresolved
  std::string module;  ///< path, "[vdso]", "[kernel.kallsyms]", "[unknown]"
  std::string buildId;  ///< hexadecimal; empty if not known
  std::uint64_t start = 0;  ///< of the function, in the module's own addresses; unresolved: of what was asked for
  bool isResolved = false, isKernel = false;
  std::uint64_t number = 0;  ///< of no other place: what is made of a place can be kept by it
};

struct SymbolSettings {
  bool resolve = true;  ///< else addresses, with module and build id, to be resolved later
  std::vector<std::filesystem::path> debugFolders = {};  ///< before /usr/lib/debug
  std::filesystem::path kallsyms = "/proc/kallsyms";
};

class Symbols {
 public:
  /// `modules` is what the Unwinder uses, and outlives it.
  Symbols(Modules& modules, SymbolSettings settings);
  ~Symbols();

  static constexpr std::size_t kMostPlaces = 1u << 20;

  bool resolves() const { return settings_.resolve; }

  /// Good until the next is asked for. Ask for Frame::lookup() of a frame, not for where it returns to.
  const Place& of(const AddressSpace& space, std::uint64_t address, trace::Ns time);

  /// The name of the variable that holds this address, where the segment that it lies in is mapped too: of a lock.
  std::optional<std::string> variableOf(const AddressSpace& space, std::uint64_t address, trace::Ns time);

  /// Of a file of which is known only where its first page was loaded; empty if that has no name.
  std::string functionOf(const std::filesystem::path& file, std::uint64_t base, std::uint64_t address);

  /// Where a function or variable of that name lies in a process: for what is known by its address alone.
  struct Extent {
    std::uint64_t start = 0, end = 0;
  };
  std::optional<Extent> find(const Mapping& mapping, std::string_view name);

 private:
  struct Key {
    std::uint64_t place = 0, in = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const { return (key.place ^ (key.in << 40)) * 0x9E3779B97F4A7C15ull >> 16; }
  };

  const Place& keep(const Key& asked, const Key& place, Place made);
  const Place& ofModule(const Module& module, const Mapping& mapping, std::uint64_t address);
  const Place& ofKernel(std::uint64_t address);
  using Tables = std::vector<std::unique_ptr<SymbolTable>>;  // by module
  const SymbolTable& tableOf(const Module& module, SymbolKind kind);
  std::unique_ptr<ElfFile> debugFileOf(const Module& module) const;

  Modules& modules_;
  SymbolSettings settings_;
  Tables functions_, variables_;
  std::optional<NamedRanges> kernel_;
  std::unordered_map<Key, std::unique_ptr<Place>, KeyHash> places_;  // by module and function's start
  std::unordered_map<Key, const Place*, KeyHash> byAddress_;
  std::uint64_t numbers_ = 0;
};

}  // namespace lanescope::unwind
