// SPDX-License-Identifier: Apache-2.0
// What a preloaded library does with the recorder, linked in, so that thread sanitizers see all of it: threads that tell of
// calls while others begin and end, while the rings are emptied, and in forked children. Prints nothing.
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "collector/inject/clock.h"
#include "collector/inject/preload_door.h"

namespace {

using lanescope::inject::now;
using lanescope::inject::Recorder;

void tell(const Recorder& recorder, int calls) {
  for (int i = 0; i < calls; ++i) {
    const std::uint64_t time = now();
    const std::string about = "/file/" + std::to_string(i % 7);
    const std::uint64_t length = i % 100 == 0 ? 100000 : 2000;  // some with a stack
    recorder.osCall({"read", time, time + length, i, 3, about.c_str(), 0});
    lanescope::inject::MpiNote note{};
    note.name = "MPI_Send";
    note.start = time, note.end = time + 1;
    recorder.mpiCall(note);
    if (i % 50 == 0) recorder.mayAllocate(true);
  }
}

void tellFromThreads(const Recorder& recorder, int calls) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { tell(recorder, calls); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main() {
  const Recorder* recorder = nullptr;
  std::vector<std::thread> openers;
  for (int i = 0; i < 4; ++i) openers.emplace_back([] { lanescope::inject::openRecorder(); });
  for (std::thread& opener : openers) opener.join();
  recorder = lanescope::inject::openRecorder();
  if (recorder == nullptr || !recorder->osRuntime || !recorder->mpi) return 3;
  recorder->mpiRank(7, 2, 4);
  tellFromThreads(*recorder, 500);
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      tell(*recorder, 5);  // too young
      for (const std::uint64_t until = now() + 12000000; now() < until;) {
      }
      tellFromThreads(*recorder, 100);
      _exit(0);
    }
    int status = -1;
    if (waitpid(child, &status, 0) != child || status != 0) return 4;
  }
  return 0;
}
