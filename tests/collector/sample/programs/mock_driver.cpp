// SPDX-License-Identifier: Apache-2.0
// Stand-ins for libcuda and libnvidia-ml in one: a machine with MOCK_GPUS GPUs, 1 if that is not set.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define MOCK extern "C" __attribute__((visibility("default")))

namespace {

int gpus() {
  const char* set = std::getenv("MOCK_GPUS");
  return set ? std::atoi(set) : 1;
}

}  // namespace

MOCK int cuInit(unsigned) { return gpus() > 0 ? 0 : 100; }
MOCK int cuDeviceGetCount(int* count) {
  *count = gpus();
  return 0;
}
MOCK int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
MOCK int cuDeviceGetName(char* name, int size, int) {
  std::snprintf(name, static_cast<std::size_t>(size), "NVIDIA Mock");
  return 0;
}
MOCK int cuDeviceGetUuid(void* uuid, int device) {
  std::memset(uuid, 0x11 + device, 16);
  return 0;
}
MOCK int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = 80ull << 30;
  return 0;
}
MOCK int cuDeviceGetAttribute(int* value, int attribute, int device) {
  *value = attribute == 33 ? device + 6 : attribute == 34 || attribute == 50 ? 0 : attribute;
  return 0;
}
MOCK int cuGetErrorName(int, const char** name) {
  *name = "CUDA_ERROR_NO_DEVICE";
  return 0;
}

MOCK int nvmlInit_v2() { return 0; }
MOCK const char* nvmlErrorString(int) { return "Not Found"; }
MOCK int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  *device = nullptr;
  return std::strncmp(uuid, "GPU-13", 6) != 0 ? 0 : 6;
}
MOCK int nvmlDeviceGetUtilizationRates(void*, unsigned* rates) {
  rates[0] = 42, rates[1] = 7;
  return 0;
}
MOCK int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
  memory[0] = 80ull << 30, memory[1] = 79ull << 30, memory[2] = 1ull << 30;
  return 0;
}
MOCK int nvmlDeviceGetClockInfo(void*, unsigned type, unsigned* mhz) {
  *mhz = type == 1 ? 1980 : 2619;
  return 0;
}
MOCK int nvmlDeviceGetPowerUsage(void*, unsigned* mw) {
  *mw = 123456;
  return 0;
}
MOCK int nvmlDeviceGetTemperature(void*, unsigned, unsigned* degrees) {
  *degrees = 35;
  return 0;
}
MOCK int nvmlDeviceGetPcieThroughput(void*, unsigned, unsigned*) { return 3; }  // not supported
