// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/session.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "collector/inject/clock.h"
#include "collector/inject/facts.h"
#include "collector/inject/memory.h"
#include "collector/inject/process.h"

namespace lanescope::inject {
namespace {

bool pathOf(char (&to)[Session::kLongestPath], const char* format, const char* folder, int pid, std::uint64_t started) {
  const int length = std::snprintf(to, sizeof to, format, folder, pid, static_cast<unsigned long long>(started));
  return length > 0 && static_cast<std::size_t>(length) < sizeof to;
}

wire::ControlPage* mapControl(const char* folder) {
  char path[Session::kLongestPath + 16];
  std::snprintf(path, sizeof path, "%s/control", folder);
  const int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  void* page = MAP_FAILED;
  struct stat found{};
  if (statOf(descriptor, found) == 0 && static_cast<std::size_t>(found.st_size) >= sizeof(wire::ControlPage)) {
    page = mmap(nullptr, sizeof(wire::ControlPage), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  }
  close(descriptor);
  if (page == MAP_FAILED) return nullptr;
  auto* control = static_cast<wire::ControlPage*>(page);
  return control->magic == wire::ControlPage::kMagic ? control : nullptr;
}

void readOptions(const char* folder, Options& options) {
  char path[Session::kLongestPath + 16];
  std::snprintf(path, sizeof path, "%s/options", folder);
  constexpr std::size_t kMost = 64u << 10;
  auto* text = static_cast<char*>(mapPages(kMost));
  if (text == nullptr) return;
  const std::size_t length = readWhole(path, text, kMost);
  parseOptions(text, length, '\n', options);
  unmapPages(text, kMost);
  if (const char* more = std::getenv(kMoreOptionsVariable)) parseOptions(more, std::strlen(more), ';', options);
}

/// A ring that cannot be backed stays as long as it got, so that small places (the 64 MiB of containers) are passed over.
bool hasRoom(const char* folder) {
  constexpr std::uint64_t kEnough = 128u << 20;
  struct statfs found{};
  return statfs(folder, &found) == 0 &&
         static_cast<std::uint64_t>(found.f_bavail) * static_cast<std::uint64_t>(found.f_bsize) >= kEnough;
}

bool openRings(Session& session) {
  const char* const folders[] = {session.options.rings, "/dev/shm", session.folder};
  for (const char* folder : folders) {
    const char* format = folder == folders[1] ? "%s/lanescope.%d.%016llx.rings" : "%s/%d.%016llx.rings";
    if (folder[0] != '/' || (folder != session.folder && !hasRoom(folder)) ||
        !pathOf(session.ringsPath, format, folder, session.pid, session.started))
      continue;
    if (session.rings.create(session.ringsPath, wakeWriter, makeRingRoom)) return true;
  }
  session.ringsPath[0] = 0;
  return session.rings.createInMemory(wakeWriter, makeRingRoom);
}

}  // namespace

Session* Session::open() {
  const char* folder = std::getenv(wire::kSessionVariable);
  if (folder == nullptr || folder[0] != '/' || std::strlen(folder) >= kLongestPath) return nullptr;
  void* pages = mapPages(sizeof(Session));
  if (pages == nullptr) return nullptr;
  auto* session = new (pages) Session;
  session->pid = getpid();
  session->started = now();
  std::memcpy(session->folder, folder, std::strlen(folder) + 1);
  session->control = mapControl(folder);
  char path[kLongestPath];
  if (session->control == nullptr || !pathOf(path, "%s/%d.%016llx.stream", folder, session->pid, session->started) ||
      !session->stream.create(path)) {
    unmapPages(pages, sizeof(Session));
    return nullptr;
  }
  readOptions(folder, session->options);
  const bool haveRings = openRings(*session);
  __atomic_fetch_add(&session->control->processes, 1, __ATOMIC_RELAXED);
  writeProcessFacts(*session);
  session->writeClock();
  if (!haveRings) session->losses.count(wire::LossKind::kNoRing);
  return session;
}

void Session::abandon() {
  stream.abandon();
  rings.abandon();
}

bool Session::writePiece(const RingFile::Piece& piece) {
  wire::ChunkHeader header;
  header.type = wire::ChunkType::kRing;
  header.offset = piece.offset;
  header.tid = piece.tid;
  header.slot = piece.slot;
  return stream.append(header, piece.bytes, piece.count);
}

bool Session::drain() {
  const Hold hold(draining);
  writeCpuSamples(*this);
  return rings.drain([this](const RingFile::Piece& piece) { return writePiece(piece); });
}

bool Session::makeRoom(ThreadRing& ring) {
  if (stream.failing()) return false;
  const std::uint64_t tail = __atomic_load_n(&ring.header->tail, __ATOMIC_ACQUIRE);
  for (const std::uint64_t limit = now() + 2000000; now() < limit; sched_yield()) {
    if (draining.tryTake()) {
      const bool done = rings.drainOnly(ring.slot, [this](const RingFile::Piece& piece) { return writePiece(piece); });
      draining.give();
      return done;
    }
    if (__atomic_load_n(&ring.header->tail, __ATOMIC_ACQUIRE) != tail) return true;
    if (ring.gaveUpAt == tail) return false;
  }
  ring.gaveUpAt = tail;
  return false;
}

void Session::writeClock() {
  const wire::ClockPair pair = readClockPair();
  stream.append(wire::ChunkType::kClock, &pair, sizeof pair);
}

void Session::writeLosses() {
  const Hold hold(draining);
  if (stream.lastError() == ENOSPC && !toldOfFullDisk) {
    writeFact(*this, "disk-full", "1");
    toldOfFullDisk = true;
  }
  wire::Loss records[Losses::kKinds] = {};
  std::uint32_t changed = 0;
  std::uint64_t counts[Losses::kKinds] = {};
  for (std::uint32_t kind = 1; kind < Losses::kKinds; ++kind) {
    counts[kind] = losses.of(static_cast<wire::LossKind>(kind));
    if (static_cast<wire::LossKind>(kind) == wire::LossKind::kRingFull) counts[kind] += rings.dropped();
    if (counts[kind] == lossesWritten[kind]) continue;
    wire::Loss& record = records[changed++];
    record.header = {wire::RecordType::kLoss, sizeof(wire::Loss), kind};
    record.count = counts[kind];
  }
  if (changed == 0) return;
  if (stream.append(wire::ChunkType::kLosses, records, changed * static_cast<std::uint32_t>(sizeof(wire::Loss)))) {
    std::memcpy(lossesWritten, counts, sizeof counts);
  }
}

bool Session::writeFacts(const char* lines, std::size_t length) {
  return stream.append(wire::ChunkType::kFacts, lines, static_cast<std::uint32_t>(length));
}

}  // namespace lanescope::inject
