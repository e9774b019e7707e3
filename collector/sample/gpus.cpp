// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/gpus.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace lanescope::sample {
namespace {

/// What of the driver's interface is used; no header of the toolkit is needed for so little.
struct Driver {
  int (*init)(unsigned) = nullptr;
  int (*count)(int*) = nullptr;
  int (*device)(int*, int) = nullptr;
  int (*name)(char*, int, int) = nullptr;
  int (*uuid)(void*, int) = nullptr;
  int (*memory)(std::size_t*, int) = nullptr;
  int (*attribute)(int*, int, int) = nullptr;
  int (*errorName)(int, const char**) = nullptr;
};

template <class T>
bool bind(void* library, const char* name, T& function) {
  function = reinterpret_cast<T>(dlsym(library, name));
  return function != nullptr;
}

tl::expected<Driver, std::string> loadDriver() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return tl::unexpected(std::string("no NVIDIA driver is loaded here"));
  Driver driver;
  const bool whole =
      bind(library, "cuInit", driver.init) && bind(library, "cuDeviceGetCount", driver.count) &&
      bind(library, "cuDeviceGet", driver.device) && bind(library, "cuDeviceGetName", driver.name) &&
      bind(library, "cuDeviceGetUuid", driver.uuid) && bind(library, "cuDeviceTotalMem_v2", driver.memory) &&
      bind(library, "cuDeviceGetAttribute", driver.attribute) && bind(library, "cuGetErrorName", driver.errorName);
  if (!whole) return tl::unexpected(std::string("the NVIDIA driver is too old"));
  return driver;
}

struct Attribute {
  int number;  ///< CUdevice_attribute
  std::uint32_t wire::Device::* field;
};
constexpr Attribute kAttributes[] = {
    {1, &wire::Device::maxThreadsPerBlock},
    {8, &wire::Device::maxSharedPerBlock},
    {10, &wire::Device::threadsPerWarp},
    {12, &wire::Device::maxRegistersPerBlock},
    {13, &wire::Device::coreClockKHz},
    {16, &wire::Device::multiprocessors},
    {33, &wire::Device::pciBus},
    {34, &wire::Device::pciDevice},
    {38, &wire::Device::l2Bytes},
    {50, &wire::Device::pciDomain},
    {75, &wire::Device::computeMajor},
    {76, &wire::Device::computeMinor},
    {81, &wire::Device::maxSharedPerSm},
    {82, &wire::Device::maxRegistersPerSm},
    {106, &wire::Device::maxBlocksPerSm},
};

std::uint32_t read(const Driver& driver, int attribute, int device) {
  int value = 0;
  return driver.attribute(&value, attribute, device) == 0 && value > 0 ? static_cast<std::uint32_t>(value) : 0;
}

Gpu describe(const Driver& driver, int device) {
  Gpu gpu;
  char name[256] = {};
  driver.name(name, sizeof name - 1, device);
  gpu.name = name;
  driver.uuid(gpu.device.uuid, device);
  std::size_t bytes = 0;
  driver.memory(&bytes, device);
  gpu.device.memoryBytes = bytes;
  for (const Attribute& attribute : kAttributes) gpu.device.*attribute.field = read(driver, attribute.number, device);
  gpu.device.constantMemory = read(driver, 9, device);
  // Double data rate: two transfers a clock, each as wide as the bus.
  gpu.device.memoryBandwidth = std::uint64_t{2} * read(driver, 36, device) * 1000 * (read(driver, 37, device) / 8);
  gpu.device.maxWarpsPerSm = read(driver, 39, device) / std::max(gpu.device.threadsPerWarp, 1u);
  for (int i = 0; i < 3; ++i) {
    gpu.device.maxBlock[i] = read(driver, 2 + i, device);
    gpu.device.maxGrid[i] = read(driver, 5 + i, device);
  }
  return gpu;
}

}  // namespace

tl::expected<std::vector<Gpu>, std::string> findGpus(Visible visible) {
  if (visible == Visible::kAll) {
    unsetenv("CUDA_VISIBLE_DEVICES");
    setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
  }
  // The driver must not load a recorder into us.
  unsetenv("CUDA_INJECTION64_PATH");
  const tl::expected<Driver, std::string> driver = loadDriver();
  if (!driver) return tl::unexpected(driver.error());
  const auto refuse = [&](int result) {
    const char* name = nullptr;
    driver->errorName(result, &name);
    return tl::unexpected("the CUDA driver finds no GPU: " + std::string(name ? name : "unknown error") + " (" +
                          std::to_string(result) + ")");
  };
  if (const int result = driver->init(0); result != 0) return refuse(result);
  int count = 0;
  if (const int result = driver->count(&count); result != 0) return refuse(result);
  std::vector<Gpu> gpus;
  for (int i = 0; i < count; ++i) {
    int device = 0;
    if (const int result = driver->device(&device, i); result != 0) return refuse(result);
    gpus.push_back(describe(*driver, device));
  }
  return gpus;
}

std::string uuidText(const wire::Device& device) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof device.uuid; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", device.uuid[i]);
    text += digits;
  }
  return text;
}

std::string gpuHelp() {
  std::string text =
      "GPUs for --gpu-metrics-devices, with commas between; or all, none, or cuda-visible for those that the program\n"
      "sees by its CUDA_VISIBLE_DEVICES:\n";
  const auto gpus = findGpus(Visible::kAll);
  if (!gpus) return text + "  none here: " + gpus.error() + "\n";
  for (std::size_t i = 0; i < gpus->size(); ++i) {
    const wire::Device& device = (*gpus)[i].device;
    char place[32];
    std::snprintf(place, sizeof place, "%04x:%02x:%02x.0", device.pciDomain, device.pciBus, device.pciDevice);
    text += "  " + std::to_string(i) + "  " + (*gpus)[i].name + "  PCI " + place + "\n";
  }
  return text;
}

}  // namespace lanescope::sample
