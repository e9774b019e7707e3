// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/nvml.h"

#include <dlfcn.h>

#include <limits>
#include <mutex>

namespace lanescope::sample {
namespace {

// NVML's interface as it has been since its first versions; its header is not part of the toolkit everywhere.
struct Utilization {
  unsigned gpu = 0, memory = 0;  ///< per cent
};
struct Memory {
  unsigned long long total = 0, free = 0, used = 0;
};
constexpr unsigned kSmClock = 1, kMemoryClock = 2, kPcieSent = 0, kPcieReceived = 1, kCore = 0;

struct Library {
  int (*init)() = nullptr;
  const char* (*errorString)(int) = nullptr;
  int (*byUuid)(const char*, void**) = nullptr;
  int (*utilization)(void*, Utilization*) = nullptr;
  int (*memory)(void*, Memory*) = nullptr;
  int (*clock)(void*, unsigned, unsigned*) = nullptr;
  int (*power)(void*, unsigned*) = nullptr;
  int (*temperature)(void*, unsigned, unsigned*) = nullptr;
  int (*pcie)(void*, unsigned, unsigned*) = nullptr;
};
Library nvml;

template <class T>
bool bind(void* handle, const char* name, T& function) {
  function = reinterpret_cast<T>(dlsym(handle, name));
  return function != nullptr;
}

std::string loadOnce() {
  void* const handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return "libnvidia-ml.so.1 is not there (in a container: NVIDIA_DRIVER_CAPABILITIES=all)";
  const bool whole = bind(handle, "nvmlInit_v2", nvml.init) && bind(handle, "nvmlErrorString", nvml.errorString) &&
                     bind(handle, "nvmlDeviceGetHandleByUUID", nvml.byUuid) &&
                     bind(handle, "nvmlDeviceGetUtilizationRates", nvml.utilization) &&
                     bind(handle, "nvmlDeviceGetMemoryInfo", nvml.memory) &&
                     bind(handle, "nvmlDeviceGetClockInfo", nvml.clock) &&
                     bind(handle, "nvmlDeviceGetPowerUsage", nvml.power) &&
                     bind(handle, "nvmlDeviceGetTemperature", nvml.temperature) &&
                     bind(handle, "nvmlDeviceGetPcieThroughput", nvml.pcie);
  if (!whole) return "the NVIDIA driver's NVML is too old";
  if (const int result = nvml.init(); result != 0) return std::string("NVML: ") + nvml.errorString(result);
  return {};
}

}  // namespace

tl::expected<Nvml, std::string> Nvml::open(const std::string& uuid) {
  static const std::string trouble = loadOnce();
  if (!trouble.empty()) return tl::unexpected(trouble);
  Nvml gpu;
  if (const int result = nvml.byUuid(uuid.c_str(), &gpu.device_); result != 0) {
    return tl::unexpected("NVML: " + uuid + ": " + nvml.errorString(result));
  }
  gpu.values_ = {{"GPU Utilization [Throughput %]", "nvmlDeviceGetUtilizationRates.gpu"},
                 {"Memory Utilization [Throughput %]", "nvmlDeviceGetUtilizationRates.memory"},
                 {"Memory Used [bytes]", "nvmlDeviceGetMemoryInfo.used"},
                 {"SM Clock Frequency [MHz]", "nvmlDeviceGetClockInfo.SM"},
                 {"Memory Clock Frequency [MHz]", "nvmlDeviceGetClockInfo.MEM"},
                 {"Power [W]", "nvmlDeviceGetPowerUsage"},
                 {"Temperature [°C]", "nvmlDeviceGetTemperature"},
                 {"PCIe RX [MB/s]", "nvmlDeviceGetPcieThroughput.RX"},
                 {"PCIe TX [MB/s]", "nvmlDeviceGetPcieThroughput.TX"}};
  gpu.sampled_.resize(gpu.values_.size());
  return gpu;
}

std::span<const double> Nvml::sample() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  constexpr double kHertz = 1e6, kMegabytes = 1e-3, kWatts = 1e-3;  // of MHz, KB/s, mW
  const auto number = [&](double scale, auto function, auto... which) {
    unsigned value = 0;
    return function(device_, which..., &value) == 0 ? static_cast<double>(value) * scale : kNone;
  };
  Utilization busy;
  const bool isBusyKnown = nvml.utilization(device_, &busy) == 0;
  Memory memory;
  const bool isMemoryKnown = nvml.memory(device_, &memory) == 0;
  sampled_ = {isBusyKnown ? static_cast<double>(busy.gpu) : kNone,
              isBusyKnown ? static_cast<double>(busy.memory) : kNone,
              isMemoryKnown ? static_cast<double>(memory.used) : kNone,
              number(kHertz, nvml.clock, kSmClock),
              number(kHertz, nvml.clock, kMemoryClock),
              number(kWatts, nvml.power),
              number(1, nvml.temperature, kCore),
              number(kMegabytes, nvml.pcie, kPcieReceived),
              number(kMegabytes, nvml.pcie, kPcieSent)};
  return sampled_;
}

}  // namespace lanescope::sample
