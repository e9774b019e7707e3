// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cupti_trouble.h"

#include <cstdio>
#include <cstring>

#include "collector/inject/facts.h"
#include "collector/inject/process.h"

namespace lanescope::inject {
namespace {

/// The version of the driver's module, as /proc has it; false if there is none.
bool driverVersion(char (&to)[64]) {
  char text[512];
  text[readWhole("/proc/driver/nvidia/version", text, sizeof text - 1)] = 0;
  std::snprintf(to, sizeof to, "none loaded");
  for (const char* at = text; *at != 0; ++at) {
    const std::size_t digits = std::strspn(at, "0123456789.");
    if (digits >= 6 && std::strchr(at, '.') != nullptr && at != text && at[-1] == ' ') {
      std::snprintf(to, sizeof to, "%.*s", static_cast<int>(digits < 60 ? digits : 60), at);
      return true;
    }
    if (digits > 0) at += digits - 1;
  }
  return false;
}

const char* adviceFor(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "the driver allows profiling to administrators only: set NVreg_RestrictProfilingToAdminUsers=0 "
             "(RmProfilingAdminOnly in /proc/driver/nvidia/params), or give the container --cap-add=SYS_ADMIN";
    case CUPTI_ERROR_NOT_INITIALIZED:
    case CUPTI_ERROR_NOT_COMPATIBLE:
    case CUPTI_ERROR_UNKNOWN:
      return "this libcupti does not fit the driver, or a stub libcuda was found first: name one of the driver's CUDA "
             "version or older, and keep lib64/stubs out of LD_LIBRARY_PATH";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return "the virtual GPU does not allow profiling: enable it in the hypervisor's settings";
    default:
      return "update the driver or CUPTI so that both are of one CUDA version";
  }
}

const char* nameOf(const CuptiLibrary& library, CUptiResult result) {
  const char* name = nullptr;
  if (library.cuptiGetResultString != nullptr) library.cuptiGetResultString(result, &name);
  return name != nullptr ? name : "unknown error";
}

}  // namespace

bool subscribeTo(const CuptiLibrary& library, CUpti_CallbackFunc callback, CUpti_SubscriberHandle& subscriber,
                 SubscribeTrouble& trouble) {
  CUptiResult result;
  char holder[128] = {};
  if (library.cuptiSubscribe_v2 != nullptr) {
    CUpti_SubscriberParams parameters = {};
    parameters.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    parameters.subscriberName = "lanescope";
    parameters.oldSubscriberName = holder;
    parameters.oldSubscriberSize = sizeof holder;
    result = library.cuptiSubscribe_v2(&subscriber, callback, nullptr, &parameters);
  } else {
    result = library.cuptiSubscribe(&subscriber, callback, nullptr);
  }
  if (result == CUPTI_SUCCESS) {
    trouble = {};
    return true;
  }
  holder[sizeof holder - 1] = 0;
  trouble.result = result;
  trouble.version = library.version;
  std::memcpy(trouble.holder, holder, sizeof holder);
  std::snprintf(trouble.reason, sizeof trouble.reason, "%s", nameOf(library, result));
  std::memcpy(trouble.path, library.path, sizeof trouble.path);
  return result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
}

void tellCuptiTrouble(Session& session, bool found, const SubscribeTrouble& trouble) {
  char text[1800], driver[64];
  const bool loaded = driverVersion(driver);
  if (trouble.result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
    std::snprintf(text, sizeof text,
                  "no GPU data: %s%s%s already uses CUPTI in this process, and only one tool can (%s, version %u); "
                  "switch it off for this run, NVTX is recorded all the same",
                  trouble.holder[0] != 0 ? "'" : "another tool", trouble.holder, trouble.holder[0] != 0 ? "'" : "",
                  trouble.path, trouble.version);
  } else if (trouble.any()) {
    std::snprintf(text, sizeof text, "no GPU data: CUPTI refused (%s) in %s, version %u, driver %s; %s", trouble.reason,
                  trouble.path, trouble.version, driver,
                  loaded ? adviceFor(trouble.result)
                         : "no NVIDIA driver is loaded here: nvidia-smi must work, and a container needs --gpus all");
  } else if (!found) {
    std::snprintf(
        text, sizeof text,
        "no GPU data: no libcupti.so.13 or .12 was found in this process, beside its CUDA libraries, on the "
        "loader's path or in /usr/local/cuda (driver %s); install cuda-cupti of the CUDA toolkit or the wheel "
        "nvidia-cuda-cupti, or name the file%s%s",
        driver, session.options.cupti[0] != 0 ? "; unusable: " : "", session.options.cupti);
  }
  tellUser(1, text);
}

void tellKindRefused(const CuptiLibrary& library, const char* what, CUptiResult result) {
  char text[512];
  std::snprintf(text, sizeof text, "no GPU data about %s: CUPTI refused (%s); %s", what, nameOf(library, result),
                adviceFor(result));
  tellUser(1, text);
}

}  // namespace lanescope::inject
