// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_target.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <set>

namespace lanescope::launch {

using report::Id;

namespace {

constexpr std::string_view kTarget = "Local (CLI)";

std::string timeText(std::time_t seconds, bool local) {
  std::tm fields{};
  if (!(local ? localtime_r(&seconds, &fields) : gmtime_r(&seconds, &fields))) return {};
  return fmt::format("{:%FT%T}", fields);
}

std::string uuidText(const std::uint8_t (&bytes)[16]) {
  std::string text;
  for (std::size_t i = 0; i < sizeof bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

/// The same for all who see this GPU, however much they know of it.
std::string identityOf(const wire::Device& device) {
  const auto isZero = [](std::uint8_t byte) { return byte == 0; };
  if (!std::all_of(std::begin(device.uuid), std::end(device.uuid), isZero)) return uuidText(device.uuid);
  return fmt::format("{}/{}/{}", device.pciDomain, device.pciBus, device.pciDevice);
}

report::Size3 size3(const std::uint32_t (&xyz)[3]) { return {xyz[0], xyz[1], xyz[2]}; }

void writeGpu(report::Writer& writer, Process& process, const wire::Device& device, Id id, const std::string& uuid) {
  const std::string bus = fmt::format("{:04x}:{:02x}:{:02x}.0", device.pciDomain, device.pciBus, device.pciDevice);
  writer.add(report::GpuRow{.vm = kMachine,
                            .id = id,
                            .name = process.text(device.name).value_or("GPU"),
                            .busLocation = bus,
                            .uuid = uuid,
                            .l2Bytes = device.l2Bytes,
                            .memoryBytes = static_cast<std::int64_t>(device.memoryBytes),
                            .memoryBandwidth = static_cast<std::int64_t>(device.memoryBandwidth),
                            .clockHz = std::int64_t{device.coreClockKHz} * 1000,
                            .multiprocessors = device.multiprocessors,
                            .cudaDevice = device.header.aux,
                            .constantMemory = static_cast<std::int64_t>(device.constantMemory),
                            .maxRegistersPerBlock = device.maxRegistersPerBlock,
                            .maxSharedPerBlock = device.maxSharedPerBlock,
                            .maxSharedPerSm = device.maxSharedPerSm,
                            .maxRegistersPerSm = device.maxRegistersPerSm,
                            .threadsPerWarp = device.threadsPerWarp,
                            .maxWarpsPerSm = device.maxWarpsPerSm,
                            .maxBlocksPerSm = device.maxBlocksPerSm,
                            .maxThreadsPerBlock = device.maxThreadsPerBlock,
                            .maxBlock = size3(device.maxBlock),
                            .maxGrid = size3(device.maxGrid),
                            .computeMajor = device.computeMajor,
                            .computeMinor = device.computeMinor});
}

/// Names given by handle: the handle may be the id itself, or one of the two that mean the default stream.
void tieStreamNames(Process& process) {
  constexpr std::uint32_t kStream = 1;
  for (const wire::Named& named : process.resourceNames) {
    if (named.header.aux != kStream) continue;
    for (const auto& [key, stream] : process.streams) {
      const auto context = process.contexts.find(key.first);
      const bool isDefault = context != process.contexts.end() && context->second.nullStream == key.second;
      if (key.second != named.key && (named.key > 2 || !isDefault)) continue;
      process.streamNames.try_emplace(key, named.text);
      break;
    }
  }
}

/// By nvtxResourceType, or 2 where it was named by a call of its own.
void writeDeviceNames(report::Writer& writer, Process& process) {
  constexpr std::uint32_t kDevice = 2, kDriverDevice = 0x40001, kRuntimeDevice = 0x50000;
  for (const wire::Named& named : process.resourceNames) {
    const std::uint32_t type = named.header.aux;
    if (type != kDevice && type != kDriverDevice && type != kRuntimeDevice) continue;
    if (const auto name = process.text(named.text))
      writer.add(report::DeviceNameRow{.name = *name, .hardware = 0, .vm = 1, .device = static_cast<Id>(named.key)});
  }
}

std::string endOf(const Process& process, const FactLines& facts, bool outlived) {
  if (process.replaced) return "became another program";
  if (std::string seen = seenEndOf(static_cast<std::int64_t>(process.pid), facts); !seen.empty()) return seen;
  if (process.becameOther) return "became another program";
  return process.ended ? "ended in order" : outlived ? "ran on" : "ended abruptly";
}

/// The program itself, of which there is no stream.
void writeProgram(report::Writer& writer, const FactLines& facts, const std::string& prefix, bool outlived) {
  const std::int64_t pid = *facts.number("program-pid");
  const std::string path(facts.text("executable"));
  writer.add(report::ProcessRow{.globalPid = globalPidOf(static_cast<std::uint64_t>(pid)),
                                .pid = pid,
                                .name = std::filesystem::path(path).filename().string()});
  writer.addCaptureFact(prefix + "PID", std::to_string(pid));
  if (const auto parent = facts.find("launcher-pid")) writer.addCaptureFact(prefix + "PPID", *parent);
  writer.addCaptureFact(prefix + "EXE", path);
  if (std::string seen = seenEndOf(pid, facts); !seen.empty()) writer.addCaptureFact(prefix + "ENDED", seen);
  else if (outlived) writer.addCaptureFact(prefix + "ENDED", "ran on");
}

}  // namespace

std::string factName(std::string_view name) {
  std::string text;
  for (const char c : name)
    text += c == '-' || c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string seenEndOf(std::int64_t pid, const FactLines& facts) {
  const std::string_view end = facts.text(fmt::format("{}{}", kEndedFact, pid));
  const std::string_view number = end.substr(std::min(end.find(' '), end.size() - 1) + 1);
  if (end.starts_with("signal ")) return fmt::format("ended by signal {}", number);
  return end.starts_with("code ") ? fmt::format("ended with exit code {}", number) : "";
}

void writeSession(report::Writer& writer, const FactLines& facts, const FactLines& options, const SessionStart& start) {
  for (const auto& [name, value] : facts.all()) {
    if (name.starts_with("take.")) continue;  // of other reports
    if (name == "command") writer.addCaptureFact("PROCESS_0:COMMAND", value);
    else if (name.starts_with("argument.")) writer.addCaptureFact("PROCESS_0:ARGUMENT_" + name.substr(9), value);
    else if (!name.starts_with(kEndedFact)) writer.addCaptureFact("LANESCOPE:" + factName(name), value);
  }
  for (const auto& [name, value] : options.all()) writer.addCaptureFact("LANESCOPE:OPTION:" + factName(name), value);
  if (const auto graphs = options.find("cuda-graph-trace"))
    writer.addCaptureFact("CUDA_GRAPH_TRACE_OPTIONS:MODE", *graphs == "node" ? "Node" : "Graph");
  if (const auto host = facts.find("host"))
    writer.add(
        report::MachineRow{.globalVid = kMachine, .source = kTarget, .name = "Hostname", .number = 0, .value = *host});
  const auto seconds = static_cast<std::time_t>(start.realtime / 1'000'000'000);
  const std::string utc = timeText(seconds, false), local = timeText(seconds, true);
  writer.add(report::SessionStartRow{.utcEpochNs = start.realtime, .utcTime = utc, .localTime = local});
}

std::size_t writeProcesses(report::Writer& writer, const Processes& processes, const FactLines& facts, bool outlived) {
  std::size_t number = 0;
  const auto program = facts.number("program-pid");
  const auto isProgram = [&](const auto& process) { return program == static_cast<std::int64_t>(process->pid); };
  if (program && *program > 0 && std::none_of(processes.begin(), processes.end(), isProgram))
    writeProgram(writer, facts, fmt::format("LANESCOPE:PROCESS_{}:", number++), outlived);
  for (const auto& process : processes) {
    const std::string path(process->facts.text("exe"));
    std::string name = std::filesystem::path(path).filename().string();
    if (name.empty()) name = fmt::format("process {}", process->pid);
    writer.add(
        report::ProcessRow{.globalPid = process->globalPid(), .pid = static_cast<Id>(process->pid), .name = name});
    const std::string prefix = fmt::format("LANESCOPE:PROCESS_{}:", number++);
    for (const auto& [fact, value] : process->facts.all())
      if (fact != "rings") writer.addCaptureFact(prefix + factName(fact), value);
    if (process->mpiRank) writer.addCaptureFact(prefix + "MPI_RANK", std::to_string(*process->mpiRank));
    writer.addCaptureFact(prefix + "ENDED", endOf(*process, facts, outlived));
    if (!process->clock.empty()) {
      writer.addCaptureFact(prefix + "WALL_CLOCK_AHEAD_NS", std::to_string(process->clock.firstOffset()));
      writer.addCaptureFact(prefix + "WALL_CLOCK_ERROR_NS", std::to_string(process->clock.error()));
      writer.addCaptureFact(prefix + "WALL_CLOCK_STEPS", std::to_string(process->clock.steps()));
    }
    for (const auto& [fact, known, code] :
         {std::tuple("driver-version", "NvDriverVersion", 205), std::tuple("cuda-version", "CudaDriverVersion", 611)}) {
      const auto value = process == processes.front() ? process->facts.find(fact) : std::nullopt;
      if (value)
        writer.add(report::MachineRow{
            .globalVid = kMachine, .source = kTarget, .name = known, .number = code, .value = *value});
    }
  }
  return number;
}

GpuIds::GpuIds(const Processes& processes, const Processes& samplers) {
  add(processes);
  add(samplers);
}

void GpuIds::add(const Processes& processes) {
  for (const auto& process : processes) {
    for (const auto& [ordinal, device] : process->devices)
      ids_.try_emplace(identityOf(device), static_cast<Id>(ids_.size()));
  }
}

Id GpuIds::of(const wire::Device& device) const {
  const auto found = ids_.find(identityOf(device));
  return found != ids_.end() ? found->second : 0;
}

void writeGpus(report::Writer& writer, const Processes& processes, const Processes& samplers, const GpuIds& ids) {
  std::set<Id> written;
  for (const Processes* all : {&processes, &samplers}) {
    for (const auto& process : *all) {
      for (const auto& [ordinal, device] : process->devices) {
        const std::string uuid = uuidText(device.uuid);
        const Id gpu = ids.of(device);
        if (written.insert(gpu).second) writeGpu(writer, *process, device, gpu, uuid);
        if (all == &samplers) continue;
        writer.add(report::CudaDeviceRow{.gpu = gpu,
                                         .ordinal = ordinal,
                                         .pid = static_cast<Id>(process->pid),
                                         .uuid = uuid,
                                         .multiprocessors = device.multiprocessors});
      }
    }
  }
}

void writeTarget(report::Writer& writer, Process& process) {
  const Id pid = static_cast<Id>(process.pid);
  for (const auto& [id, context] : process.contexts) {
    writer.add(report::ContextRow{.nullStream = context.nullStream,
                                  .hardware = 0,
                                  .vm = 1,
                                  .pid = pid,
                                  .device = context.device,
                                  .context = id,
                                  .parent = context.parent,
                                  .isGreen = context.isGreen});
  }
  for (const auto& [key, stream] : process.streams) {
    writer.add(report::StreamRow{.stream = key.second,
                                 .hardware = 0,
                                 .vm = 1,
                                 .pid = pid,
                                 .context = key.first,
                                 .priority = static_cast<std::uint32_t>(stream.priority),
                                 .flag = stream.flags});
  }
  for (const auto& [tid, text] : process.threadNames) {
    if (process.text(text))
      writer.add(report::ThreadNameRow{
          .name = process.string(text, writer), .globalTid = process.globalTid(tid), .priority = {}});
  }
  for (const auto& [tid, name] : process.systemNames) {
    if (process.threadNames.contains(tid) || name.empty()) continue;
    writer.add(report::ThreadNameRow{.name = writer.string(name), .globalTid = process.globalTid(tid), .priority = {}});
  }
  writeDeviceNames(writer, process);
  tieStreamNames(process);
  for (const auto& [key, text] : process.streamNames) {
    const auto name = process.text(text);
    if (!name) continue;
    const auto context = process.contexts.find(key.first);
    writer.add(report::StreamNameRow{.name = *name,
                                     .hardware = 0,
                                     .vm = 1,
                                     .pid = pid,
                                     .device = context != process.contexts.end() ? context->second.device : 0,
                                     .context = key.first,
                                     .stream = key.second});
  }
}

}  // namespace lanescope::launch
