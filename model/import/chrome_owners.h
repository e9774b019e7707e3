// SPDX-License-Identifier: Apache-2.0
// Whose the places of a document are: processes and threads of the host, GPUs and their streams. Decided when the whole
// document is known, from what kinds of events stand there; a pid alone says nothing, since Kineto writes GPU 0 as pid 0.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/import/chrome_facts.h"
#include "model/import/chrome_places.h"

namespace lanescope::imported {

class Owners {
 public:
  Owners(Recording& recording, Places& places) : recording_(recording), places_(places) {}

  void beginDocument();

  /// An entry of metadata (ph M).
  void metadata(const JsonEvent& entry);

  /// Gives every track of the document its owner.
  void finish(const DocumentFacts& facts, bool isKineto);

  /// After finish(): the process with this id, made where it has no events; the GPU that a curve of it is of.
  std::uint32_t process(const Identity& id);
  std::uint32_t gpu(std::uint32_t process, std::int64_t device);

 private:
  struct Said {
    std::string name, labels;
    std::int64_t sortIndex = 0;
    std::optional<Identity> owner;  // of a GPU: the process it works for, which Lanescope's export tells
  };
  struct GpuKey {
    std::uint32_t process = 0;
    std::int64_t device = 0;
    bool operator==(const GpuKey&) const = default;
  };
  struct StreamKey {
    std::uint32_t gpu = 0;
    std::int64_t context = 0, stream = 0;
    bool isText = false;
    bool operator==(const StreamKey&) const = default;
  };
  struct Hash {
    std::size_t operator()(const GpuKey& key) const;
    std::size_t operator()(const StreamKey& key) const;
  };

  void ownThreads();
  void ownGpuWork();
  std::uint32_t thread(PlaceId place);
  std::uint32_t domain(std::uint32_t process, const std::string& name, bool isNvtx);
  std::uint32_t stream(std::uint32_t gpu, const TrackKey& key);
  /// For each GPU track the process that launched most of its work; none where no call tells.
  std::vector<std::uint32_t> launchers() const;
  std::uint32_t fallbackProcess() const;

  Recording& recording_;
  Places& places_;
  const DocumentFacts* facts_ = nullptr;
  bool isKineto_ = false;
  std::unordered_map<Identity, Said, IdentityHash> said_;
  std::unordered_map<Identity, std::uint32_t, IdentityHash> processes_;
  std::unordered_map<GpuKey, std::uint32_t, Hash> gpus_;
  std::unordered_map<StreamKey, std::uint32_t, Hash> streams_;
  std::unordered_map<std::string, std::uint32_t> domains_;
  std::vector<std::uint32_t> threads_;  // by place
  std::unordered_map<Identity, std::set<std::int64_t>, IdentityHash> numbered_;  // streams told by a tid alone, by pid
  std::uint32_t firstProcess_ = 0;
};

}  // namespace lanescope::imported
