// SPDX-License-Identifier: Apache-2.0
#include "tests/support/perf_builder.h"

#include "collector/wire/checksum.h"
#include "tests/support/files.h"

namespace lanescope::test {
namespace {

template <class... Numbers>
std::string bytesOf(const Numbers&... numbers) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
  return bytes;
}

/// With its zero, and as many more as make it a multiple of 8.
std::string padded(std::string_view text) {
  std::string bytes(text);
  bytes.resize((text.size() / 8 + 1) * 8);
  return bytes;
}

}  // namespace

PerfBuilder::PerfBuilder(std::filesystem::path session, std::uint64_t sampleType)
    : session_(std::move(session)), type_(sampleType) {
  facts("sample-type=" + std::to_string(sampleType) + "\nregisters=" + std::to_string(wire::kPerfRegisters) +
        "\nsamples=1\nswitches=1\nbegan=0\n");
}

void PerfBuilder::chunk(wire::ChunkType type, std::string_view records) {
  wire::ChunkHeader header;
  header.type = type;
  header.time = writtenAt_;
  header.bytes = static_cast<std::uint32_t>(records.size());
  header.crc = wire::crcOf(header, records.data());
  stream_.append(reinterpret_cast<const char*>(&header), sizeof header).append(records);
}

void PerfBuilder::close() {
  if (!records_.empty()) chunk(wire::ChunkType::kPerf, records_);
  records_.clear();
}

PerfBuilder& PerfBuilder::facts(std::string_view lines) {
  close();
  chunk(wire::ChunkType::kFacts, lines);
  return *this;
}

PerfBuilder& PerfBuilder::writtenAt(std::uint64_t time) {
  close();
  writtenAt_ = time;
  return *this;
}

PerfBuilder& PerfBuilder::record(std::uint32_t type, std::uint16_t misc, std::string_view body,
                                 const wire::PerfId& id) {
  const perf_event_header header{type, misc, static_cast<std::uint16_t>(sizeof header + body.size() + sizeof id)};
  return raw(bytesOf(header)).raw(body).raw(bytesOf(id));
}

PerfBuilder& PerfBuilder::raw(std::string_view bytes) {
  records_ += bytes;
  return *this;
}

PerfBuilder& PerfBuilder::comm(std::uint64_t time, std::uint32_t process, std::uint32_t thread, std::string_view name,
                               bool exec) {
  return record(PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0, bytesOf(process, thread) + padded(name),
                {process, thread, time});
}

PerfBuilder& PerfBuilder::fork(std::uint64_t time, std::uint32_t parent, std::uint32_t parentThread,
                               std::uint32_t process, std::uint32_t thread) {
  return record(PERF_RECORD_FORK, 0, bytesOf(process, parent, thread, parentThread, time),
                {parent, parentThread, time});
}

PerfBuilder& PerfBuilder::exit(std::uint64_t time, std::uint32_t process, std::uint32_t thread, std::uint32_t cpu) {
  return record(PERF_RECORD_EXIT, 0, bytesOf(process, process, thread, process, time), {process, thread, time, cpu});
}

PerfBuilder& PerfBuilder::map(std::uint64_t time, std::uint32_t process, std::uint64_t start, std::uint64_t bytes,
                              std::string_view path, std::uint64_t offset) {
  constexpr std::uint64_t kNothing = 0;
  constexpr std::uint32_t kProtection = 5, kFlags = 2;
  return record(
      PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER,
      bytesOf(process, process, start, bytes, offset, kNothing, kNothing, kNothing, kProtection, kFlags) + padded(path),
      {process, process, time});
}

PerfBuilder& PerfBuilder::in(std::uint64_t time, std::uint32_t process, std::uint32_t thread, std::uint32_t cpu) {
  return record(PERF_RECORD_SWITCH, 0, {}, {process, thread, time, cpu});
}

PerfBuilder& PerfBuilder::out(std::uint64_t time, std::uint32_t process, std::uint32_t thread, std::uint32_t cpu,
                              bool preempted) {
  const int misc = PERF_RECORD_MISC_SWITCH_OUT | (preempted ? PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : 0);
  return record(PERF_RECORD_SWITCH, static_cast<std::uint16_t>(misc), {}, {process, thread, time, cpu});
}

PerfBuilder& PerfBuilder::sample(const PerfSampleRecord& sample) {
  std::string body = bytesOf(sample.ip, wire::PerfId{sample.process, sample.thread, sample.time, sample.cpu});
  body += bytesOf(std::uint64_t{sample.chain.size()});
  for (const std::uint64_t address : sample.chain) body += bytesOf(address);
  if ((type_ & PERF_SAMPLE_REGS_USER) != 0) {
    body += bytesOf(std::uint64_t{sample.registers.empty() ? PERF_SAMPLE_REGS_ABI_NONE : PERF_SAMPLE_REGS_ABI_64});
    for (const std::uint64_t value : sample.registers) body += bytesOf(value);
  }
  if ((type_ & PERF_SAMPLE_STACK_USER) != 0) {
    body += bytesOf(std::uint64_t{sample.stack.size()}) + sample.stack;
    if (!sample.stack.empty()) body += bytesOf(std::uint64_t{sample.stack.size()});
  }
  const int mode = sample.inKernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
  const perf_event_header header{PERF_RECORD_SAMPLE, static_cast<std::uint16_t>(mode),
                                 static_cast<std::uint16_t>(sizeof header + body.size())};
  return raw(bytesOf(header)).raw(body);
}

PerfBuilder& PerfBuilder::lost(std::uint64_t time, std::uint64_t count) {
  return record(PERF_RECORD_LOST, 0, bytesOf(std::uint64_t{1}, count), {0, 0, time});
}

PerfBuilder& PerfBuilder::throttled(std::uint64_t time) {
  return record(PERF_RECORD_THROTTLE, 0, bytesOf(time, std::uint64_t{1}, std::uint64_t{1}), {0, 0, time});
}

PerfBuilder& PerfBuilder::ended() {
  close();
  chunk(wire::ChunkType::kEnd, {});
  return *this;
}

std::string& PerfBuilder::stream() {
  close();
  return stream_;
}

void PerfBuilder::write() { writeFile(session_ / "cpu.perf", stream()); }

}  // namespace lanescope::test
