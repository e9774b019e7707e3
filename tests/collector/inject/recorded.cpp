// SPDX-License-Identifier: Apache-2.0
#include "tests/collector/inject/recorded.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "collector/wire/checksum.h"

namespace lanescope::test {
namespace {

using wire::RecordType;

std::uint64_t textNamedBy(const Recorded& record) {
  switch (record.header.type) {
    case RecordType::kNvtxPush:
    case RecordType::kNvtxStart:
    case RecordType::kNvtxMark:
      return record.as<wire::NvtxEvent>().text;
    case RecordType::kNvtxDomain:
    case RecordType::kNvtxCategory:
    case RecordType::kThreadName:
    case RecordType::kResourceName:
    case RecordType::kStreamName:
      return record.as<wire::Named>().text;
    case RecordType::kNvtxSchema:
      return record.as<wire::NvtxSchema>().name;
    case RecordType::kNvtxSchemaEntry:
      return record.as<wire::NvtxSchemaEntry>().name;
    case RecordType::kApi:
      return record.as<wire::Api>().name;
    case RecordType::kKernel:
      return record.as<wire::Kernel>().name;
    case RecordType::kOsCall:
      return record.as<wire::OsCall>().name;
    case RecordType::kMpiCall:
      return record.as<wire::MpiCall>().name;
    case RecordType::kModule:
      return record.as<wire::Module>().path;
    case RecordType::kMessage:
      return record.as<wire::Message>().text;
    default:
      return 0;
  }
}

struct Reader {
  Stream stream;
  std::map<std::uint32_t, std::map<std::uint64_t, std::string>> rings;  ///< by slot and offset
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> tids;

  void records(const std::string& bytes, std::uint32_t tid, std::uint32_t slot, bool inRing,
               std::set<std::uint64_t>& known) {
    for (std::size_t at = 0; at + sizeof(wire::RecordHeader) <= bytes.size();) {
      Recorded record;
      std::memcpy(&record.header, bytes.data() + at, sizeof record.header);
      if (record.header.type == RecordType::kPad) {
        at += record.header.aux;
        continue;
      }
      ASSERT_GE(record.header.size, sizeof record.header);
      ASSERT_EQ(record.header.size % 8, 0);
      ASSERT_LE(at + record.header.size, bytes.size());
      record.bytes = bytes.substr(at, record.header.size);
      record.tid = tid;
      record.slot = slot;
      record.inRing = inRing;
      if (record.header.type == RecordType::kString) {
        const std::string text = record.bytes.substr(sizeof(wire::String), record.header.aux);
        const auto id = record.as<wire::String>().id;
        EXPECT_EQ(id, wire::hash64(text.data(), text.size()));
        known.insert(id);
        stream.texts[id] = text;
      }
      const std::uint64_t named = textNamedBy(record);
      if (named != 0 && !known.contains(named)) stream.missesText = true;
      at += record.header.size;
      stream.records.push_back(std::move(record));
    }
  }

  void chunk(const wire::ChunkHeader& header, const std::string& bytes) {
    std::set<std::uint64_t> known;
    switch (header.type) {
      case wire::ChunkType::kFacts: {
        std::istringstream lines(bytes);
        for (std::string line; std::getline(lines, line);) {
          const std::string name = line.substr(0, line.find('='));
          std::string& value = stream.facts[name];
          if (!value.empty() && name == "range-seen") value += "|";
          value = (name == "range-seen" ? value : "") + line.substr(line.find('=') + 1);
        }
        break;
      }
      case wire::ChunkType::kClock:
        EXPECT_EQ(bytes.size(), sizeof(wire::ClockPair));
        ++stream.clocks;
        break;
      case wire::ChunkType::kCut:
        ADD_FAILURE() << "stands beside a stream only";
        break;
      case wire::ChunkType::kRing:
        rings[header.slot][header.offset] = bytes;
        tids[{header.slot, header.offset}] = header.tid;
        break;
      case wire::ChunkType::kCupti:
        records(bytes, 0, 0, false, known);
        break;
      case wire::ChunkType::kLosses:
        for (std::size_t at = 0; at + sizeof(wire::Loss) <= bytes.size(); at += sizeof(wire::Loss)) {
          wire::Loss loss;
          std::memcpy(static_cast<void*>(&loss), bytes.data() + at, sizeof loss);
          stream.losses[static_cast<wire::LossKind>(loss.header.aux)] = loss.count;
        }
        break;
      case wire::ChunkType::kEnd:
        ++stream.ends;
        break;
      case wire::ChunkType::kMetrics:
      case wire::ChunkType::kPerf:
      case wire::ChunkType::kPython:
        ADD_FAILURE() << "a process samples nothing from outside";
        break;
    }
  }

  void chunks(const std::string& file) {
    std::size_t at = 0;
    while (at + sizeof(wire::ChunkHeader) <= file.size()) {
      wire::ChunkHeader header;
      std::memcpy(&header, file.data() + at, sizeof header);
      if (header.magic != wire::kChunkMagic || at + sizeof header + header.bytes > file.size() ||
          wire::crcOf(header, file.data() + at + sizeof header) != header.crc) {
        ++stream.tornBytes;
        ++at;
        continue;
      }
      chunk(header, file.substr(at + sizeof header, header.bytes));
      at += sizeof header + header.bytes;
    }
    stream.tornBytes += static_cast<int>(file.size() - at);
  }

  /// What never made it into the file.
  void ringFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    std::string slot(wire::kRingStride, 0);
    for (std::uint32_t number = 0; number < wire::kRingSlots; ++number) {
      wire::RingHeader header;
      const auto base = static_cast<off_t>(number * wire::kRingStride);
      if (pread(file, static_cast<void*>(&header), sizeof header, base) != sizeof header) break;
      if (header.magic != wire::kRingMagic) continue;
      ASSERT_EQ(pread(file, slot.data(), slot.size(), base), static_cast<ssize_t>(slot.size()));
      for (std::uint64_t tail = header.tail; tail < header.head;) {
        const std::uint64_t at = tail % wire::kRingBytes;
        const std::uint64_t count = std::min(header.head - tail, wire::kRingBytes - at);
        rings[number][tail] = slot.substr(wire::kRingHeaderBytes + at, count);
        tids[{number, tail}] = header.tid;
        tail += count;
      }
    }
    close(file);
  }

  void mergeRings() {
    for (const auto& [slot, pieces] : rings) {
      std::set<std::uint64_t> known;
      std::uint64_t expected = 0;
      for (const auto& [offset, bytes] : pieces) {
        EXPECT_EQ(offset, expected) << "slot " << slot << " has a hole";
        expected = offset + bytes.size();
        records(bytes, tids[{slot, offset}], slot, true, known);
      }
    }
  }
};

}  // namespace

std::size_t Stream::count(RecordType type, const std::string& text) const {
  return static_cast<std::size_t>(std::count_if(records.begin(), records.end(), [&](const Recorded& record) {
    if (record.header.type != type) return false;
    if (text.empty()) return true;
    const auto found = texts.find(textNamedBy(record));
    return found != texts.end() && found->second == text;
  }));
}

std::vector<Recorded> Stream::all(RecordType type) const {
  std::vector<Recorded> found;
  std::copy_if(records.begin(), records.end(), std::back_inserter(found),
               [&](const Recorded& record) { return record.header.type == type; });
  return found;
}

std::string Stream::messages() const {
  std::string lines;
  for (const Recorded& message : all(RecordType::kMessage)) {
    const auto found = texts.find(message.as<wire::Message>().text);
    lines += (found != texts.end() ? found->second : "?") + "\n";
  }
  return lines;
}

Stream readStream(const std::filesystem::path& file) {
  Reader reader;
  reader.chunks(readFile(file));
  reader.ringFile(reader.stream.fact("rings"));
  reader.mergeRings();
  return std::move(reader.stream);
}

TestSession::TestSession(const std::string& options, wire::Capture capture) {
  writeFile(folder_ / "options", options);
  const int file = open((folder_ / "control").c_str(), O_RDWR | O_CREAT, 0600);
  EXPECT_EQ(ftruncate(file, 4096), 0);
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  control_ = new (page) wire::ControlPage;
  control_->magic = wire::ControlPage::kMagic;
  control_->capture = capture;
  control_->captures = capture == wire::Capture::kOn ? 1 : 0;
}

TestSession::~TestSession() {
  for (const Stream& stream : streams()) {
    if (!stream.fact("rings").empty()) std::filesystem::remove(stream.fact("rings"));
  }
  munmap(control_, 4096);
}

int TestSession::run(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    setenv("NVTX_INJECTION64_PATH", LANESCOPE_INJECT, 1);
    setenv("CUDA_INJECTION64_PATH", LANESCOPE_INJECT, 1);
    setenv(wire::kSessionVariable, folder_.path().c_str(), 1);
    // Sanitizers end programs in their own ways, and refuse threads in a forked child.
    setenv("TSAN_OPTIONS", "die_after_fork=0:handle_segv=0:handle_abort=0:atexit_sleep_ms=0:halt_on_error=1", 1);
    setenv("ASAN_OPTIONS", "handle_segv=0:handle_abort=0:detect_leaks=0", 1);
    for (const std::string& variable : environment) putenv(strdup(variable.c_str()));
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(strdup(word.c_str()));
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  output_.clear();
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    output_.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

std::vector<Stream> TestSession::streams() const {
  std::vector<Stream> all;
  for (const std::filesystem::path& file : filesIn(folder_.path(), ".stream")) all.push_back(readStream(file));
  return all;
}

Stream TestSession::onlyStream() const {
  std::vector<Stream> all = streams();
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? Stream() : std::move(all.front());
}

}  // namespace lanescope::test
