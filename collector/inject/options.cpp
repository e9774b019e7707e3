// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/options.h"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace lanescope::inject {
namespace {

struct Word {
  const char* at;
  std::size_t length;
  bool operator==(const char* text) const { return std::strlen(text) == length && std::memcmp(at, text, length) == 0; }
  bool startsWith(const char* text) const {
    const std::size_t wanted = std::strlen(text);
    return wanted <= length && std::memcmp(at, text, wanted) == 0;
  }
};

std::uint32_t numberIn(Word word) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < word.length && word.at[i] >= '0' && word.at[i] <= '9'; ++i) {
    value = value * 10 + static_cast<std::uint64_t>(word.at[i] - '0');
    if (value > 0xFFFFFFFFull) return 0xFFFFFFFFu;
  }
  return static_cast<std::uint32_t>(value);
}

bool isYes(Word word) { return word == "1" || word == "true" || word == "yes"; }

void copyText(Word word, char (&to)[Options::kLongest]) {
  const std::size_t length = word.length < sizeof to - 1 ? word.length : sizeof to - 1;
  std::memcpy(to, word.at, length);
  to[length] = 0;
}

/// Calls `each` for every comma-separated word.
template <class Each>
void eachOf(Word list, Each&& each) {
  while (list.length > 0) {
    const void* comma = std::memchr(list.at, ',', list.length);
    const std::size_t length =
        comma != nullptr ? static_cast<std::size_t>(static_cast<const char*>(comma) - list.at) : list.length;
    each(Word{list.at, length});
    const std::size_t step = length < list.length ? length + 1 : length;
    list = {list.at + step, list.length - step};
  }
}

std::uint32_t kindsIn(Word list) {
  static constexpr struct {
    const char* name;
    std::uint32_t bit;
  } kNames[] = {{"kernel", kKindKernel}, {"memcpy", kKindMemcpy},        {"memset", kKindMemset},
                {"sync", kKindSync},     {"overhead", kKindOverhead},    {"jit", kKindJit},
                {"event", kKindEvent},   {"graph", kKindGraph},          {"descriptions", kKindDescriptions},
                {"memory", kKindMemory}, {"cpu-faults", kKindCpuFaults}, {"gpu-faults", kKindGpuFaults}};
  std::uint32_t bits = 0;
  eachOf(list, [&](Word word) {
    for (const auto& known : kNames) {
      if (word == known.name) bits |= known.bit;
    }
  });
  return bits;
}

void takeCaptureEnd(Word value, Options& options) {
  if (value == "none") options.captureEnd = CaptureEnd::kIgnored;
  if (value.startsWith("stop")) options.captureEnd = CaptureEnd::kStop;
  if (!value.startsWith("repeat")) return;
  options.captureEnd = CaptureEnd::kRepeat;
  if (const void* colon = std::memchr(value.at, ':', value.length)) {
    const char* number = static_cast<const char*>(colon) + 1;
    options.captures = numberIn({number, static_cast<std::size_t>(value.at + value.length - number)});
  }
}

void takeOption(Word name, Word value, Options& options) {
  if (name == "trace") {
    options.cuda = options.nvtx = options.osRuntime = options.mpi = false;
    eachOf(value, [&](Word word) {
      if (word == "cuda") options.cuda = true;
      if (word == "nvtx") options.nvtx = true;
      if (word == "osrt") options.osRuntime = true;
      if (word == "mpi") options.mpi = true;
    });
  } else if (name == "api") {
    options.apiRecorded = !(value == "none");
    options.apiByCallbacks = !(value == "activity");
  } else if (name == "capture") {
    options.captureBy = value == "cudaProfilerApi" ? CaptureBy::kProfilerApi
                        : value == "nvtx"          ? CaptureBy::kNvtx
                                                   : CaptureBy::kNone;
  } else if (name == "capture-end") {
    takeCaptureEnd(value, options);
  } else if (name == "cuda-graph-trace") {
    options.graphNodes = value.startsWith("node");
  } else if (name == "cupti-kinds") {
    options.kinds = kindsIn(value);
  } else if (name == "cupti-more-kinds") {
    options.kinds |= kindsIn(value);
  } else if (name == "repeat") {
    options.captures = numberIn(value);
  }

  struct Flag {
    const char* name;
    bool* to;
  };
  for (const Flag& flag :
       {Flag{"cuda-trace-all-apis", &options.allApis}, Flag{"cupti-driver", &options.driverCalls},
        Flag{"cupti-per-thread", &options.perThreadBuffers}, Flag{"cupti-latency", &options.latencyTimestamps},
        Flag{"python-stacks", &options.pythonStacks}, Flag{"python-gil", &options.pythonGil},
        Flag{"osrt-file-access", &options.osFileAccess}}) {
    if (name == flag.name) *flag.to = isYes(value);
  }
  struct Number {
    const char* name;
    std::uint32_t* to;
  };
  for (const Number& number :
       {Number{"cuda-flush-interval-ms", &options.flushMs}, Number{"write-interval-ms", &options.writeMs},
        Number{"cupti-buffer-kb", &options.bufferKb}, Number{"cupti-device-buffer-kb", &options.deviceBufferKb},
        Number{"cupti-device-pool", &options.devicePool}, Number{"osrt-threshold", &options.osThreshold},
        Number{"osrt-backtrace-threshold", &options.osStackThreshold},
        Number{"osrt-backtrace-stack-size", &options.osStackBytes},
        Number{"python-stacks-from", &options.pythonStacksFrom}, Number{"cuda-stacks-kernel", &options.cudaStacks[0]},
        Number{"cuda-stacks-memory", &options.cudaStacks[1]}, Number{"cuda-stacks-sync", &options.cudaStacks[2]},
        Number{"cuda-stacks-other", &options.cudaStacks[3]}, Number{"cpu-timers", &options.cpuTimerHertz}}) {
    if (name == number.name) *number.to = numberIn(value);
  }
  if (name == "nvtx-capture") copyText(value, options.nvtxCapture);
  if (name == "nvtx-domain-include") copyText(value, options.nvtxInclude);
  if (name == "nvtx-domain-exclude") copyText(value, options.nvtxExclude);
  if (name == "cupti") copyText(value, options.cupti);
  if (name == "rings") copyText(value, options.rings);
}

}  // namespace

void parseOptions(const char* text, std::size_t length, char separator, Options& options) {
  const char* const end = text + length;
  while (text < end) {
    const void* stop = std::memchr(text, separator, static_cast<std::size_t>(end - text));
    const char* const lineEnd = stop != nullptr ? static_cast<const char*>(stop) : end;
    const void* equals = std::memchr(text, '=', static_cast<std::size_t>(lineEnd - text));
    if (equals != nullptr) {
      const char* const value = static_cast<const char*>(equals) + 1;
      takeOption({text, static_cast<std::size_t>(value - 1 - text)}, {value, static_cast<std::size_t>(lineEnd - value)},
                 options);
    }
    text = lineEnd + 1;
  }
  const auto within = [](std::uint32_t value, std::uint32_t least, std::uint32_t most) {
    return value < least ? least : value > most ? most : value;
  };
  options.writeMs = within(options.writeMs, 1, 10000);
  options.bufferKb = within(options.bufferKb, 64, 16384);
  options.deviceBufferKb = within(options.deviceBufferKb, 512, 262144);
  options.devicePool = within(options.devicePool, 1, 1024);
}

bool listNames(const char* list, const char* name) {
  while (*list != 0) {
    const char* wanted = name;
    bool same = true;
    for (; *list != 0 && *list != ','; ++list) {
      if (list[0] == '\\' && list[1] != 0) ++list;
      if (same && *list == *wanted) {
        ++wanted;
      } else {
        same = false;
      }
    }
    if (same && *wanted == 0) return true;
    if (*list == ',') ++list;
  }
  return false;
}

}  // namespace lanescope::inject
