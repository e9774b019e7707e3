// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/sampler.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>

#include "collector/sample/gpus.h"
#include "collector/sample/metric_table.h"
#include "collector/sample/nvml_source.h"
#include "collector/sample/orders.h"
#include "collector/sample/pm_source.h"

namespace lanescope::sample {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

/// Which GPUs, by their place in the list; the error is for the user.
tl::expected<std::vector<std::size_t>, std::string> chosen(const Orders& orders, std::size_t count) {
  std::vector<std::size_t> gpus;
  for (const std::string& word : orders.options("gpu-metrics-devices")) {
    if (word == "all" || word == "cuda-visible") {
      for (std::size_t i = 0; i < count; ++i) gpus.push_back(i);
      continue;
    }
    std::size_t number = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    if (read.ec != std::errc() || read.ptr != word.data() + word.size() || number >= count) {
      return tl::unexpected("--gpu-metrics-devices: there is no GPU " + word + " here; see --gpu-metrics-devices=help");
    }
    gpus.push_back(number);
  }
  std::sort(gpus.begin(), gpus.end());
  gpus.erase(std::unique(gpus.begin(), gpus.end()), gpus.end());
  return gpus;
}

/// The frequency of the nth of the GPUs, in Hz; the last one given holds for the rest.
std::uint64_t frequency(const Orders& orders, std::size_t nth) {
  const std::vector<std::string> all = orders.options("gpu-metrics-frequency");
  std::uint64_t hertz = 10'000;
  if (!all.empty()) {
    const std::string& text = all[std::min(nth, all.size() - 1)];
    std::from_chars(text.data(), text.data() + text.size(), hertz);
  }
  return std::clamp<std::uint64_t>(hertz, 10, 200'000);
}

void describe(MetricFile& file, const Gpu& gpu, std::size_t number) {
  wire::Device device = gpu.device;
  device.name = file.text(gpu.name);
  file.record(wire::RecordType::kDevice, device, static_cast<std::uint32_t>(number));
}

std::string processorTime() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto ms = [](const timeval& time) { return time.tv_sec * 1000 + time.tv_usec / 1000; };
  return std::to_string(ms(used.ru_utime) + ms(used.ru_stime));
}

/// Why GPUs are not sampled as asked: one line for all that have the same reason.
class Troubles {
 public:
  void add(std::string what, std::size_t gpu, MetricFile& file) {
    for (Trouble& known : troubles_) {
      if (known.what == what) {
        known.gpus += ", " + std::to_string(gpu);
        return;
      }
    }
    troubles_.push_back({std::move(what), "GPU " + std::to_string(gpu), &file});
  }
  void tell(const Orders& orders) const {
    for (const Trouble& trouble : troubles_) {
      const std::string line = trouble.gpus + ": " + trouble.what;
      trouble.file->message(1, line);
      orders.tell("say", line);
    }
  }

 private:
  struct Trouble {
    std::string what, gpus;
    MetricFile* file;  ///< of the first
  };
  std::vector<Trouble> troubles_;
};

/// Samples while the recording is on.
template <class Source>
void sample(Source& source, MetricFile& file, const Orders& orders) {
  file.flush();
  bool on = false;
  std::uint64_t compared = 0;
  std::uint32_t answered = orders.flushAsked();
  for (;;) {
    const std::uint32_t seen = orders.seen();
    const std::uint32_t asked = orders.flushAsked();  // before the capture, whose end nobody answers
    const wire::Capture capture = orders.capture();
    const bool more = on && source.drain(file);
    if ((capture == wire::Capture::kOn) != on) {
      on = !on;
      on ? source.start(file) : source.stop(file);
    }
    const std::uint64_t now = readClock(CLOCK_MONOTONIC);
    const bool ends = capture == wire::Capture::kEnded;
    if (source.clock().isKnown() && (ends || now - compared >= kSecond || source.clock().isOwn())) {
      compared = now;
      file.clocks(source.clock().pair());
    }
    file.flush();
    if (ends) break;
    if (asked != answered) orders.flushed();
    answered = asked;
    if (!more) orders.wait(seen, on ? source.between() : kSecond / 10);
  }
}

}  // namespace

int sampleGpus(const std::string& folder, int launcher, const std::vector<std::string>& cuptis) {
  const Orders orders(folder, launcher);
  // Samples are lost where it does not run for a fifth of a second; root may have it preferred, others go without.
  constexpr int kPreferred = -10;
  [[maybe_unused]] const int ignored = setpriority(PRIO_PROCESS, 0, kPreferred);
  orders.tell("pid", std::to_string(getpid()));
  const auto refuse = [&](const std::string& why) {
    orders.tell("refuse", why);
    return 2;
  };
  const std::string devices = orders.option("gpu-metrics-devices");
  const auto gpus = findGpus(devices == "cuda-visible" ? Visible::kAsIsSet : Visible::kAll);
  if (!gpus) {
    orders.tell("say", "no GPU metrics: " + gpus.error());
    orders.tell("ready");
    return 0;
  }
  const auto numbers = chosen(orders, gpus->size());
  if (!numbers) return refuse(numbers.error());
  const auto set = metricSet(orders.option("gpu-metrics-set"));
  if (!set) return refuse("--gpu-metrics-set: " + set.error());

  const PmAccess access(cuptis);
  std::vector<std::unique_ptr<MetricFile>> files;
  std::vector<std::function<void()>> work;
  const auto sampling = [&](auto source, MetricFile& file) {
    work.push_back([source = std::shared_ptr(std::move(source)), &file, &orders] { sample(*source, file, orders); });
  };
  Troubles troubles;
  for (std::size_t nth = 0; nth < numbers->size(); ++nth) {
    const std::size_t number = (*numbers)[nth];
    const Gpu& gpu = (*gpus)[number];
    MetricFile& file = *files.emplace_back(std::make_unique<MetricFile>());
    if (!file.create(folder + "/" + std::to_string(number) + ".metrics")) {
      orders.tell("say", "no GPU metrics: " + folder + ": " + std::strerror(errno));
      files.pop_back();
      continue;
    }
    describe(file, gpu, number);
    const std::uint64_t hertz = frequency(orders, nth);
    if (auto counters = PmSource::open(access, number, *set, kSecond / hertz, file)) {
      sampling(std::move(*counters), file);
    } else if (auto nvml = NvmlSource::open(uuidText(gpu.device), hertz, file)) {
      troubles.add("only utilisation, memory, clocks, power, temperature and PCIe, by NVML: " + counters.error(),
                   number, file);
      sampling(std::move(*nvml), file);
    } else {
      troubles.add("no metrics: " + counters.error() + "; nor by NVML: " + nvml.error(), number, file);
    }
  }
  troubles.tell(orders);
  for (const auto& file : files) file->flush();
  orders.tell("ready", std::to_string(work.size()));
  std::vector<std::thread> threads;
  threads.reserve(work.size());
  for (const auto& one : work) threads.emplace_back(one);
  for (std::thread& thread : threads) thread.join();
  for (const auto& file : files) {
    file->facts("sampler-cpu-ms=" + processorTime() + "\n");
    file->end();
  }
  return 0;
}

}  // namespace lanescope::sample
