// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/preload_door.h"

#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/inject/capture.h"
#include "collector/inject/cpu_timers.h"
#include "collector/inject/cupti_session.h"
#include "collector/inject/modules.h"
#include "collector/inject/process.h"
#include "collector/inject/stack_copy.h"
#include "collector/inject/text.h"
#include "collector/inject/threads.h"

namespace lanescope::inject {
namespace {

Recorder recorder;
std::uint64_t stackThreshold;
std::uint32_t stackBytes;

[[gnu::noinline]] void osCall(const OsNote& note) {
  if (thisThread.own != 0) return;
  ThreadRing* ring = hostRing();
  if (ring == nullptr) return;
  wire::OsCall record;
  record.start = note.start;
  record.end = note.end;
  record.name = define(*ring, textOf(note.name));
  record.result = note.result;
  record.object = note.object;
  if (note.about != nullptr) record.about = define(*ring, textOf(note.about));
  record.caller = note.caller;
  const bool there = ring->append(record, wire::RecordType::kOsCall, note.itemBytes);
  if (there && stackBytes > 0 && note.end - note.start >= stackThreshold) {
    appendStack(*ring, registersHere(), stackBytes);
  }
  if (Session* alive = session(); alive != nullptr && !alive->threaded.load(std::memory_order_relaxed)) {
    answerWithoutThreads(*alive);
  }
}

void mpiCall(const MpiNote& note) {
  ThreadRing* ring = hostRing();
  if (ring == nullptr) return;
  wire::MpiCall record;
  record.start = note.start;
  record.end = note.end;
  record.name = define(*ring, textOf(note.name));
  record.communicator = note.communicator;
  record.request = note.request;
  record.bytes = note.bytes;
  record.received = note.received;
  record.tag = note.tag;
  record.remote = note.remote;
  record.root = note.root;
  record.knows = note.knows;
  ring->append(record, wire::RecordType::kMpiCall, note.kind);
}

void mpiRank(std::uint64_t communicator, std::int32_t rank, std::int32_t size) {
  ThreadRing* ring = hostRing();
  if (ring == nullptr) return;
  wire::MpiRank record;
  record.communicator = communicator;
  record.rank = rank;
  record.size = size;
  ring->append(record, wire::RecordType::kMpiRank, 0);
}

bool isAside() {
  const Session* alive = session();
  return alive != nullptr && alive->pid != static_cast<int>(syscall(SYS_getpid));
}

/// Not where it would wait for itself: a signal handler may end the process in the midst of our own work.
void ending() {
  Session* alive = session();
  if (alive == nullptr || alive->pid != static_cast<int>(syscall(SYS_getpid)) || thisThread.own != 0) return;
  if (cuptiActive()) return flushBeforeExit();
  const OwnCalls own;
  noteCapture(*alive);
  alive->drain();
  alive->writeLosses();
  alive->writeClock();
  alive->stream.append(wire::ChunkType::kEnd, nullptr, 0);
}

void tell(const char* warning) { tellUser(1, warning); }

void guardTimers(int* number) {
  guardCpuTimers(number);
  startedSession();  // its writer arms them
}

bool wantsPreload(const Options& options) {
  return options.osRuntime || options.mpi || options.pythonGil || options.cpuTimerHertz > 0;
}

/// The library that this function is part of.
int findCode(dl_phdr_info* object, std::size_t, void*) {
  const auto here = reinterpret_cast<std::uintptr_t>(&findCode);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    const std::uintptr_t start = object->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || here < start || here >= start + part.p_memsz) continue;
    recorder.codeStart = start;
    recorder.codeEnd = start + part.p_memsz;
    return 1;
  }
  return 0;
}

}  // namespace

const Recorder* openRecorder() {
  Session* session = openedSession();
  if (session == nullptr || !wantsPreload(session->options)) return nullptr;
  const Options& options = session->options;
  static Lock filling;
  const Hold hold(filling);
  if (recorder.osCall != nullptr) return &recorder;
  recorder.osRuntime = options.osRuntime;
  recorder.mpi = options.mpi;
  recorder.pythonGil = options.pythonGil;
  recorder.threshold = options.osThreshold;
  recorder.fileAccess = options.osFileAccess;
  stackThreshold = options.osStackThreshold;
  stackBytes = options.osRuntime ? options.osStackBytes : 0;
  recorder.capture = reinterpret_cast<const std::uint32_t*>(&session->control->capture);
  recorder.mpiCall = mpiCall;
  recorder.mpiRank = mpiRank;
  recorder.mayAllocate = startThreadsIfDue;
  recorder.isAside = isAside;
  recorder.ending = ending;
  recorder.tell = tell;
  recorder.guardTimers = options.cpuTimerHertz > 0 ? guardTimers : nullptr;
  recorder.timerAction = timerAction;
  dl_iterate_phdr(findCode, nullptr);
  recorder.osCall = osCall;
  noteModules(*session);
  return &recorder;
}

}  // namespace lanescope::inject
