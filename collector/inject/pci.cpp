// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/pci.h"

#include <dirent.h>

#include <cstdio>
#include <cstring>

#include "collector/inject/facts.h"

namespace lanescope::inject {

PciAddress pciOf(const std::uint8_t (&uuid)[16]) {
  char wanted[48] = "GPU-";
  std::size_t length = 4;
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) wanted[length++] = '-';
    std::snprintf(wanted + length, 3, "%02x", uuid[i]);
    length += 2;
  }
  PciAddress found;
  DIR* folder = opendir("/proc/driver/nvidia/gpus");
  if (folder == nullptr) return found;
  while (const dirent* entry = readdir(folder)) {
    char path[320], text[2048];
    PciAddress address;
    if (std::sscanf(entry->d_name, "%x:%x:%x", &address.domain, &address.bus, &address.device) != 3) continue;
    std::snprintf(path, sizeof path, "/proc/driver/nvidia/gpus/%s/information", entry->d_name);
    text[readWhole(path, text, sizeof text - 1)] = 0;
    if (std::strstr(text, wanted) != nullptr) found = address;
  }
  closedir(folder);
  return found;
}

}  // namespace lanescope::inject
